package inventory

import (
	"fmt"

	"cradle/internal/formula"
)

// Formulas sets the syntax of the library's formulas. The default is openLCA's.
func (b *Builder) Formulas(syntax formula.Syntax) { b.syntax = syntax }

// Parameter adds a parameter of the whole library.
func (b *Builder) Parameter(p Parameter) { b.parameters = append(b.parameters, p) }

// evaluate computes the amounts that are only given by formulas.
func (b *Builder) evaluate() {
	library := b.libraryScope()
	b.keepProcesses(func(p *process) bool {
		at, flaw := b.evaluateProcess(p, library)
		p.Parameters = nil
		if flaw != "" {
			b.unread(at, "%s", flaw)
		}
		return flaw == ""
	})
	b.keepIndicators(func(i *indicator) bool {
		for n := range i.factors {
			if flaw := b.evaluateFactor(&i.factors[n], library); flaw != "" {
				b.unread(b.whereFactor(i, n), "%s", flaw)
				return false
			}
		}
		return true
	})
}

// libraryScope holds the project's parameters within the library's.
func (b *Builder) libraryScope() *formula.Scope {
	whole := formula.NewScope(nil, b.syntax)
	project := formula.NewScope(whole, b.syntax)
	for _, p := range b.parameters {
		if p.Project {
			p.defineIn(project)
		} else {
			p.defineIn(whole)
		}
	}
	return project
}

func (p Parameter) defineIn(s *formula.Scope) {
	if p.Formula != "" {
		s.Define(p.Name, p.Formula)
		return
	}
	s.Set(p.Name, p.Value)
}

// evaluateProcess returns where and why an amount of a process cannot be
// evaluated.
func (b *Builder) evaluateProcess(p *process, library *formula.Scope) (Where, string) {
	var scope *formula.Scope
	for i := p.first; i < p.last; i++ {
		e := &b.exchanges[i]
		if e.extra == 0 || !b.extras[e.extra-1].noAmount {
			continue
		}
		if scope == nil {
			scope = b.processScope(p, library)
		}
		text := b.extras[e.extra-1].formula
		if text == "" {
			return b.whereExchange(p, i), fmt.Sprintf("the exchange of %q has neither an amount nor a formula", b.flows[e.flow].Name)
		}
		amount, err := scope.Eval(text)
		if err != nil {
			return b.whereExchange(p, i), fmt.Sprintf("the amount of %q cannot be evaluated: %v", b.flows[e.flow].Name, err)
		}
		e.amount = amount
	}
	return Where{}, ""
}

// processScope holds a process's parameters and named amounts.
func (b *Builder) processScope(p *process, library *formula.Scope) *formula.Scope {
	scope := formula.NewScope(library, b.syntax)
	for _, e := range b.exchanges[p.first:p.last] {
		if e.extra == 0 || b.extras[e.extra-1].variable == "" {
			continue
		}
		x := b.extras[e.extra-1]
		Parameter{Name: x.variable, Value: e.amount, Formula: x.formula}.defineIn(scope)
	}
	for _, parameter := range p.Parameters {
		parameter.defineIn(scope)
	}
	return scope
}

// evaluateFactor returns why a factor cannot be evaluated.
func (b *Builder) evaluateFactor(f *factor, library *formula.Scope) string {
	if f.formula == "" {
		return ""
	}
	amount, err := library.Eval(f.formula)
	if err != nil {
		return fmt.Sprintf("the factor of %q cannot be evaluated: %v", b.flows[f.flow].Name, err)
	}
	f.amount = amount
	return ""
}
