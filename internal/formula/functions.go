package formula

import (
	"fmt"
	"math"
	"strings"

	"cradle/internal/units"
)

// one are the functions of one number.
var one = map[string]func(float64) float64{
	"abs": math.Abs, "fabs": math.Abs, "sqrt": math.Sqrt, "sqr": func(x float64) float64 { return x * x }, "exp": math.Exp,
	"ln": math.Log, "lg": math.Log10, "log10": math.Log10, "log2": math.Log2, "log1p": math.Log1p, "expm1": math.Expm1,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"arcsin": math.Asin, "arccos": math.Acos, "arctan": math.Atan, "sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
	"cotan": func(x float64) float64 { return 1 / math.Tan(x) }, "cot": func(x float64) float64 { return 1 / math.Tan(x) },
	"ceil": math.Ceil, "ceiling": math.Ceil, "floor": math.Floor, "trunc": math.Trunc, "int": math.Trunc, "float": func(x float64) float64 { return x },
	"frac": func(x float64) float64 { return x - math.Trunc(x) }, "sign": func(x float64) float64 { return float64(cmpZero(x)) },
	"not": func(x float64) float64 { return truth(x == 0).number }, "radians": func(x float64) float64 { return x * math.Pi / 180 },
	"degrees": func(x float64) float64 { return x * 180 / math.Pi },
}

func cmpZero(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// two are the functions of two numbers.
var two = map[string]func(a, b float64) float64{
	"pow": math.Pow, "power": math.Pow, "ipower": math.Pow, "intpower": math.Pow, "ipow": math.Pow, "mod": math.Mod, "fmod": math.Mod,
	"atan2": math.Atan2, "arctan2": math.Atan2, "div": func(a, b float64) float64 { return math.Trunc(a / b) },
	"roundto": func(x, n float64) float64 { return rounded(x, n) },
}

// several are the functions of any number of numbers, at least one.
var several = map[string]func([]float64) float64{
	"min": func(x []float64) float64 { return fold(x, math.Min) }, "max": func(x []float64) float64 { return fold(x, math.Max) },
	"sum": sum, "avg": average, "average": average, "mean": average,
	"and": func(x []float64) float64 { return truth(fold(x, both) != 0).number }, "or": func(x []float64) float64 { return truth(fold(x, either) != 0).number },
	"multiply": func(x []float64) float64 { return fold(x, func(a, b float64) float64 { return a * b }) },
	"product":  func(x []float64) float64 { return fold(x, func(a, b float64) float64 { return a * b }) },
	"stdev":    deviation, "stdevp": deviation,
}

func fold(x []float64, join func(a, b float64) float64) float64 {
	joined := x[0]
	for _, v := range x[1:] {
		joined = join(joined, v)
	}
	return joined
}

func both(a, b float64) float64   { return truth(a != 0 && b != 0).number }
func either(a, b float64) float64 { return truth(a != 0 || b != 0).number }

func sum(x []float64) float64     { return fold(x, func(a, b float64) float64 { return a + b }) }
func average(x []float64) float64 { return sum(x) / float64(len(x)) }

func deviation(x []float64) float64 {
	m, squares := average(x), 0.0
	for _, v := range x {
		squares += (v - m) * (v - m)
	}
	return math.Sqrt(squares / float64(len(x)-1))
}

// rounded rounds to a number of decimals, half away from zero.
func rounded(x, decimals float64) float64 {
	scale := math.Pow(10, math.Trunc(decimals))
	return math.Round(x*scale) / scale
}

func (p *parser) call(name string, list []argument) value {
	low := strings.ToLower(name)
	switch low {
	case "if", "iif", "iff":
		if len(list) == 3 && !list[0].isText && !list[1].isText && !list[2].isText {
			return choose(list[0].value, list[1].value, list[2].value)
		}
		return value{err: fmt.Errorf("%s takes a condition and two values", name)}
	case "unitconversion":
		return p.unitConversion(list)
	case "ref":
		return p.reference(list)
	}
	x := make([]float64, len(list))
	for i, a := range list {
		if a.isText {
			return value{err: fmt.Errorf("%s does not accept text", name)}
		}
		if a.err != nil {
			return a.value
		}
		x[i] = a.number
	}
	return p.function(name, low, x)
}

func (p *parser) function(name, low string, x []float64) value {
	switch {
	case low == "log" && len(x) == 1 && p.syntax.Python:
		return value{number: math.Log(x[0])}
	case low == "log" && len(x) == 1:
		return value{number: math.Log10(x[0])}
	case low == "log" && len(x) == 2:
		return value{number: math.Log(x[0]) / math.Log(x[1])}
	case low == "round" && len(x) == 1 && p.syntax.Python:
		return value{number: math.RoundToEven(x[0])}
	case low == "round" && len(x) == 1:
		return value{number: math.Round(x[0])}
	case low == "round" && len(x) == 2:
		return value{number: rounded(x[0], x[1])}
	case len(x) == 0 && (low == "pi" || low == "e" || low == "true" || low == "false"):
		return p.variable(low)
	case one[low] != nil && len(x) == 1:
		return value{number: one[low](x[0])}
	case two[low] != nil && len(x) == 2:
		return value{number: two[low](x[0], x[1])}
	case several[low] != nil && len(x) > 0:
		return value{number: several[low](x)}
	case one[low] != nil || two[low] != nil || several[low] != nil || low == "log" || low == "round":
		return value{err: fmt.Errorf("%s does not take %d values", name, len(x))}
	case low == "random" || low == "rand":
		return value{err: fmt.Errorf("%s gives a different number each time; use a fixed number", name)}
	}
	return value{err: fmt.Errorf("the function %q is not known", name)}
}

// unitConversion is EcoSpold 2's UnitConversion(x; 'kWh'; 'MJ').
func (p *parser) unitConversion(list []argument) value {
	if len(list) != 3 || list[0].isText || !list[1].isText || !list[2].isText {
		return value{err: fmt.Errorf("the function UnitConversion takes a number and two units in quotes")}
	}
	k, ok := units.Factor(list[1].text, list[2].text)
	switch {
	case list[0].err != nil:
		return list[0].value
	case !ok:
		return value{err: fmt.Errorf("%s cannot be converted to %s", list[1].text, list[2].text)}
	}
	return value{number: list[0].number * k}
}

// reference is EcoSpold 2's Ref('id'; 'variable'), which names an amount of the
// dataset by its id; the reader defines it under that name.
func (p *parser) reference(list []argument) value {
	if len(list) == 0 || !list[0].isText {
		return value{err: fmt.Errorf("the function Ref takes an id in quotes")}
	}
	parts := make([]string, len(list))
	for i, a := range list {
		parts[i] = a.text
	}
	v, err := p.scope.lookup("Ref("+strings.Join(parts, ";")+")", p.depth)
	return value{v, err}
}
