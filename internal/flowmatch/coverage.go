package flowmatch

import (
	"cmp"
	"slices"

	"cradle/internal/lci"
)

// Coverage is how much of an inventory a method has factors for.
type Coverage struct {
	Method    lci.ID       `json:"methodId"`
	Name      string       `json:"method"`
	Version   string       `json:"version"`
	Flows     Share        `json:"flows"`     // elementary flows of the inventory
	Exchanges Share        `json:"exchanges"` // exchanges of such flows
	Routes    []ByRoute    `json:"routes"`    // in the order in which they are tried
	Missing   []WithoutAny `json:"missing"`   // flows without a factor, most exchanged first
}

// Share is a number of things, and how many of them a method has factors for.
type Share struct {
	All     int `json:"all"`
	Matched int `json:"matched"`
}

// Of is the share as a number, 1 if there is nothing to match.
func (s Share) Of() float64 {
	if s.All == 0 {
		return 1
	}
	return float64(s.Matched) / float64(s.All)
}

// ByRoute counts what one route found.
type ByRoute struct {
	Route     Route `json:"route"`
	Flows     int   `json:"flows"`
	Exchanges int   `json:"exchanges"`
}

// WithoutAny is a flow that a method has no factor for.
type WithoutAny struct {
	Flow        lci.ID `json:"flowId"`
	Name        string `json:"name"`
	Compartment string `json:"compartment"`
	Exchanges   int    `json:"exchanges"`
}

// NewCoverage returns an empty coverage for a method.
func NewCoverage(m lci.Method) *Coverage {
	c := &Coverage{Method: m.ID, Name: m.Name, Version: m.Version, Missing: []WithoutAny{}}
	for _, r := range Routes() {
		c.Routes = append(c.Routes, ByRoute{Route: r})
	}
	return c
}

// Add counts a flow with its number of exchanges and the route by which its
// factors were found, "" if it has none.
func (c *Coverage) Add(f lci.Flow, exchanges int, by Route) {
	c.Flows.All++
	c.Exchanges.All += exchanges
	if by == "" {
		c.Missing = append(c.Missing, WithoutAny{f.ID, f.Name, f.Compartment, exchanges})
		return
	}
	c.Flows.Matched++
	c.Exchanges.Matched += exchanges
	for i := range c.Routes {
		if c.Routes[i].Route == by {
			c.Routes[i].Flows++
			c.Routes[i].Exchanges += exchanges
		}
	}
}

// Finish sorts the flows without a factor.
func (c *Coverage) Finish() {
	slices.SortFunc(c.Missing, func(a, b WithoutAny) int {
		return cmp.Or(b.Exchanges-a.Exchanges, cmp.Compare(a.Name, b.Name), a.Flow.Compare(b.Flow))
	})
}
