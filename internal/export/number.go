package export

import (
	"math"
	"strconv"

	"cradle/internal/lci"
)

// rounded keeps twelve digits, so that a number survives being divided by what
// it was multiplied with.
func rounded(n float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'e', 11, 64), 64)
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
	return *x.Mean / math.Exp(variance/2), math.Exp(math.Sqrt(variance)), true
}

// mode is where a triangle has its peak.
func mode(x *lci.Exchange) *float64 {
	if x.Mean == nil || x.Minimum == nil || x.Maximum == nil {
		return &x.Value
	}
	peak := 3**x.Mean - *x.Minimum - *x.Maximum
	return &peak
}
