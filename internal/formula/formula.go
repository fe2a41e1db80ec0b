// Package formula evaluates the expressions for amounts in libraries: those of
// openLCA, SimaPro, EcoSpold 2 and Brightway. Parameters are in nested scopes; a
// parameter's formula is evaluated once, in the scope that defines it. Names are
// case-insensitive.
package formula

import (
	"fmt"
	"math"
	"strings"
)

// Syntax is what differs between the formats.
type Syntax struct {
	DecimalComma bool // 1,5: arguments are then separated only by ";"
	Python       bool // Brightway: ** is a power, log is natural, names are case-sensitive, -2**2 is -4
}

// The formats' syntaxes. SimaPro's decimal sign is in its header.
var (
	OpenLCA   = Syntax{}
	SimaPro   = Syntax{}
	EcoSpold2 = Syntax{}
	Brightway = Syntax{Python: true}
)

const (
	maxText  = 10_000 // characters of a formula
	maxDepth = 200    // of nested brackets, and of parameters that refer to parameters
)

// A Scope holds parameters.
type Scope struct {
	around *Scope
	syntax Syntax
	known  map[string]*parameter
}

type parameter struct {
	name    string
	formula string // "" once the value is known
	value   float64
	err     error
	open    bool // it is being evaluated
}

// NewScope returns an empty scope within another, nil for none.
func NewScope(around *Scope, syntax Syntax) *Scope {
	return &Scope{around: around, syntax: syntax, known: map[string]*parameter{}}
}

// Set sets a parameter to a value.
func (s *Scope) Set(name string, value float64) {
	s.known[s.fold(name)] = &parameter{name: name, value: value}
}

// Define sets a parameter to a formula, which is evaluated when it is needed.
func (s *Scope) Define(name, formula string) {
	s.known[s.fold(name)] = &parameter{name: name, formula: formula}
}

// Eval evaluates a formula. It returns an error unless the result is a finite
// number.
func (s *Scope) Eval(text string) (float64, error) {
	return s.eval(text, 0)
}

func (s *Scope) fold(name string) string {
	name = strings.TrimSpace(name)
	if s.syntax.Python {
		return name
	}
	return strings.ToLower(name)
}

func (s *Scope) eval(text string, depth int) (float64, error) {
	if depth > maxDepth {
		return 0, fmt.Errorf("parameters refer to each other more than %d levels deep", maxDepth)
	}
	if len(text) > maxText {
		return 0, fmt.Errorf("the formula is longer than %d characters", maxText)
	}
	p := &parser{lexer: lexer{text: text, syntax: s.syntax}, scope: s, depth: depth}
	v, err := p.parse()
	if err != nil {
		return 0, err
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("the result of %q is not a number", shortened(text))
	}
	return v, nil
}

// lookup evaluates a parameter of the scope or of an enclosing one.
func (s *Scope) lookup(name string, depth int) (float64, error) {
	for at := s; at != nil; at = at.around {
		if p := at.known[at.fold(name)]; p != nil {
			return at.resolve(p, depth)
		}
	}
	return 0, fmt.Errorf("the parameter %q is not defined", name)
}

func (s *Scope) resolve(p *parameter, depth int) (float64, error) {
	switch {
	case p.err != nil:
		return 0, p.err
	case p.formula == "":
		return p.value, nil
	case p.open:
		return 0, fmt.Errorf("the parameter %q depends on itself", p.name)
	}
	p.open = true
	p.value, p.err = s.eval(p.formula, depth+1)
	p.open, p.formula = false, ""
	if p.err != nil {
		if !strings.HasPrefix(p.err.Error(), "the parameter ") {
			p.err = fmt.Errorf("the parameter %q: %w", p.name, p.err)
		}
		return 0, p.err
	}
	return p.value, nil
}

func shortened(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
