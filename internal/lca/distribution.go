package lca

import (
	"errors"
	"math"
	"math/rand/v2"
)

// Distribution is the distribution of an uncertain amount.
type Distribution interface {
	// Check returns an error if the parameters are invalid.
	Check() error
	draw(*rand.Rand) float64
}

// Normal is symmetric and unbounded.
type Normal struct{ Mean, SD float64 }

// Lognormal is a number whose logarithm is normal; with Negative, minus that.
type Lognormal struct {
	Mu, Sigma float64 // mean and standard deviation of the logarithm
	Negative  bool
}

// Triangular has a most likely value between two bounds.
type Triangular struct{ Min, Mode, Max float64 }

// Uniform is equally likely everywhere between two bounds.
type Uniform struct{ Min, Max float64 }

// Check requires finite numbers and a standard deviation that is not negative.
func (d Normal) Check() error { return wantFinite(d.SD >= 0, d.Mean, d.SD) }

// Check requires finite numbers and a standard deviation that is not negative.
func (d Lognormal) Check() error { return wantFinite(d.Sigma >= 0, d.Mu, d.Sigma) }

// Check requires finite numbers in ascending order.
func (d Triangular) Check() error {
	return wantFinite(d.Min <= d.Mode && d.Mode <= d.Max, d.Min, d.Mode, d.Max)
}

// Check requires finite numbers in ascending order.
func (d Uniform) Check() error { return wantFinite(d.Min <= d.Max, d.Min, d.Max) }

func wantFinite(valid bool, numbers ...float64) error {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return errors.New("a parameter is not a finite number")
		}
	}
	if !valid {
		return errors.New("the standard deviation is negative, or the bounds are not in order")
	}
	return nil
}

func (d Normal) draw(r *rand.Rand) float64 { return d.Mean + d.SD*r.NormFloat64() }

func (d Lognormal) draw(r *rand.Rand) float64 {
	x := math.Exp(d.Mu + d.Sigma*r.NormFloat64())
	if d.Negative {
		return -x
	}
	return x
}

func (d Triangular) draw(r *rand.Rand) float64 {
	u, width := r.Float64(), d.Max-d.Min
	if left := d.Mode - d.Min; u*width < left {
		return d.Min + math.Sqrt(u*width*left)
	}
	return d.Max - math.Sqrt((1-u)*width*(d.Max-d.Mode))
}

func (d Uniform) draw(r *rand.Rand) float64 { return d.Min + r.Float64()*(d.Max-d.Min) }
