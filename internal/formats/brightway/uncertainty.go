package brightway

import (
	"fmt"
	"math"
	"strings"

	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
)

// uncertainty reads the parameters of stats_arrays' distributions.
func (d *dataset) uncertainty(x Exchange, amount float64, at inventory.Where) inventory.Uncertainty {
	number := func(name string, otherwise float64) float64 {
		text := x.Fields[name]
		if v, ok := sheet.Number(text); ok {
			return v
		}
		if expression, isFormula := strings.CutPrefix(text, "="); isFormula {
			if v, err := d.scope.Eval(expression); err == nil {
				return v
			}
		}
		return otherwise
	}
	kind := lower(x.Fields["uncertainty type"])
	switch strings.TrimSuffix(kind, ".0") {
	case "", "0", "1", "undefined", "no uncertainty", "none":
		return inventory.Uncertainty{}
	case "2", "lognormal":
		median := amount
		if loc, ok := sheet.Number(x.Fields["loc"]); ok {
			median = math.Exp(loc)
			if negative(x.Fields["negative"]) || amount < 0 {
				median = -median
			}
		}
		return inventory.Lognormal(median, math.Exp(number("scale", math.NaN())))
	case "3", "normal":
		return inventory.Normal(number("loc", amount), number("scale", math.NaN()))
	case "4", "uniform":
		return inventory.Uniform(number("minimum", math.NaN()), number("maximum", math.NaN()))
	case "5", "triangular", "triangle":
		return inventory.Triangular(number("minimum", math.NaN()), number("loc", amount), number("maximum", math.NaN()))
	}
	d.to.Drop(fmt.Sprintf("uncertainties of the type %q", kind), at)
	return inventory.Uncertainty{}
}

func negative(text string) bool {
	switch strings.ToLower(text) {
	case "true", "1", "yes":
		return true
	}
	return false
}
