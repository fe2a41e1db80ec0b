package gql

import "bytes"

// Project renders a selection from an object's JSON, which must have no white
// space and use the schema's names. It returns false if a selected field is not
// in it.
func Project[T any](s *Selection, _ Object[T], text []byte) (Row, bool) {
	p := projector{out: make([]byte, 0, len(text)+64), members: make([]member, 0, 32)}
	if !p.object(s, text) {
		return Row{}, false
	}
	return Row{text: p.out}, true
}

// projector extracts parts of a JSON text.
type projector struct {
	out     []byte
	members []member // of the current object and of those around it
}

// member is a member of an object.
type member struct{ name, value []byte }

func (p *projector) object(s *Selection, text []byte) bool {
	if s.broken != nil {
		return false
	}
	around := len(p.members)
	p.split(text)
	p.out = append(p.out, '{')
	for i := range s.nodes {
		n := &s.nodes[i]
		p.out = append(p.out, n.head...)
		if n.name == "__typename" {
			p.out = appendString(p.out, n.parent)
			continue
		}
		value := p.find(around, n.name)
		if value == nil || n.args.schema != nil || !p.value(n.sub, value) {
			return false
		}
	}
	p.out = append(p.out, '}')
	p.members = p.members[:around]
	return true
}

// find returns the value of a member among those starting at from.
func (p *projector) find(from int, name string) []byte {
	for i := from; i < len(p.members); i++ {
		if string(p.members[i].name) == name {
			return p.members[i].value
		}
	}
	return nil
}

// value copies a leaf, and writes the selected fields of an object or a list of
// objects.
func (p *projector) value(s *Selection, text []byte) bool {
	switch {
	case s == nil || string(text) == "null":
		p.out = append(p.out, text...)
		return true
	case text[0] == '{':
		return p.object(s, text)
	case text[0] != '[':
		return false
	}
	p.out = append(p.out, '[')
	for at := 1; text[at] != ']'; {
		if text[at] == ',' {
			p.out = append(p.out, ',')
			at++
		}
		end := at + lengthOf(text[at:])
		if !p.value(s, text[at:end]) {
			return false
		}
		at = end
	}
	p.out = append(p.out, ']')
	return true
}

// split records the members of an object.
func (p *projector) split(text []byte) {
	for at := 1; text[at] != '}'; {
		if text[at] == ',' {
			at++
		}
		colon := at + lengthOf(text[at:])
		end := colon + 1 + lengthOf(text[colon+1:])
		p.members = append(p.members, member{text[at+1 : colon-1], text[colon+1 : end]})
		at = end
	}
}

// lengthOf is the length of the value at the beginning of text.
func lengthOf(text []byte) int {
	switch text[0] {
	case '"':
		return stringLength(text)
	case '{', '[':
		depth := 0
		for at := 0; ; {
			switch text[at] {
			case '"':
				at += stringLength(text[at:])
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return at + 1
				}
			}
			at++
		}
	}
	end := 0
	for end < len(text) && text[end] != ',' && text[end] != ']' && text[end] != '}' {
		end++
	}
	return end
}

// stringLength is the length of the string at the beginning of text, quotes
// included.
func stringLength(text []byte) int {
	at := 1
	for {
		at += bytes.IndexByte(text[at:], '"') + 1
		escapes := 0
		for text[at-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
	}
}
