package gql

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
)

// parser parses an executable document. It stops at the first error.
//
// Parser and lexer are our own because gqlparser, whose tree and validation
// rules we use, misreads documents: digits that run into names, block strings
// that begin in their first line, halves of surrogate pairs, variables among
// constants, the position of every string. TestReadsWhatGQLParserMisreads lists
// them all and fails when a newer version has fixed them; then these two files
// can go.
type parser struct {
	lexer  *lexer
	token  token // the next one
	tokens int
	err    *Error
}

// parse parses a document into gqlparser's tree, for its validation rules.
func parse(text string) (*ast.QueryDocument, *Error) {
	p := &parser{lexer: newLexer(text)}
	p.advance()
	doc := &ast.QueryDocument{}
	for more := true; more && p.err == nil; more = p.token.kind != endToken {
		p.definition(doc)
	}
	return doc, p.err
}

func (p *parser) advance() {
	if p.err != nil {
		return
	}
	if p.tokens++; p.tokens > mostTokens {
		p.err = &Error{Kind: Bounds, Message: fmt.Sprintf("The document has more than %d tokens.", mostTokens)}
		return
	}
	p.token, p.err = p.lexer.read()
}

func (p *parser) unexpected() {
	p.fail("Unexpected %s.", p.token)
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Kind: Syntax, Message: "Syntax Error: " + fmt.Sprintf(format, args...), Locations: at(p.token.at)}
	}
}

// is reports whether the next token is of a kind.
func (p *parser) is(kind kindOf) bool { return p.err == nil && p.token.kind == kind }

func (p *parser) isWord(word string) bool { return p.is(nameToken) && p.token.value == word }

// skip consumes a token of the kind, if it is next.
func (p *parser) skip(kind kindOf) bool {
	if !p.is(kind) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(kind kindOf) {
	if !p.skip(kind) {
		p.fail("Expected %s, found %s.", token{kind: kind}, p.token)
	}
}

func (p *parser) name() string {
	name := p.token.value
	if !p.is(nameToken) {
		p.fail("Expected Name, found %s.", p.token)
	}
	p.advance()
	return name
}

// some reads one or more items between two tokens.
func (p *parser) some(open, end kindOf, read func()) {
	p.expect(open)
	for first := true; p.err == nil && (first || !p.is(end)); first = false {
		read()
	}
	p.expect(end)
}

func (p *parser) definition(doc *ast.QueryDocument) {
	start := p.token
	described := p.description()
	switch {
	case p.is('{') && !described, p.isWord("query"), p.isWord("mutation"), p.isWord("subscription"):
		doc.Operations = append(doc.Operations, p.operation())
	case p.isWord("fragment"):
		doc.Fragments = append(doc.Fragments, p.fragment())
	default:
		if p.is('{') || p.is(nameToken) {
			p.token = start // a description is what is unexpected, if there is one
		}
		p.unexpected()
	}
}

// description skips a description.
func (p *parser) description() bool { return p.skip(stringToken) || p.skip(blockToken) }

func (p *parser) operation() *ast.OperationDefinition {
	o := &ast.OperationDefinition{Operation: ast.Query, Position: p.token.at}
	if !p.is('{') {
		o.Operation = ast.Operation(p.name())
		if p.is(nameToken) {
			o.Name = p.name()
		}
		if p.is('(') {
			p.some('(', ')', func() { o.VariableDefinitions = append(o.VariableDefinitions, p.variable()) })
		}
		o.Directives = p.directives(false)
	}
	o.SelectionSet = p.selections()
	return o
}

func (p *parser) variable() *ast.VariableDefinition {
	p.description()
	v := &ast.VariableDefinition{Position: p.token.at}
	p.expect('$')
	v.Variable = p.name()
	p.expect(':')
	v.Type = p.typ()
	if p.skip('=') {
		v.DefaultValue = p.value(true)
	}
	v.Directives = p.directives(true)
	return v
}

func (p *parser) typ() *ast.Type {
	t := &ast.Type{Position: p.token.at}
	if p.skip('[') {
		t.Elem = p.typ()
		p.expect(']')
	} else {
		t.NamedType = p.name()
	}
	t.NonNull = p.skip('!')
	return t
}

func (p *parser) fragment() *ast.FragmentDefinition {
	f := &ast.FragmentDefinition{Position: p.token.at}
	p.advance()
	if p.isWord("on") {
		p.unexpected()
	}
	f.Name = p.name()
	f.TypeCondition = p.typeCondition()
	f.Directives = p.directives(false)
	f.SelectionSet = p.selections()
	return f
}

func (p *parser) typeCondition() string {
	if !p.isWord("on") {
		p.fail(`Expected "on", found %s.`, p.token)
	}
	p.advance()
	return p.name()
}

func (p *parser) selections() ast.SelectionSet {
	var set ast.SelectionSet
	p.some('{', '}', func() {
		if p.is('.') {
			set = append(set, p.spread())
		} else {
			set = append(set, p.field())
		}
	})
	return set
}

func (p *parser) field() *ast.Field {
	f := &ast.Field{Position: p.token.at}
	f.Alias = p.name()
	f.Name = f.Alias
	if p.skip(':') {
		f.Name = p.name()
	}
	f.Arguments = p.arguments(false)
	f.Directives = p.directives(false)
	if p.is('{') {
		f.SelectionSet = p.selections()
	}
	return f
}

func (p *parser) spread() ast.Selection {
	start := p.token.at
	p.expect('.')
	if p.is(nameToken) && !p.isWord("on") {
		return &ast.FragmentSpread{Position: start, Name: p.name(), Directives: p.directives(false)}
	}
	f := &ast.InlineFragment{Position: start}
	if p.isWord("on") {
		f.TypeCondition = p.typeCondition()
	}
	f.Directives = p.directives(false)
	f.SelectionSet = p.selections()
	return f
}

func (p *parser) arguments(constant bool) ast.ArgumentList {
	var list ast.ArgumentList
	if p.is('(') {
		p.some('(', ')', func() {
			a := &ast.Argument{Position: p.token.at}
			a.Name = p.name()
			p.expect(':')
			a.Value = p.value(constant)
			list = append(list, a)
		})
	}
	return list
}

func (p *parser) directives(constant bool) ast.DirectiveList {
	var list ast.DirectiveList
	for p.is('@') {
		d := &ast.Directive{Position: p.token.at}
		p.advance()
		d.Name = p.name()
		d.Arguments = p.arguments(constant)
		list = append(list, d)
	}
	return list
}

var leaves = map[kindOf]ast.ValueKind{
	intToken: ast.IntValue, floatToken: ast.FloatValue, stringToken: ast.StringValue, blockToken: ast.BlockValue, nameToken: ast.EnumValue,
}

var words = map[string]ast.ValueKind{"true": ast.BooleanValue, "false": ast.BooleanValue, "null": ast.NullValue}

// value reads a value; a constant one has no variables.
func (p *parser) value(constant bool) *ast.Value {
	v := &ast.Value{Position: p.token.at, Raw: p.token.value}
	switch {
	case p.is('['):
		v.Kind = ast.ListValue
		p.any('[', ']', func() {
			v.Children = append(v.Children, &ast.ChildValue{Value: p.value(constant)})
		})
		return v
	case p.is('{'):
		v.Kind = ast.ObjectValue
		p.any('{', '}', func() {
			child := &ast.ChildValue{Position: p.token.at}
			child.Name = p.name()
			p.expect(':')
			child.Value = p.value(constant)
			v.Children = append(v.Children, child)
		})
		return v
	case p.is('$') && !constant:
		p.advance()
		v.Kind, v.Raw = ast.Variable, p.name()
		return v
	}
	kind, isLeaf := leaves[p.token.kind]
	if word, known := words[v.Raw]; known && p.is(nameToken) {
		kind = word
	}
	if !isLeaf {
		p.unexpected()
	}
	v.Kind = kind
	p.advance()
	return v
}

// any reads zero or more items between two tokens.
func (p *parser) any(open, end kindOf, read func()) {
	p.expect(open)
	for p.err == nil && !p.is(end) {
		read()
	}
	p.expect(end)
}
