package bundle

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"

	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/lci"
)

// nomenclature is a catalogue in which every flow has its effective factors
// under its own id. A bundle is read as one nomenclature, in which factors
// matched by name would not be found again.
type nomenclature struct {
	export.Source
	network *calculation.Network
	renamed map[lci.ID]bool // flows with more than one set of factors
}

func oneNomenclature(from export.Source, as *calculation.Network) export.Source {
	if as == nil {
		return from
	}
	n := nomenclature{from, as, map[lci.ID]bool{}}
	for _, f := range as.Flows {
		if f.ID != f.Flow {
			n.renamed[f.Flow] = true
		}
	}
	return n
}

// Factors adds those that were not matched by the flow's id.
func (n nomenclature) Factors(ctx context.Context) iter.Seq2[lci.Factor, error] {
	return func(yield func(lci.Factor, error) bool) {
		var all []lci.Factor
		type key struct{ indicator, flow lci.ID }
		own := map[key]bool{}
		for f, err := range n.Source.Factors(ctx) {
			if err != nil {
				yield(f, err)
				return
			}
			all, own[key{f.IndicatorID, f.FlowID}] = append(all, f), true
		}
		for _, f := range n.network.Flows {
			for _, w := range f.Factors {
				if of := n.network.Indicators[w.Indicator].ID; !own[key{of, f.ID}] {
					all = append(all, lci.Factor{IndicatorID: of, FlowID: f.ID, Value: w.Value, Unit: f.Unit})
				}
			}
		}
		slices.SortFunc(all, func(a, b lci.Factor) int {
			return cmp.Or(a.IndicatorID.Compare(b.IndicatorID), a.FlowID.Compare(b.FlowID))
		})
		for _, f := range all {
			if !yield(f, nil) {
				return
			}
		}
	}
}

// Flows adds those that another library has with other factors.
func (n nomenclature) Flows(ctx context.Context) iter.Seq2[lci.Flow, error] {
	if len(n.renamed) == 0 {
		return n.Source.Flows(ctx)
	}
	return func(yield func(lci.Flow, error) bool) {
		known := map[lci.ID]lci.Flow{}
		for f, err := range n.Source.Flows(ctx) {
			if err != nil {
				yield(f, err)
				return
			}
			known[f.ID] = f
		}
		for _, of := range n.network.Flows {
			if f, described := known[of.Flow]; described && of.ID != of.Flow {
				f.ID = of.ID
				known[f.ID] = f
			}
		}
		for _, id := range slices.SortedFunc(maps.Keys(known), lci.ID.Compare) {
			if !yield(known[id], nil) {
				return
			}
		}
	}
}

// Exchanges gives elementary flows the ids of their effective factors.
func (n nomenclature) Exchanges(ctx context.Context) iter.Seq2[lci.Exchange, error] {
	if len(n.renamed) == 0 {
		return n.Source.Exchanges(ctx)
	}
	return func(yield func(lci.Exchange, error) bool) {
		for x, err := range n.Source.Exchanges(ctx) {
			if err == nil && n.renamed[x.FlowID] {
				x.FlowID = n.flowOf(x)
			}
			if !yield(x, err) || err != nil {
				return
			}
		}
	}
}

func (n nomenclature) flowOf(x lci.Exchange) lci.ID {
	a, _ := n.network.Activity(x.ProcessID)
	for _, e := range a.Entries {
		if e.Exchange == x.ID && e.Role == calculation.Nature {
			return e.Flow
		}
	}
	return x.FlowID
}
