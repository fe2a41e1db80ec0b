package ecospold2

import (
	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// method passes on an impact method.
func (a *adapter) method(m *method) {
	key := inventory.First(m.id, m.name)
	a.addMethod(inventory.Method{Key: key, Name: m.name, Version: m.version, Where: a.where(m.line, m.name)})
	for _, i := range m.indicators {
		at := a.where(i.line, m.name, i.category, i.name)
		a.methods[inventory.Key(key, inventory.First(i.categoryID, i.category), i.name)] = true // results need not report it
		out := inventory.Indicator{
			Key: a.indicatorKey(i.id, key, inventory.First(i.categoryID, i.category), i.name), Method: key,
			Category: i.category, Name: i.name, Unit: i.unit, Where: at,
		}
		for _, f := range i.factors {
			a.factor(f, &out)
		}
		a.to.Indicator(out)
	}
}

func (a *adapter) factor(f factor, to *inventory.Indicator) {
	x := &exchange{elementary: true, flow: f.flow, name: f.name, unit: f.unit, compartment: f.compartment}
	at := a.where(f.line, to.Where.Record, f.name)
	if f.noAmount || f.flow == "" && f.name == "" {
		a.to.Skip(ingest.Factors, at, "the factor has no amount or no flow", "")
		return
	}
	a.flow(x, inventory.Flow{Kind: inventory.Elementary, Compartment: f.compartment, Where: at})
	to.Factors = append(to.Factors, inventory.Factor{Flow: x.flowKey(), Amount: f.amount, Unit: f.unit, Where: at})
}

// result passes on an impact stated by the provider.
func (a *adapter) result(d *dataset, r *result, p *inventory.Process) {
	at := a.where(r.line, d.name, r.method, r.category, r.indicator)
	if r.noAmount || r.indicator == "" {
		a.to.Skip(ingest.Impacts, at, "the result has no amount or no name", "")
		return
	}
	method := inventory.First(r.methodID, r.method)
	a.addMethod(inventory.Method{Key: method, Name: r.method, Where: at})
	what := inventory.Key(method, inventory.First(r.categoryID, r.category), r.indicator)
	key := a.indicatorKey(r.indicatorID, method, inventory.First(r.categoryID, r.category), r.indicator)
	if !a.methods[what] {
		a.methods[what] = true
		a.to.Indicator(inventory.Indicator{Key: key, Method: method, Category: r.category, Name: r.indicator, Unit: r.unit, Where: at})
	}
	p.Results = append(p.Results, inventory.Result{Indicator: key, Amount: r.amount, Where: at})
}

func (a *adapter) addMethod(m inventory.Method) {
	if !a.methods[m.Key] {
		a.methods[m.Key] = true
		a.to.Method(m)
	}
}

// indicatorKey is the indicator's id, unless it is used for another.
func (a *adapter) indicatorKey(id, method, category, name string) string {
	what := inventory.Key(method, category, name)
	if id == "" {
		return what
	}
	if first, taken := a.indicators[id]; taken && first != what {
		return what
	}
	a.indicators[id] = what
	return id
}
