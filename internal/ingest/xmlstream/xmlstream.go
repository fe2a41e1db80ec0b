// Package xmlstream reads XML documents of the field's formats sequentially,
// element by element, in memory that does not grow with the document.
//
// It reads well-formed XML 1.0 with namespaces, in any encoding that the
// document declares, and refuses what data files do not need but attackers use:
// document types, entity declarations, external references, deep nesting,
// endless names and texts. It is several times faster than encoding/xml, against
// which it is tested; XML formats are read twice, and come in tens of thousands
// of files.
package xmlstream

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Limits of one document, far above the size of real data files.
const (
	maxDepth      = 64
	maxAttributes = 128
	maxToken      = 8 << 20 // bytes of one tag or one stretch of text
	maxText       = 16 << 20
)

// An Error is an error at a line of a document.
type Error struct {
	Line    int
	Message string
	Refused bool // not malformed, but beyond the limits or not allowed
	Content bool // the document is well-formed there and can be read on
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// A Reader reads one document.
type Reader struct {
	scan   scanner
	frames [maxDepth + 1]frame // of the open elements, the root at 1
	depth  int
	spaces []binding
	ended  bool // the innermost element was an empty tag and is not closed yet
	known  map[string]string
}

// A frame is an open element.
type frame struct {
	element Element
	tag     []byte // as written, to compare with the end tag
	values  []byte // of all attributes, concatenated
	spaces  int    // the number of bindings before it
}

// A binding gives a prefix its namespace.
type binding struct{ prefix, space string }

// An Element is an open element of the document. It is valid until the function
// it was passed to returns.
type Element struct {
	Space string // the namespace
	Name  string // without prefix
	Line  int

	attributes []attribute
	reader     *Reader
	depth      int
}

type attribute struct {
	name     string
	prefixed bool
	from, to int // in the frame's values
}

// NewReader returns a reader of a document.
func NewReader(in io.Reader) (*Reader, error) {
	decoded, strict, err := decode(in)
	if err != nil {
		return nil, err
	}
	r := &Reader{known: make(map[string]string)}
	r.scan = newScanner(decoded, strict)
	r.spaces = []binding{{"xml", "http://www.w3.org/XML/1998/namespace"}}
	return r, nil
}

// Root returns the document's root element. It must be called once, first.
func (r *Reader) Root() (*Element, error) {
	for {
		t, err := r.scan.next()
		switch {
		case err == io.EOF:
			return nil, r.errorf("there is no element")
		case err != nil:
			return nil, err
		case t == startTag:
			if err := r.open(); err != nil {
				return nil, err
			}
			return &r.frames[r.depth].element, nil
		case t == endTag:
			return nil, r.errorf("an end tag has no start tag")
		case t == text && !blank(r.scan.token):
			return nil, r.errorf("there is text before the first element")
		case t == characterData:
			return nil, r.errorf("there is text before the first element")
		}
	}
}

// Close reads what follows the root and returns an error if the document is
// incomplete.
func (r *Reader) Close() error {
	if r.depth > 0 {
		if err := r.skipTo(0); err != nil {
			return err
		}
	}
	for {
		t, err := r.scan.next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case t != text || !blank(r.scan.token):
			return r.errorf("there is more data after the last element")
		}
	}
}

// Each calls visit for every child element in turn, and skips what visit leaves
// unread.
func (e *Element) Each(visit func(*Element) error) error {
	r := e.reader
	for {
		opened, err := r.step(e.depth)
		if err != nil || !opened {
			return err
		}
		child := &r.frames[r.depth].element
		if err := visit(child); err != nil {
			return err
		}
		if err := r.skipTo(e.depth); err != nil {
			return err
		}
	}
}

// step goes to the next child of the element at the depth, or to its end.
func (r *Reader) step(depth int) (opened bool, err error) {
	for r.depth >= depth {
		if r.ended {
			r.close()
			continue
		}
		t, err := r.token()
		if err != nil {
			return false, err
		}
		switch t {
		case startTag:
			return true, r.open()
		case endTag:
			if err := r.end(); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// skipTo skips elements until the one at the depth is the innermost.
func (r *Reader) skipTo(depth int) error {
	for r.depth > depth {
		if r.ended {
			r.close()
			continue
		}
		t, err := r.token()
		if err != nil {
			return err
		}
		switch t {
		case startTag:
			err = r.open()
		case endTag:
			err = r.end()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// token returns the next token inside an element, where the end of the document
// is an error.
func (r *Reader) token() (kind, error) {
	t, err := r.scan.next()
	if err == io.EOF {
		return 0, r.errorf("the document ends inside %s", r.frames[r.depth].tag)
	}
	return t, err
}

// Text reads the element to its end and returns its trimmed text, without that
// of the named elements.
func (e *Element) Text(but ...string) (string, error) {
	r := e.reader
	var b []byte
	for r.depth >= e.depth {
		if r.ended {
			r.close()
			continue
		}
		t, err := r.token()
		if err != nil {
			return "", err
		}
		switch t {
		case startTag:
			if err = r.open(); err == nil && slices.Contains(but, r.frames[r.depth].element.Name) {
				err = r.skipTo(r.depth - 1)
			}
		case endTag:
			err = r.end()
		case text, characterData:
			if len(b)+len(r.scan.token) > maxText {
				err = r.refuse("the text of %s is longer than %d bytes", e.Name, maxText)
			}
			b = append(b, r.scan.token...)
		}
		if err != nil {
			return "", err
		}
	}
	return r.keep(trim(b)), nil
}

// Attr returns the trimmed value of an attribute, "" if the element does not
// have it. It ignores prefixes of attributes.
func (e *Element) Attr(name string) string { return e.reader.keep(trim(e.raw(name))) }

// Has reports whether the element has the attribute, even if empty.
func (e *Element) Has(name string) bool { return e.raw(name) != nil }

func (e *Element) raw(name string) []byte {
	var found []byte
	values := e.reader.frames[e.depth].values
	for _, a := range e.attributes {
		if a.name != name {
			continue
		}
		found = values[a.from:a.to:a.to]
		if !a.prefixed {
			break
		}
	}
	return found
}

// Number parses an attribute as a number. If it is missing, empty or NaN, ok is
// false and err nil.
func (e *Element) Number(name string) (value float64, ok bool, err error) {
	value, ok, err = ParseNumber(e.Attr(name))
	if err != nil {
		err = e.Errorf("%s of %s: %v", name, e.Name, err)
	}
	return value, ok, err
}

// ParseNumber parses a number as XML Schema writes it. ok is false for "" and
// for NaN, which some tools write for a missing number.
func ParseNumber(s string) (value float64, ok bool, err error) {
	s = strings.TrimSpace(s)
	if s == "" || strings.EqualFold(s, "nan") {
		return 0, false, nil
	}
	if strings.ContainsAny(s, "xXpP_") {
		return 0, false, fmt.Errorf("%s is not a number", quote(s))
	}
	value, err = strconv.ParseFloat(s, 64)
	switch {
	case math.IsInf(value, 0):
		return 0, false, fmt.Errorf("%s is not a finite number", quote(s))
	case err != nil:
		return 0, false, fmt.Errorf("%s is not a number", quote(s))
	}
	return value, true, nil
}

// quote shortens a value for an error.
func quote(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(strings.ToValidUTF8(s[:most], "")) + "…"
	}
	return strconv.Quote(s)
}

// Errorf returns an error about an element's content, with its line.
func (e *Element) Errorf(format string, args ...any) error {
	return &Error{Line: e.Line, Message: fmt.Sprintf(format, args...), Content: true}
}

func (r *Reader) errorf(format string, args ...any) error {
	return &Error{Line: r.scan.line, Message: fmt.Sprintf(format, args...)}
}

func (r *Reader) refuse(format string, args ...any) error {
	return &Error{Line: r.scan.line, Message: fmt.Sprintf(format, args...), Refused: true}
}

// Short strings are interned because documents repeat the same ones over and
// over.
const (
	maxKept   = 128
	maxKnown  = 1 << 15
	maxSpaces = 256
)

func (r *Reader) keep(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > maxKept {
		return string(b)
	}
	if s, ok := r.known[string(b)]; ok {
		return s
	}
	if len(r.known) >= maxKnown {
		clear(r.known)
	}
	s := string(b)
	r.known[s] = s
	return s
}

// FirstChild returns the name of the first element within a document's root, ""
// if there is none or the document cannot be read.
func FirstChild(open func() (io.ReadCloser, error)) string {
	in, err := open()
	if err != nil {
		return ""
	}
	defer in.Close()
	r, err := NewReader(in)
	if err != nil {
		return ""
	}
	root, err := r.Root()
	if err != nil {
		return ""
	}
	if opened, err := r.step(root.depth); err != nil || !opened {
		return ""
	}
	return r.frames[r.depth].element.Name
}
