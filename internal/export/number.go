package export

import (
	"math"
	"strconv"

	"cradle/internal/lci"
)

// Rounded keeps eleven digits, two fewer than importers do, so that a calculated
// number is the same when it is calculated again from an export.
func Rounded(n float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'e', 10, 64), 64)
	if err != nil {
		return n
	}
	return short
}

// Number returns the shortest text that parses to n.
func Number(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

// Optional is like Number, but returns "" for nil.
func Optional(n *float64) string {
	if n == nil {
		return ""
	}
	return Number(*n)
}

// Geometric returns the geometric mean and standard deviation of a lognormal
// exchange, and whether it has them.
func Geometric(x *lci.Exchange) (mean, sd float64, ok bool) {
	if x.Distribution != lci.Lognormal || x.Mean == nil || x.StandardDeviation == nil || *x.Mean == 0 {
		return 0, 0, false
	}
	ratio := *x.StandardDeviation / *x.Mean
	variance := math.Log1p(ratio * ratio)
	return Rounded(*x.Mean / math.Exp(variance/2)), Rounded(math.Exp(math.Sqrt(variance))), true
}

// Mode is the mode of a triangular distribution.
func Mode(x *lci.Exchange) *float64 {
	if x.Mean == nil || x.Minimum == nil || x.Maximum == nil {
		return &x.Value
	}
	peak := Rounded(3**x.Mean - *x.Minimum - *x.Maximum)
	return &peak
}
