package simapro

import (
	"fmt"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/lci"
)

func (a *adapter) method(m Method) {
	at := a.at(m.Line, m.Name)
	for _, odd := range m.Odd {
		a.to.Skip("sections", a.at(odd.Line, m.Name), odd.What, "")
	}
	key := inventory.Key("simapro", "method", m.Name, m.Version)
	if _, ok := lci.ParseID(m.PlatformID); ok {
		key = m.PlatformID
	}
	if before, twice := a.seen[key]; twice {
		a.to.Skip(ingest.Methods, at, fmt.Sprintf("the method is already in %s, which is used", before.File), "")
		return
	}
	a.seen[key] = at
	a.to.Method(inventory.Method{Key: key, Name: m.Name, Version: m.Version, Where: at})
	if m.Comment != "" {
		a.to.Drop("comments of methods", at)
	}
	if len(m.Fields) > 0 {
		a.to.Drop("settings of methods", at)
	}
	byName := map[string][]inventory.Factor{}
	for _, c := range m.Categories {
		factors := a.factors(m, c)
		byName[c.Name] = factors
		a.to.Indicator(inventory.Indicator{Key: inventory.Key(key, "impact", c.Name), Method: key, Category: c.Name, Name: c.Name, Unit: c.Unit, Factors: factors, Where: a.at(c.Line, m.Name)})
	}
	for _, c := range m.Damages {
		a.damage(key, m, c, byName)
	}
	for _, s := range m.Sets {
		a.to.SkipAll("normalization and weighting factors", len(s.Normalization)+len(s.Weighting), a.at(s.Line, s.Name), "the catalogue does not store them")
	}
}

func (a *adapter) factors(m Method, c ImpactCategory) []inventory.Factor {
	var list []inventory.Factor
	for _, f := range c.Factors {
		at := a.at(f.Line, c.Name)
		amount, err := a.evaluate(f.Amount)
		if err != nil {
			list = append(list, inventory.Factor{Flaw: fmt.Sprintf("the factor %q of %q cannot be evaluated: %v", f.Amount.Formula, f.Substance, err), Where: at})
			continue
		}
		if f.Amount.Missing || f.Substance == "" {
			a.to.Skip(ingest.Factors, at, fmt.Sprintf("the factor of %q is missing", f.Substance), "")
			continue
		}
		flow := a.elementary(strings.ToLower(f.Compartment), f.Subcompartment, f.Substance, f.CAS, at)
		list = append(list, inventory.Factor{Flow: flow, Amount: amount, Unit: f.Unit, Where: at})
	}
	return list
}

func (a *adapter) evaluate(n Number) (float64, error) {
	if n.Formula != "" {
		return a.project.Eval(n.Formula)
	}
	return n.Value, nil
}

// damage makes an indicator of a damage category: each flow's factors under the
// categories it sums up, times their weights.
func (a *adapter) damage(key string, m Method, c DamageCategory, byName map[string][]inventory.Factor) {
	at := a.at(c.Line, m.Name)
	sums := map[string]*inventory.Factor{}
	var order []string
	for _, w := range c.Factors {
		weight, err := a.evaluate(w.Amount)
		factors, known := byName[w.Category]
		if err != nil || !known {
			a.to.Unreadable(ingest.Indicators, a.at(w.Line, c.Name), "the damage category includes %q, which is missing or has no factor", w.Category)
			return
		}
		for _, f := range factors {
			id := f.Flow + "\x00" + f.Unit
			if sums[id] == nil {
				sums[id] = &inventory.Factor{Flow: f.Flow, Unit: f.Unit, Flaw: f.Flaw, Where: at}
				order = append(order, id)
			}
			sums[id].Amount += weight * f.Amount
		}
	}
	list := make([]inventory.Factor, 0, len(order))
	for _, id := range order {
		list = append(list, *sums[id])
	}
	a.to.Indicator(inventory.Indicator{Key: inventory.Key(key, "damage", c.Name), Method: key, Category: "Damage assessment", Name: c.Name, Unit: c.Unit, Factors: list, Where: at})
}
