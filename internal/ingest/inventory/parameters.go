package inventory

import (
	"fmt"

	"cradle/internal/formula"
	"cradle/internal/ingest"
)

// Formulas says in which syntax the library's formulas stand; openLCA's is
// taken where nothing is said.
func (b *Builder) Formulas(syntax formula.Syntax) { b.syntax = syntax }

// Parameter takes a parameter of the whole library.
func (b *Builder) Parameter(p Parameter) { b.parameters = append(b.parameters, p) }

// evaluate finds the amounts that are given by formulas only.
func (b *Builder) evaluate() {
	library := b.libraryScope()
	for _, p := range b.processes {
		b.evaluateProcess(p, library)
		p.Parameters = nil
	}
	for _, i := range b.indicators {
		for n := range i.factors {
			b.evaluateFactor(i, n, library)
		}
	}
}

// libraryScope holds the parameters of the project within those of the library.
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

func (b *Builder) evaluateProcess(p *process, library *formula.Scope) {
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
			e.skip = true
			b.Note(ingest.Missing, b.whereExchange(p, i), fmt.Sprintf("the exchange of %q has neither an amount nor a formula and is left out", b.flows[e.flow].Name), "give an amount")
			continue
		}
		amount, err := scope.Eval(text)
		if err != nil {
			e.skip = true
			b.Note(ingest.Formula, b.whereExchange(p, i), fmt.Sprintf("the amount of %q cannot be worked out and is left out: %v", b.flows[e.flow].Name, err), "correct the formula or give an amount")
			continue
		}
		e.amount = amount
	}
}

// processScope holds a process's parameters and the amounts that have names.
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

func (b *Builder) evaluateFactor(i *indicator, n int, library *formula.Scope) {
	f := &i.factors[n]
	if f.formula == "" {
		return
	}
	amount, err := library.Eval(f.formula)
	if err != nil {
		f.skip = true
		b.Note(ingest.Formula, i.Where, fmt.Sprintf("the factor of %q under %q cannot be worked out and is left out: %v", b.flows[f.flow].Name, i.Name, err), "correct the formula or give a number")
		return
	}
	f.amount = amount
}
