package formula

import (
	"fmt"
	"math"
	"strings"
)

// parser evaluates while it parses. Branches of an if that are not taken are
// parsed, but errors in their evaluation are ignored.
type parser struct {
	lexer
	scope *Scope
	depth int
	at    token // the current token
	inner int   // brackets around
}

func (p *parser) parse() (float64, error) {
	if err := p.step(); err != nil {
		return 0, err
	}
	v, err := p.expression()
	if err != nil {
		return 0, err
	}
	if p.at.kind != end {
		return 0, p.unexpected()
	}
	return v.number, v.err
}

// value is a number, or an error that matters only if the value is used.
type value struct {
	number float64
	err    error
}

func (p *parser) step() (err error) {
	p.at, err = p.next()
	return err
}

func (p *parser) unexpected() error {
	if p.at.kind == end {
		return fmt.Errorf("%q ends too early", shortened(p.text))
	}
	return fmt.Errorf("unexpected %q at %d", shortened(p.text[p.at.at-1:]), p.at.at)
}

// word reports whether the token is a word of the language, in any case.
func (p *parser) word(words ...string) string {
	if p.at.kind != name && p.at.kind != sign {
		return ""
	}
	low := strings.ToLower(p.at.text)
	for _, w := range words {
		if low == w {
			return w
		}
	}
	return ""
}

// expression parses "a if condition else b", or a higher level.
func (p *parser) expression() (value, error) {
	v, err := p.binary(0)
	if err != nil || p.at.kind != name || p.word("if") == "" {
		return v, err
	}
	if err := p.step(); err != nil {
		return v, err
	}
	condition, err := p.binary(0)
	if err != nil {
		return v, err
	}
	if p.word("else") == "" {
		return v, p.unexpected()
	}
	if err := p.step(); err != nil {
		return v, err
	}
	p.inner++
	defer func() { p.inner-- }()
	if p.inner > maxDepth {
		return v, fmt.Errorf("the formula is nested more than %d levels deep", maxDepth)
	}
	otherwise, err := p.expression()
	return choose(condition, v, otherwise), err
}

func choose(condition, then, otherwise value) value {
	switch {
	case condition.err != nil:
		return condition
	case condition.number != 0:
		return then
	}
	return otherwise
}

// levels of operators, in order of increasing precedence.
var levels = [][]string{
	{"or", "xor"}, {"and"}, {"=", "<>", "<", ">", "<=", ">="}, {"+", "-"}, {"*", "/", "div", "mod", "%"},
}

func (p *parser) binary(level int) (value, error) {
	if level == len(levels) {
		return p.unary()
	}
	left, err := p.binary(level + 1)
	for err == nil {
		op := p.word(levels[level]...)
		if op == "" {
			return left, nil
		}
		if err = p.step(); err != nil {
			break
		}
		var right value
		if right, err = p.binary(level + 1); err == nil {
			left = combine(op, left, right)
		}
	}
	return left, err
}

func combine(op string, a, b value) value {
	if a.err != nil {
		return a
	}
	if b.err != nil && (op != "and" || a.number != 0) && (op != "or" || a.number == 0) {
		return b
	}
	x, y := a.number, b.number
	switch op {
	case "or":
		return truth(x != 0 || y != 0)
	case "xor":
		return truth((x != 0) != (y != 0))
	case "and":
		return truth(x != 0 && y != 0)
	case "=":
		return truth(x == y)
	case "<>":
		return truth(x != y)
	case "<":
		return truth(x < y)
	case ">":
		return truth(x > y)
	case "<=":
		return truth(x <= y)
	case ">=":
		return truth(x >= y)
	case "+":
		return value{number: x + y}
	case "-":
		return value{number: x - y}
	case "*":
		return value{number: x * y}
	case "^":
		return value{number: math.Pow(x, y)}
	}
	if y == 0 {
		return value{err: fmt.Errorf("division by zero")}
	}
	switch op {
	case "/":
		return value{number: x / y}
	case "div":
		return value{number: math.Trunc(x / y)}
	}
	return value{number: math.Mod(x, y)}
}

func truth(b bool) value {
	if b {
		return value{number: 1}
	}
	return value{}
}

// unary parses signs before a power. In Python -2**2 is -4; elsewhere, as in
// spreadsheets, it is 4.
func (p *parser) unary() (value, error) {
	p.inner++
	defer func() { p.inner-- }()
	if p.inner > maxDepth {
		return value{}, fmt.Errorf("the formula is nested more than %d levels deep", maxDepth)
	}
	op := p.word("-", "+", "not")
	if op == "" || op == "not" && p.at.kind == name && p.beforeBracket() {
		return p.power()
	}
	if err := p.step(); err != nil {
		return value{}, err
	}
	if p.syntax.Python || op == "not" {
		v, err := p.unary()
		return signed(op, v), err
	}
	v, err := p.signedOperand()
	if err != nil {
		return v, err
	}
	return p.powerOf(signed(op, v))
}

// signedOperand parses what a sign applies to if it binds more tightly than a
// power.
func (p *parser) signedOperand() (value, error) {
	p.inner++
	defer func() { p.inner-- }()
	if p.inner > maxDepth {
		return value{}, fmt.Errorf("the formula is nested more than %d levels deep", maxDepth)
	}
	if op := p.word("-", "+"); op != "" {
		if err := p.step(); err != nil {
			return value{}, err
		}
		v, err := p.signedOperand()
		return signed(op, v), err
	}
	return p.operand()
}

func signed(op string, v value) value {
	switch {
	case v.err != nil:
	case op == "-":
		v.number = -v.number
	case op == "not":
		return truth(v.number == 0)
	}
	return v
}

func (p *parser) power() (value, error) {
	v, err := p.operand()
	if err != nil {
		return v, err
	}
	return p.powerOf(v)
}

func (p *parser) powerOf(base value) (value, error) {
	for p.word("^") != "" {
		if err := p.step(); err != nil {
			return base, err
		}
		var exponent value
		var err error
		if p.syntax.Python {
			exponent, err = p.unary() // 2**3**2 is 2**9
		} else {
			exponent, err = p.signedOperand()
		}
		if err != nil {
			return base, err
		}
		base = combine("^", base, exponent)
	}
	return base, nil
}

func (p *parser) operand() (value, error) {
	t := p.at
	switch {
	case t.kind == number:
		return value{number: t.value}, p.step()
	case t.kind == sign && t.text == "(":
		list, err := p.arguments()
		if err != nil {
			return value{}, err
		}
		if len(list) != 1 || list[0].isText {
			return value{}, fmt.Errorf("the bracket at %d must contain one number", t.at)
		}
		return list[0].value, nil
	case t.kind == name:
		if err := p.step(); err != nil {
			return value{}, err
		}
		if p.at.kind == sign && p.at.text == "(" {
			list, err := p.arguments()
			if err != nil {
				return value{}, err
			}
			return p.call(t.text, list), nil
		}
		return p.variable(t.text), nil
	}
	return value{}, p.unexpected()
}

// beforeBracket reports whether a word is followed by a bracket: not(a) is a call.
func (p *parser) beforeBracket() bool {
	return strings.HasPrefix(strings.TrimSpace(p.text[p.pos:]), "(")
}

// An argument is a value, or a quoted text.
type argument struct {
	value
	text   string
	isText bool
}

// arguments parses the arguments in a bracket.
func (p *parser) arguments() ([]argument, error) {
	opened := p.at.at
	p.inner++
	defer func() { p.inner-- }()
	if p.inner > maxDepth {
		return nil, fmt.Errorf("the formula is nested more than %d levels deep", maxDepth)
	}
	if err := p.step(); err != nil {
		return nil, err
	}
	var list []argument
	for {
		if p.at.kind == sign && p.at.text == ")" && len(list) == 0 {
			return list, p.step()
		}
		one := argument{text: p.at.text, isText: p.at.kind == quoted}
		var err error
		if one.isText {
			err = p.step()
		} else {
			one.value, err = p.expression()
		}
		if err != nil {
			return nil, err
		}
		list = append(list, one)
		switch {
		case p.at.kind == sign && p.at.text == ")":
			return list, p.step()
		case p.at.kind == sign && (p.at.text == ";" || p.at.text == "," && !p.syntax.DecimalComma):
			if err := p.step(); err != nil {
				return nil, err
			}
		case p.at.kind == end:
			return nil, fmt.Errorf("the bracket at %d is not closed", opened)
		default:
			return nil, p.unexpected()
		}
	}
}

// variable is a parameter or, if none has the name, a constant.
func (p *parser) variable(name string) value {
	v, err := p.scope.lookup(name, p.depth)
	if err == nil || p.scope.defines(name) {
		return value{v, err}
	}
	switch strings.ToLower(name) {
	case "pi":
		return value{number: math.Pi}
	case "e":
		return value{number: math.E}
	case "true":
		return truth(true)
	case "false":
		return truth(false)
	}
	return value{err: err}
}

func (s *Scope) defines(name string) bool {
	for at := s; at != nil; at = at.around {
		if at.known[at.fold(name)] != nil {
			return true
		}
	}
	return false
}
