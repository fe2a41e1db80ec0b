package materials

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"cradle/internal/ingest/sheet"
)

// A node is a value of a JSON or YAML document: an object, a list or a scalar. A
// YAML value used several times is a single node.
type node struct {
	line   int
	text   string // of a scalar
	quoted bool   // a text, even if it looks like a number
	fields []field
	items  []*node
	object bool
	list   bool
}

type field struct {
	name string
	*node
}

// Bounds of a document.
const (
	maxDocument = 64 << 20 // bytes
	maxDepth    = 64
	maxMerged   = 1_000_000 // fields that merge keys copy
	maxRepeats  = 100_000   // values reached again through aliases
)

var (
	errDeep  = fmt.Errorf("nested more than %d levels deep", maxDepth)
	errLarge = fmt.Errorf("aliases repeat more than %d values", maxRepeats)
)

// get returns a field by its case-insensitive name, or nil.
func (n *node) get(names ...string) *node {
	if n == nil {
		return nil
	}
	for _, name := range names {
		for _, f := range n.fields {
			if strings.EqualFold(f.name, name) {
				return f.node
			}
		}
	}
	return nil
}

// string returns the text of a scalar field.
func (n *node) string(names ...string) string {
	if f := n.get(names...); f != nil && !f.object && !f.list {
		return strings.TrimSpace(f.text)
	}
	return ""
}

func (n *node) scalar() bool { return n != nil && !n.object && !n.list }

// number is the value of a scalar that is a number and not a text.
func (n *node) number() (float64, bool) {
	if !n.scalar() || n.quoted {
		return 0, false
	}
	return sheet.Number(n.text)
}

// parseJSON parses a document and counts lines.
func parseJSON(content []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	p := &jsonParser{decoder: d, content: content, line: 1}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, &sheet.Error{Line: p.at(), Message: "there is more data after the document"}
	}
	return root, nil
}

type jsonParser struct {
	decoder *json.Decoder
	content []byte
	line    int
	counted int // bytes whose lines are counted
}

func (p *jsonParser) at() int {
	offset := int(p.decoder.InputOffset())
	p.line += bytes.Count(p.content[p.counted:offset], []byte{'\n'})
	p.counted = offset
	return p.line
}

func (p *jsonParser) fail(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return &sheet.Error{Line: p.at(), Message: err.Error()}
}

func (p *jsonParser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, p.fail(errDeep)
	}
	token, err := p.decoder.Token()
	if err != nil {
		return nil, p.fail(err)
	}
	n := &node{line: p.at()}
	switch t := token.(type) {
	case json.Delim:
		n.object, n.list = t == '{', t == '['
		return n, p.inside(n, depth)
	case json.Number:
		n.text = t.String()
	case string:
		n.text, n.quoted = t, true
	case bool:
		n.text, n.quoted = fmt.Sprint(t), true
	}
	return n, nil
}

func (p *jsonParser) inside(n *node, depth int) error {
	for p.decoder.More() {
		name := ""
		if n.object {
			token, err := p.decoder.Token()
			if err != nil {
				return p.fail(err)
			}
			name, _ = token.(string)
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		if n.object {
			n.fields = append(n.fields, field{name, value})
		} else {
			n.items = append(n.items, value)
		}
	}
	if _, err := p.decoder.Token(); err != nil {
		return p.fail(err)
	}
	return nil
}

// parseYAML parses a document. Aliases stay references to one node; merge keys
// are resolved.
func parseYAML(content []byte) (*node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(content, &doc); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return &node{}, nil
	}
	c := &converter{done: map[*yaml.Node]*node{}}
	return c.convert(doc.Content[0], 0)
}

type converter struct {
	done   map[*yaml.Node]*node
	merged int
}

func (c *converter) convert(y *yaml.Node, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, &sheet.Error{Line: y.Line, Message: errDeep.Error()}
	}
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	if n := c.done[y]; n != nil {
		return n, nil
	}
	n := &node{line: y.Line, object: y.Kind == yaml.MappingNode, list: y.Kind == yaml.SequenceNode}
	c.done[y] = n // before its content, because an alias may refer to a node that contains it
	switch {
	case n.list:
		for _, item := range y.Content {
			value, err := c.convert(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, value)
		}
	case n.object:
		return n, c.mapping(n, y, depth)
	case y.Tag != "!!null":
		n.text = y.Value
		n.quoted = y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
	}
	return n, nil
}

func (c *converter) mapping(n *node, y *yaml.Node, depth int) error {
	own := map[string]bool{}
	var merged []*node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		value, err := c.convert(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		if key.Tag == "!!merge" {
			merged = append(merged, value)
			merged = append(merged, value.items...)
			continue
		}
		own[key.Value] = true
		n.fields = append(n.fields, field{key.Value, value})
	}
	for _, from := range merged {
		for _, f := range from.fields {
			if own[f.name] || f.node == n {
				continue
			}
			if c.merged++; c.merged > maxMerged {
				return &sheet.Error{Line: y.Line, Message: errLarge.Error()}
			}
			own[f.name] = true
			n.fields = append(n.fields, f)
		}
	}
	return nil
}
