package ecospold2

import (
	"math"

	"cradle/internal/ingest/inventory"
)

// of returns the uncertainty of an amount. The variance is that of the logarithm
// for a lognormal distribution; the one with the pedigree's uncertainty is used
// if there is one.
func (s *spread) of(amount float64) inventory.Uncertainty {
	if s.lost() != "" {
		return inventory.Uncertainty{}
	}
	switch s.kind {
	case "lognormal":
		return inventory.Lognormal(amount, math.Exp(math.Sqrt(*s.deviation())))
	case "normal":
		return inventory.Normal(amount, math.Sqrt(*s.deviation()))
	case "triangular":
		return inventory.Triangular(*s.min, *s.most, *s.max)
	case "uniform":
		return inventory.Uniform(*s.min, *s.max)
	}
	return inventory.Uncertainty{}
}

func (s *spread) deviation() *float64 {
	if s.pedigree != nil {
		return s.pedigree
	}
	return s.variance
}

// lost is the part of the uncertainty that cannot be kept, "" if there is none.
func (s *spread) lost() string {
	switch s.kind {
	case "":
		return ""
	case "lognormal", "normal":
		if v := s.deviation(); v == nil || *v <= 0 {
			return s.kind + " uncertainties without a valid variance"
		}
	case "triangular":
		if s.min == nil || s.most == nil || s.max == nil {
			return "triangular uncertainties without numeric bounds"
		}
	case "uniform":
		if s.min == nil || s.max == nil {
			return "uniform uncertainties without numeric bounds"
		}
	default:
		return s.kind + " uncertainties"
	}
	return ""
}
