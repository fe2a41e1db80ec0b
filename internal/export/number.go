package export

import (
	"math"
	"strconv"

	"cradle/internal/lci"
)

// rounded keeps eleven digits, two fewer than importers do: so a number that was
// calculated here is calculated the same again from what was read of it.
func rounded(n float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'e', 10, 64), 64)
	if err != nil {
		return n
	}
	return short
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

func optional(n *float64) string {
	if n == nil {
		return ""
	}
	return number(*n)
}

// geometric returns the geometric mean and standard deviation of a lognormal
// exchange, and whether it has them.
func geometric(x *lci.Exchange) (mean, sd float64, ok bool) {
	if x.Distribution != lci.Lognormal || x.Mean == nil || x.StandardDeviation == nil || *x.Mean == 0 {
		return 0, 0, false
	}
	ratio := *x.StandardDeviation / *x.Mean
	variance := math.Log1p(ratio * ratio)
	return rounded(*x.Mean / math.Exp(variance/2)), rounded(math.Exp(math.Sqrt(variance))), true
}

// mode is where a triangle has its peak.
func mode(x *lci.Exchange) *float64 {
	if x.Mean == nil || x.Minimum == nil || x.Maximum == nil {
		return &x.Value
	}
	peak := rounded(3**x.Mean - *x.Minimum - *x.Maximum)
	return &peak
}
