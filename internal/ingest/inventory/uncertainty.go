package inventory

import (
	"math"
	"strconv"

	"cradle/internal/lci"
)

// Uncertainty is the distribution of an amount. The zero value is a certain
// amount.
type Uncertainty struct {
	Distribution lci.Distribution
	mean, sd     float64
	min, max     float64
}

// Normal is a normal distribution.
func Normal(mean, sd float64) Uncertainty {
	return sound(Uncertainty{Distribution: lci.Normal, mean: mean, sd: math.Abs(sd)})
}

// Lognormal is a lognormal distribution with a geometric mean and a geometric
// standard deviation of at least 1. EcoSpold 2 and Brightway have the deviation
// of the logarithm instead: pass math.Exp of it. EcoSpold 1 and SimaPro have the
// deviation's square: pass math.Sqrt of it.
func Lognormal(mean, gsd float64) Uncertainty {
	sigma := math.Log(gsd)
	m := mean * math.Exp(sigma*sigma/2)
	return sound(Uncertainty{Distribution: lci.Lognormal, mean: m, sd: math.Abs(m) * math.Sqrt(math.Expm1(sigma*sigma))})
}

// Triangular is between two bounds, most likely at the mode.
func Triangular(low, mode, high float64) Uncertainty {
	low, high = min(low, high), max(low, high)
	variance := (low*low + mode*mode + high*high - low*mode - low*high - mode*high) / 18
	return sound(Uncertainty{Distribution: lci.Triangular, mean: (low + mode + high) / 3, sd: math.Sqrt(max(variance, 0)), min: low, max: high})
}

// Uniform is equally likely anywhere between two bounds.
func Uniform(low, high float64) Uncertainty {
	low, high = min(low, high), max(low, high)
	return sound(Uncertainty{Distribution: lci.Uniform, mean: (low + high) / 2, sd: (high - low) / math.Sqrt(12), min: low, max: high})
}

// sound returns u, or only its distribution if its numbers are invalid, which
// the Builder notes.
func sound(u Uncertainty) Uncertainty {
	for _, v := range []float64{u.mean, u.sd, u.min, u.max} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Uncertainty{Distribution: u.Distribution, sd: math.NaN()}
		}
	}
	return u
}

// unusable reports whether the numbers of a distribution are invalid.
func (u Uncertainty) unusable() bool { return u.Distribution != lci.Certain && math.IsNaN(u.sd) }

// apply sets the uncertainty of an exchange whose amount was multiplied by k.
func (u Uncertainty) apply(x *lci.Exchange, k float64) {
	if u.Distribution == lci.Certain || u.unusable() {
		return
	}
	x.Distribution = u.Distribution
	x.Mean, x.StandardDeviation = pointer(rounded(u.mean*k)), pointer(rounded(u.sd*math.Abs(k)))
	if u.Distribution == lci.Triangular || u.Distribution == lci.Uniform {
		x.Minimum, x.Maximum = pointer(min(u.min*k, u.max*k)), pointer(max(u.min*k, u.max*k))
	}
}

// rounded keeps thirteen digits: later ones depend on the way a number was
// computed and must not make a row count as changed.
func rounded(n float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'e', 12, 64), 64)
	if err != nil {
		return n
	}
	return short
}

func pointer(v float64) *float64 { return &v }
