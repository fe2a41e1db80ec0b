package simapro

import (
	"fmt"
	"math"
	"strings"

	"cradle/internal/formula"
	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// A dataset is a process being adapted.
type dataset struct {
	*adapter
	process Process
	scope   *formula.Scope
	out     *inventory.Process
	amount  float64 // of the first product
}

// value is a number, or the value of its formula.
func (d *dataset) value(n Number) (float64, error) {
	if n.Formula != "" {
		return d.scope.Eval(n.Formula)
	}
	return n.Value, nil
}

func (d *dataset) products() {
	several := len(d.process.Products) > 1
	for i, p := range d.process.Products {
		at := d.adapter.at(p.Line, d.process.name())
		amount, err := d.value(p.Amount)
		switch {
		case p.Name == "" || p.Amount.Missing:
			d.flaw(at, "the product has no name or no amount")
			continue
		case err != nil:
			d.unsolved(at, p.Name, p.Amount, err)
			continue
		}
		if i == 0 {
			d.amount = amount
		}
		d.declareProduct(p, at)
		x := inventory.Exchange{Flow: productKey(p.Name), Amount: amount, Unit: p.Unit, Input: p.waste(), Role: inventory.CoProduct, Where: at}
		if i == 0 {
			x.Role = inventory.Reference
		}
		if several && !p.Allocation.Missing {
			share, err := d.value(p.Allocation)
			if err != nil {
				d.to.Note(ingest.Formula, at, fmt.Sprintf("the allocation %q of %q cannot be evaluated: %v", p.Allocation.Formula, p.Name, err), "")
			} else {
				share /= 100
				x.Share = &share
			}
		}
		if p.Comment != "" {
			d.to.Drop("comments of exchanges", at)
		}
		if !anyWaste(p.WasteType) {
			d.to.Drop("waste types of products", at)
		}
		d.out.Exchanges = append(d.out.Exchanges, x)
	}
}

func (d *dataset) unsolved(at inventory.Where, name string, n Number, err error) {
	d.flaw(at, fmt.Sprintf("the amount %q of %q cannot be evaluated: %v; add the parameter, or export with expressions converted to constants", n.Formula, name, err))
}

// flaw adds an exchange that cannot be read.
func (d *dataset) flaw(at inventory.Where, why string) {
	d.out.Exchanges = append(d.out.Exchanges, inventory.Exchange{Flaw: why, Where: at})
}

func productKey(name string) string { return inventory.Key("simapro", "product", name) }

func (d *dataset) declareProduct(p Product, at inventory.Where) {
	kind := inventory.Product
	switch strings.ToLower(d.process.CategoryType) {
	case "material":
		kind = inventory.Good
	case "transport", "processing", "use":
		kind = inventory.Service
	}
	if p.waste() {
		kind = inventory.Waste
	}
	d.declare(inventory.Flow{Key: productKey(p.Name), Name: p.Name, Kind: kind, Classification: class(d.process.CategoryType, p.Category), Unit: p.Unit, Where: at})
}

func (a *adapter) declare(f inventory.Flow) {
	if !a.declared[f.Key] {
		a.declared[f.Key] = true
		a.to.Flow(f)
	}
}

// passive are the sections that name what a SimaPro scenario applies to. They
// have no amounts of their own.
var passive = map[string]bool{"Reference assembly": true, "Waste/Disposal scenario": true, "Disposal scenarios": true, "Waste scenarios": true}

func (d *dataset) exchange(x Exchange) {
	at := d.adapter.at(x.Line, d.process.name())
	amount, err := d.value(x.Amount)
	switch {
	case passive[x.Section]:
		d.to.Skip(ingest.Exchanges, at, fmt.Sprintf("%q under %q says what a scenario applies to, which only SimaPro can calculate", x.Name, x.Section), "")
		return
	case x.Name == "" || x.Amount.Missing:
		d.flaw(at, fmt.Sprintf("the line under %q has no name or no amount", x.Section))
		return
	case err != nil:
		d.unsolved(at, x.Name, x.Amount, err)
		return
	}
	out := inventory.Exchange{Amount: amount, Unit: x.Unit, Uncertainty: d.uncertainty(x, amount, at), Where: at}
	if compartment, ok := natural[x.Section]; ok {
		out.Flow, out.Input = d.elementary(compartment, x.Subcompartment, x.Name, "", at), x.Section == "Resources"
	} else {
		d.technical(x, &out)
	}
	if x.Comment != "" {
		d.to.Drop("comments of exchanges", at)
	}
	d.out.Exchanges = append(d.out.Exchanges, out)
}

// technical links an exchange with another process. What that process treats is
// an output, what it makes is an input, whatever the section.
func (d *dataset) technical(x Exchange, out *inventory.Exchange) {
	waste := x.Section == "Waste to treatment"
	makers := d.producers[x.Name]
	if len(makers) > 0 {
		waste = makers[0].waste
	}
	if len(makers) == 1 {
		out.Provider = makers[0].key
	}
	kind := inventory.Product
	if waste {
		kind = inventory.Waste
	}
	out.Flow, out.Input = productKey(x.Name), !waste
	if x.Section == "Avoided products" {
		out.Role = inventory.Avoided
	}
	if len(makers) > 0 {
		return // declared by the process that makes it
	}
	d.declare(inventory.Flow{Key: out.Flow, Name: x.Name, Kind: kind, Where: out.Where})
	if !d.unlinked[x.Name] {
		d.unlinked[x.Name] = true
		d.to.Note(ingest.Unlinked, out.Where, fmt.Sprintf("no process of the export makes %q", x.Name), "export it with its processes, or also import the library that contains it")
	}
}

// uncertainty reads SimaPro's parameters: for a lognormal distribution the
// square of the geometric deviation, for a normal one twice the deviation.
func (d *dataset) uncertainty(x Exchange, amount float64, at inventory.Where) inventory.Uncertainty {
	u := x.Uncertainty
	var values [3]float64
	for i, n := range []Number{u.Spread, u.Minimum, u.Maximum} {
		v, err := d.value(n)
		if err != nil {
			d.to.Drop("uncertainties that cannot be evaluated", at)
			return inventory.Uncertainty{}
		}
		values[i] = v
	}
	switch strings.ToLower(u.Kind) {
	case "", "undefined":
		return inventory.Uncertainty{}
	case "lognormal":
		return inventory.Lognormal(amount, math.Sqrt(values[0]))
	case "normal":
		return inventory.Normal(amount, values[0]/2)
	case "triangle":
		return inventory.Triangular(values[1], amount, values[2])
	case "uniform":
		return inventory.Uniform(values[1], values[2])
	}
	d.to.Drop(fmt.Sprintf("uncertainties of the kind %q", u.Kind), at)
	return inventory.Uncertainty{}
}

// fractions sends the waste of a scenario to its treatments: separated waste by
// its share of the total, remaining waste by its share of the rest.
func (d *dataset) fractions() {
	left := 100.0
	for _, remaining := range []bool{false, true} {
		part := left
		for _, f := range d.process.Fractions {
			if f.Remaining == remaining {
				left -= d.fraction(f, part)
			}
		}
	}
}

// fraction returns the percentage of all waste that it takes.
func (d *dataset) fraction(f Fraction, of float64) float64 {
	at := d.adapter.at(f.Line, d.process.name())
	percent, err := d.value(f.Percent)
	switch {
	case err != nil:
		d.unsolved(at, f.Treatment, f.Percent, err)
		return 0
	case f.Percent.Missing || f.Treatment == "" || len(d.process.Products) == 0:
		d.flaw(at, "the fraction has no treatment, no share or no waste")
		return 0
	case !anyWaste(f.WasteType):
		d.to.Skip(ingest.Exchanges, at, fmt.Sprintf("the amount of %q in the waste is not known, so the share that goes to %q is not known either", f.WasteType, f.Treatment), "")
		return 0
	}
	share := percent * of / 100
	x := Exchange{Line: f.Line, Section: "Waste to treatment", Name: f.Treatment}
	out := inventory.Exchange{Amount: share * d.amount / 100, Unit: d.process.Products[0].Unit, Where: at}
	d.technical(x, &out)
	d.out.Exchanges = append(d.out.Exchanges, out)
	return share
}

func anyWaste(kind string) bool {
	switch strings.ToLower(kind) {
	case "", "all waste types", "not defined", "unspecified":
		return true
	}
	return false
}
