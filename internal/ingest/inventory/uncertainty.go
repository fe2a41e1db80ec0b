package inventory

import (
	"math"
	"strconv"

	"cradle/internal/lci"
)

// Uncertainty says how an amount spreads. The zero value is a certain amount.
type Uncertainty struct {
	Distribution lci.Distribution
	mean, sd     float64
	min, max     float64
}

// Normal spreads around an arithmetic mean.
func Normal(mean, sd float64) Uncertainty {
	return sound(Uncertainty{Distribution: lci.Normal, mean: mean, sd: math.Abs(sd)})
}

// Lognormal spreads around a geometric mean by a geometric standard deviation,
// at least 1. EcoSpold 2 and Brightway give the deviation of the logarithm
// instead: pass math.Exp of it. EcoSpold 1 and SimaPro give the deviation's
// square: pass math.Sqrt of it.
func Lognormal(mean, gsd float64) Uncertainty {
	sigma := math.Log(gsd)
	m := mean * math.Exp(sigma*sigma/2)
	return sound(Uncertainty{Distribution: lci.Lognormal, mean: m, sd: math.Abs(m) * math.Sqrt(math.Expm1(sigma*sigma))})
}

// Triangular lies between two bounds, most likely at the mode.
func Triangular(low, mode, high float64) Uncertainty {
	low, high = min(low, high), max(low, high)
	variance := (low*low + mode*mode + high*high - low*mode - low*high - mode*high) / 18
	return sound(Uncertainty{Distribution: lci.Triangular, mean: (low + mode + high) / 3, sd: math.Sqrt(max(variance, 0)), min: low, max: high})
}

// Uniform lies anywhere between two bounds.
func Uniform(low, high float64) Uncertainty {
	low, high = min(low, high), max(low, high)
	return sound(Uncertainty{Distribution: lci.Uniform, mean: (low + high) / 2, sd: (high - low) / math.Sqrt(12), min: low, max: high})
}

// sound is u, or the distribution alone where its numbers are of no use: the
// Builder notes it.
func sound(u Uncertainty) Uncertainty {
	for _, v := range []float64{u.mean, u.sd, u.min, u.max} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Uncertainty{Distribution: u.Distribution, sd: math.NaN()}
		}
	}
	return u
}

// unusable says that a distribution was named whose numbers make no sense.
func (u Uncertainty) unusable() bool { return u.Distribution != lci.Certain && math.IsNaN(u.sd) }

// apply states the uncertainty in an exchange whose amount was multiplied by k.
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

// rounded keeps thirteen digits: what differs beyond them is the way a number was
// come by, and must not make a row a changed one.
func rounded(n float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'e', 12, 64), 64)
	if err != nil {
		return n
	}
	return short
}

func pointer(v float64) *float64 { return &v }
