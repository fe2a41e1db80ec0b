package gql

import "bytes"

// Project renders what is asked of an object that stands written already: JSON
// without white space, under the schema's own names. It returns false when
// something that is asked for is not in it.
func Project[T any](s *Selection, _ Object[T], text []byte) (Row, bool) {
	p := projector{out: make([]byte, 0, len(text)+64), members: make([]member, 0, 32)}
	if !p.object(s, text) {
		return Row{}, false
	}
	return Row{text: p.out}, true
}

// projector takes parts out of a JSON text.
type projector struct {
	out     []byte
	members []member // of the object that is read and of those around it
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

// find returns the value of a member, of those from a place on.
func (p *projector) find(from int, name string) []byte {
	for i := from; i < len(p.members); i++ {
		if string(p.members[i].name) == name {
			return p.members[i].value
		}
	}
	return nil
}

// value writes a leaf as it is, and of an object or a list of them what is asked.
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

// split notes the members of an object.
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

// lengthOf is how long the value is that a text begins with.
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

// stringLength is how long the string is that a text begins with, quotes included.
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
