package ecospold1

import (
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// indicator passes on an impact category. Datasets of one category are of one
// method: category, subCategory and name are method, category and indicator.
func (a *adapter) indicator(d *dataset) {
	at := a.where(d, d.line, "")
	ref := d.reference
	method := inventory.First(ref.category, ref.name)
	a.method(inventory.Method{Name: method, Version: d.info.version, Changed: inventory.First(d.info.timestamp, d.timestamp), Where: at})
	i := inventory.Indicator{
		Key: indicatorKey(method, ref.subCategory, ref.name), Method: methodKey(method), Category: inventory.First(ref.subCategory, ref.name),
		Name: ref.name, Unit: ref.unit, Where: at,
	}
	for n := range d.exchanges {
		x := &d.exchanges[n]
		fat := a.where(d, x.line, "factor "+x.number)
		if x.name == "" || x.noMean {
			a.to.Skip(ingest.Factors, fat, "the factor has no name or no meanValue", "")
			continue
		}
		i.Factors = append(i.Factors, inventory.Factor{
			Flow: a.elementary(x.asFactor(), fat), Amount: x.mean, Unit: x.unit, Where: fat,
		})
	}
	a.to.Indicator(i)
}

// asFactor sets the side of the exchange by its category, because factors need
// not have a group.
func (x *exchange) asFactor() *exchange {
	y := *x
	if y.group.code == "" {
		y.group = group{input: isResource(strings.ToLower(y.category)), code: "4"}
	}
	return &y
}

// isResult reports whether an exchange of a dataset with impact results is one.
func isResult(x *exchange) bool {
	top := strings.ToLower(x.category)
	return x.group == outNature && !isResource(top) && top != "air" && top != "water" && top != "soil" && !x.noMean
}

// result passes on an impact stated by the provider.
func (a *adapter) result(d *dataset, x *exchange, p *inventory.Process) {
	at := a.where(d, x.line, "result "+x.number)
	method := inventory.First(x.category, "EcoSpold impact results")
	a.method(inventory.Method{Name: method, Where: at})
	key := indicatorKey(method, x.subCategory, x.name)
	if !a.results[key] {
		a.results[key] = true
		a.to.Indicator(inventory.Indicator{
			Key: key, Method: methodKey(method), Category: inventory.First(x.subCategory, x.name), Name: x.name, Unit: x.unit, Where: at,
		})
	}
	p.Results = append(p.Results, inventory.Result{Indicator: key, Amount: x.mean, Where: at})
}

func (a *adapter) method(m inventory.Method) {
	if !a.methods[m.Name] {
		a.methods[m.Name] = true
		m.Key = methodKey(m.Name)
		a.to.Method(m)
	}
}

func methodKey(name string) string { return inventory.Key("ecospold1", name) }

func indicatorKey(method, category, name string) string {
	return inventory.Key("ecospold1", method, category, name)
}
