package xmlstream

import "bytes"

// open opens the element of the start tag just scanned.
func (r *Reader) open() error {
	if r.depth == maxDepth {
		return r.refuse("elements are nested more than %d levels deep", maxDepth)
	}
	r.depth++
	f := &r.frames[r.depth]
	f.values = f.values[:0]
	f.spaces = len(r.spaces)
	f.element = Element{Line: r.scan.line, attributes: f.element.attributes[:0], reader: r, depth: r.depth}
	if err := r.scan.check(r.scan.token); err != nil {
		return err
	}
	t := tag{left: r.scan.token}
	name := t.name()
	if name == nil {
		return r.errorf("%q is not the name of an element", excerpt(r.scan.token))
	}
	f.tag = append(f.tag[:0], name...)
	if err := r.attributes(f, &t); err != nil {
		return err
	}
	r.ended = r.scan.empty
	return r.resolve(f)
}

// end closes the innermost element with the end tag just scanned.
func (r *Reader) end() error {
	f := &r.frames[r.depth]
	t := tag{left: r.scan.token}
	name := t.name()
	t.blanks()
	if len(t.left) > 0 || !bytes.Equal(name, f.tag) {
		return r.errorf("%s ends where %s should", excerpt(r.scan.token), f.tag)
	}
	r.close()
	return nil
}

func (r *Reader) close() {
	r.ended = false
	r.spaces = r.spaces[:r.frames[r.depth].spaces]
	r.depth--
}

func (r *Reader) attributes(f *frame, t *tag) error {
	for {
		apart := t.blanks()
		if len(t.left) == 0 {
			return nil
		}
		name := t.name()
		value, ok := t.value()
		switch {
		case name == nil || !ok:
			return r.errorf("an attribute of %s is not written name=\"value\"", f.tag)
		case !apart:
			return r.errorf("there is no space before an attribute of %s", f.tag)
		case len(f.element.attributes) == maxAttributes:
			return r.refuse("%s has more than %d attributes", f.tag, maxAttributes)
		}
		from := len(f.values)
		var err error
		if f.values, err = r.scan.unescape(f.values, value, true); err != nil {
			return err
		}
		if err := r.attribute(f, name, from); err != nil {
			return err
		}
	}
}

// attribute records the attribute whose value is at the end of the frame's
// values, or the namespace it declares.
func (r *Reader) attribute(f *frame, name []byte, from int) error {
	prefix, local, ok := split(name)
	switch {
	case !ok:
		return r.errorf("%q is not the name of an attribute", excerpt(name))
	case len(prefix) == 0 && string(local) == "xmlns":
		r.spaces = append(r.spaces, binding{"", string(f.values[from:])})
	case string(prefix) == "xmlns":
		r.spaces = append(r.spaces, binding{string(local), string(f.values[from:])})
	}
	if len(r.spaces) > maxSpaces {
		return r.refuse("more than %d namespaces are declared", maxSpaces)
	}
	a := attribute{name: r.keep(local), prefixed: len(prefix) > 0, from: from, to: len(f.values)}
	for _, other := range f.element.attributes {
		if other.name == a.name && !other.prefixed && !a.prefixed {
			return r.errorf("%s has the attribute %s twice", f.tag, excerpt(name))
		}
	}
	f.element.attributes = append(f.element.attributes, a)
	return nil
}

// resolve finds the namespace of the frame's element.
func (r *Reader) resolve(f *frame) error {
	prefix, local, ok := split(f.tag)
	if !ok {
		return r.errorf("%q is not the name of an element", excerpt(f.tag))
	}
	f.element.Name = r.keep(local)
	for i := len(r.spaces) - 1; i >= 0; i-- {
		if r.spaces[i].prefix == string(prefix) {
			f.element.Space = r.spaces[i].space
			return nil
		}
	}
	if len(prefix) > 0 {
		return r.errorf("the prefix of %s is not declared", excerpt(f.tag))
	}
	return nil
}

func split(name []byte) (prefix, local []byte, ok bool) {
	at := bytes.IndexByte(name, ':')
	if at < 0 {
		return nil, name, true
	}
	prefix, local = name[:at], name[at+1:]
	return prefix, local, len(prefix) > 0 && len(local) > 0 && bytes.IndexByte(local, ':') < 0
}

// A tag is what is between < and >, consumed from the left.
type tag struct{ left []byte }

func (t *tag) blanks() bool {
	n := 0
	for n < len(t.left) && isBlank(t.left[n]) {
		n++
	}
	t.left = t.left[n:]
	return n > 0
}

// name consumes a name, nil if there is none. It accepts any characters beyond
// ASCII: no format uses them in names.
func (t *tag) name() []byte {
	n := 0
	for n < len(t.left) && isName(t.left[n], n == 0) {
		n++
	}
	name := t.left[:n:n]
	t.left = t.left[n:]
	if n == 0 {
		return nil
	}
	return name
}

func (t *tag) value() ([]byte, bool) {
	t.blanks()
	if len(t.left) == 0 || t.left[0] != '=' {
		return nil, false
	}
	t.left = t.left[1:]
	t.blanks()
	if len(t.left) == 0 || t.left[0] != '"' && t.left[0] != '\'' {
		return nil, false
	}
	end := bytes.IndexByte(t.left[1:], t.left[0])
	if end < 0 {
		return nil, false
	}
	value := t.left[1 : end+1]
	t.left = t.left[end+2:]
	return value, bytes.IndexByte(value, '<') < 0
}

func isName(c byte, first bool) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == ':', c >= 0x80:
		return true
	case '0' <= c && c <= '9', c == '-', c == '.':
		return !first
	}
	return false
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func blank(b []byte) bool { return len(trim(b)) == 0 }

func trim(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// excerpt shortens a name for an error.
func excerpt(b []byte) []byte {
	const most = 60
	if len(b) > most {
		return append(bytes.ToValidUTF8(b[:most:most], nil), "…"...)
	}
	return b
}
