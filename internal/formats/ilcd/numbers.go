package ilcd

import (
	"math"
	"strings"

	"cradle/internal/ingest/inventory"
)

// of returns the uncertainty of an amount. The deviation is the square of the
// geometric one for a lognormal distribution, and twice the standard one for a
// normal one; minimum and maximum are then the bounds of 95 % of the values and
// are used if it is missing.
func (s *spread) of(amount float64) inventory.Uncertainty {
	if s.lost(amount) != "" {
		return inventory.Uncertainty{}
	}
	switch s.distribution() {
	case "log-normal":
		if s.deviation != nil {
			return inventory.Lognormal(amount, math.Sqrt(*s.deviation))
		}
		return inventory.Lognormal(amount, math.Pow(*s.max / *s.min, 0.25))
	case "normal":
		if s.deviation != nil {
			return inventory.Normal(amount, *s.deviation/2)
		}
		return inventory.Normal(amount, (*s.max-*s.min)/4)
	case "triangular":
		return inventory.Triangular(*s.min, amount, *s.max)
	case "uniform":
		return inventory.Uniform(*s.min, *s.max)
	}
	return inventory.Uncertainty{}
}

func (s *spread) distribution() string {
	switch kind := strings.ToLower(s.kind); kind {
	case "", "undefined":
		return ""
	case "lognormal", "log normal":
		return "log-normal"
	default:
		return kind
	}
}

// lost is the part of the uncertainty that cannot be kept, "" if there is none.
func (s *spread) lost(amount float64) string {
	bounded := s.min != nil && s.max != nil && *s.min < *s.max
	switch kind := s.distribution(); kind {
	case "":
		return ""
	case "log-normal":
		if s.deviation != nil && *s.deviation > 0 || bounded && *s.min > 0 {
			return ""
		}
	case "normal":
		if s.deviation != nil && *s.deviation > 0 || bounded {
			return ""
		}
	case "triangular":
		if bounded && *s.min <= amount && amount <= *s.max {
			return ""
		}
	case "uniform":
		if bounded {
			return ""
		}
	default:
		return kind + " uncertainties"
	}
	return s.distribution() + " uncertainties without valid numbers"
}

// sharesOf are the products' shares of an exchange. A flow without a dataset is
// a product if it is a reference.
func (a *adapter) sharesOf(x *exchange, p *process) []inventory.Share {
	var shares []inventory.Share
	for _, s := range x.shares {
		product := p.flows[s.product]
		if n := a.flows[product]; product == "" || !p.isMain[s.product] && (n == nil || n.mentioned) {
			a.to.Drop("allocation shares of exchanges that are not products", a.where(x.line, p.name, x.flow.description))
			continue
		}
		shares = append(shares, inventory.Share{Product: product, Share: s.fraction / p.whole})
	}
	if len(shares) == 1 && len(x.shares) > 1 {
		return nil // the only remaining product gets all of it
	}
	return shares
}
