package library

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// exported is everything that an export returns.
type exported struct {
	methods         []lci.Method
	materials       []lci.Material
	properties      []lci.Property
	materialImpacts []lci.MaterialImpact
	processes       []lci.Process
	exchanges       []lci.Exchange
	impacts         []lci.Impact
	others          int
}

func export(t *testing.T, l *Library, v account.Viewer) (e exported) {
	t.Helper()
	err := l.Export(t.Context(), v, func(p *Pulled) (err error) {
		e, err = collect(t.Context(), p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func collect(ctx context.Context, p *Pulled) (e exported, err error) {
	e = exported{
		methods:         take(p.Methods(ctx), &err),
		materials:       take(p.Materials(ctx), &err),
		properties:      take(p.Properties(ctx), &err),
		materialImpacts: take(p.MaterialImpacts(ctx), &err),
		processes:       take(p.Processes(ctx), &err),
		exchanges:       take(p.Exchanges(ctx), &err),
		impacts:         take(p.Impacts(ctx), &err),
		others: len(take(p.Indicators(ctx), &err)) + len(take(p.Factors(ctx), &err)) +
			len(take(p.Flows(ctx), &err)) + len(take(p.Allocations(ctx), &err)),
	}
	return e, err
}

func take[T any](rows iter.Seq2[T, error], failed *error) (all []T) {
	for row, err := range rows {
		if err != nil {
			*failed = err
			break
		}
		all = append(all, row)
	}
	return all
}

func TestExportHoldsWhatWasPulled(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel(), ore()}
	store.impacts[id("steel")] = []lci.MaterialImpact{
		{ID: id("i1"), PropertyID: id("density"), MethodID: id("recipe"), Value: 1.5, Indicator: "GWP"},
		{ID: id("i2"), PropertyID: id("modulus"), MethodID: id("other"), Value: 2.5, Indicator: "GWP"},
	}
	smelting := smelting(lci.Disaggregated)
	smelting.Price, smelting.Classification, smelting.Sharing.By = 4, "Metals", "mass"
	smelting.Exchanges[1].ProviderID, smelting.Exchanges[1].Distribution, smelting.Exchanges[1].Minimum = id("mining"), lci.Triangular, pointer(2)
	smelting.Exchanges[0].ProviderID = id("smelting")
	store.processes = []ProcessRecord{smelting}
	store.methods = []lci.Method{{ID: id("recipe"), Name: "A", Version: "1"}, {ID: id("ef"), Name: "B", Version: "3"}, {ID: id("other"), Name: "C"}}
	v := viewer("team")
	store.reveal(&v, PropertyReveal, id("steel"), id("density"))
	store.reveal(&v, ProductReveal, id("smelting"), id("slag product"))
	store.reveal(&v, ImpactReveal, id("smelting"), id("ap"))
	steel := steel()
	got := export(t, New(store, Options{}), v)
	expect(t, "methods", got.methods, []lci.Method{{ID: id("ef"), Name: "B", Version: "3"}, {ID: id("recipe"), Name: "A", Version: "1"}})
	expect(t, "materials", got.materials, []lci.Material{steel.Material})
	expect(t, "properties", got.properties, steel.Properties[:1])
	expect(t, "impacts of properties", got.materialImpacts, []lci.MaterialImpact{store.impacts[id("steel")][0]})
	expect(t, "processes", got.processes, []lci.Process{{ID: id("smelting"), Name: "Smelting", Boundary: lci.Disaggregated, Sources: smelting.Sources, Price: 4}})
	expect(t, "impacts", got.impacts, []lci.Impact{smelting.Impacts[1]})
	emission, input, slag := smelting.Exchanges[0], smelting.Exchanges[1], smelting.Exchanges[3]
	input.MaterialID, input.ProviderID = lci.ID{}, lci.ID{} // nothing of either was pulled
	input.Distribution, input.Minimum = "", nil
	expect(t, "exchanges", got.exchanges, []lci.Exchange{emission, input, slag})
	expect(t, "others", got.others, 0)

	store.restricted[id("smelting")] = true
	got = export(t, New(store, Options{}), v)
	expect(t, "what the team can no longer see", len(got.processes)+len(got.exchanges)+len(got.impacts), 0)
	expect(t, "methods of what it still sees", got.methods, []lci.Method{{ID: id("recipe"), Name: "A", Version: "1"}})
}

// numbersShown are the numbers that the lists show a viewer, by row.
func numbersShown(t *testing.T, l *Library, v account.Viewer) map[lci.ID]string {
	t.Helper()
	numbers := map[lci.ID]string{}
	note := func(id lci.ID, n Number) {
		if n.Value != nil {
			numbers[id] = shown(n)
		}
	}
	page, err := l.List(t.Context(), v, Materials, all)
	if err != nil {
		t.Fatal(err)
	}
	found, err := page.WholeMaterials(t.Context(), page.Refs)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		for _, p := range m.Properties {
			note(p.ID, p.Number)
		}
		for _, i := range m.Impacts {
			note(i.ID, Number{Value: i.Value})
		}
	}
	listed, _ := processes(t, l, v, all)
	for _, p := range listed {
		for _, x := range slices.Concat(p.Inputs, p.Outputs) {
			note(x.ID, x.Number)
		}
		for _, i := range p.Impacts {
			note(i.ID, i.Number)
		}
	}
	return numbers
}

func (e exported) numbers() map[lci.ID]string {
	numbers := map[lci.ID]string{}
	for _, p := range e.properties {
		numbers[p.ID] = shown(Number{&p.Value, p.Mean, p.StandardDeviation})
	}
	for _, i := range e.materialImpacts {
		numbers[i.ID] = shown(Number{Value: &i.Value})
	}
	for _, x := range e.exchanges {
		numbers[x.ID] = shown(Number{&x.Value, x.Mean, x.StandardDeviation})
	}
	for _, i := range e.impacts {
		numbers[i.ID] = shown(Number{Value: &i.Value})
	}
	return numbers
}

// Whatever a wallet has bought, its export has exactly the numbers that the lists
// show, stand-ins included.
func TestExportHasTheNumbersThatListsShow(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 1))
	store := newFakeStore()
	var pulls []Item
	for n := range 12 {
		material, process := lci.NewID(), lci.NewID()
		m := MaterialRecord{Material: lci.Material{ID: material, Name: fmt.Sprint("m", n)}}
		for i := range 3 {
			p := lci.Property{ID: lci.NewID(), MaterialID: material, Position: i, Value: random.Float64(), Mean: pointer(random.Float64())}
			m.Properties = append(m.Properties, p)
			store.impacts[material] = append(store.impacts[material],
				lci.MaterialImpact{ID: lci.NewID(), PropertyID: p.ID, Value: random.Float64()})
			pulls = append(pulls, Item{PropertyReveal, material, p.ID})
		}
		store.materials = append(store.materials, m)
		p := ProcessRecord{Process: lci.Process{ID: process, Name: fmt.Sprint("p", n), Boundary: lci.Disaggregated}}
		for i, kind := range []lci.Exchange{{Direction: lci.Output, Reference: true}, {Direction: lci.Output, Reference: true}, {Direction: lci.Input}, {Direction: lci.Output}} {
			kind.ID, kind.ProcessID, kind.Position, kind.FlowID, kind.Value = lci.NewID(), process, i, lci.NewID(), random.Float64()
			p.Exchanges = append(p.Exchanges, kind)
			pulls = append(pulls, Item{ProductReveal, process, kind.FlowID})
			impact := lci.Impact{ID: lci.NewID(), ProcessID: process, Position: i, Value: random.Float64()}
			p.Impacts = append(p.Impacts, impact)
			pulls = append(pulls, Item{ImpactReveal, process, impact.ID})
		}
		store.processes = append(store.processes, p)
		store.restricted[material], store.restricted[process] = n%4 == 0, n%4 == 1
	}
	for range 20 {
		clear(store.reveals)
		v := viewer("team")
		v.Mode = []account.Mode{account.Live, account.Sandbox}[random.IntN(2)]
		for _, item := range pulls {
			if random.IntN(4) == 0 {
				store.reveal(&v, item.Kind, item.Record, item.ID)
			}
		}
		v.At.Reveals -= int64(random.IntN(5)) // hide its latest reveals
		for _, options := range []Options{{}, {SyntheticSandbox: true}} {
			l := New(store, options)
			got, want := export(t, l, v).numbers(), numbersShown(t, l, v)
			if len(want) == 0 || !maps.Equal(got, want) {
				t.Fatalf("%v %+v: exported\n%v\nshown\n%v", v.Mode, options, got, want)
			}
		}
	}
}

// Exporting a process reads it a second time for its exchanges; records that the
// team does not own are not read at all.
func TestExportReadsOnlyWhatIsOwned(t *testing.T) {
	store := newFakeStore()
	for n := range 10 * exportChunk {
		store.materials = append(store.materials, MaterialRecord{Material: lci.Material{ID: id(fmt.Sprint("m", n)), Name: "m"}})
		store.processes = append(store.processes, ProcessRecord{Process: lci.Process{ID: id(fmt.Sprint("p", n)), Name: "p"}})
	}
	store.materials, store.processes = append(store.materials, steel()), append(store.processes, smelting(lci.Aggregated))
	l, v := New(store, Options{}), viewer("team")
	export(t, l, v)
	expect(t, "records read for a team that owns nothing", len(store.read), 0)
	store.reveal(&v, PropertyReveal, id("steel"), id("density"))
	store.reveal(&v, ImpactReveal, id("smelting"), id("gwp"))
	export(t, l, v)
	expect(t, "records read", store.read, []lci.ID{id("steel"), id("smelting")})
	store.read = nil
	store.reveal(&v, ProductReveal, id("smelting"), id("slag product"))
	export(t, l, v)
	expect(t, "records read with a product", store.read, []lci.ID{id("steel"), id("smelting"), id("smelting")})
}

// mines lets a team own many processes.
func mines(v *account.Viewer) *fakeStore {
	store := newFakeStore()
	for n := range 3 * exportChunk {
		p := ProcessRecord{Process: lci.Process{ID: id(fmt.Sprintf("p%03d", n)), Name: fmt.Sprint("p", n%7)}}
		p.Exchanges = []lci.Exchange{{ID: id(fmt.Sprintf("x%03d", n)), ProcessID: p.ID, Direction: lci.Output, FlowID: id("ore"), Reference: true, Value: 1}}
		store.processes = append(store.processes, p)
		store.reveal(v, ProductReveal, p.ID, id("ore"))
	}
	return store
}

// An import that finishes while exchanges are still to be read restarts the
// export; after the last exchange was read it has no effect.
func TestExportIsOfOneEdition(t *testing.T) {
	for _, c := range []struct{ after, tries int }{{0, 2}, {1, 2}, {exportChunk, 2}, {2*exportChunk - 1, 2}, {2 * exportChunk, 1}, {3*exportChunk - 1, 1}} {
		v := viewer("team")
		store := mines(&v)
		tries, values := 0, map[float64]int{}
		err := New(store, Options{}).Export(t.Context(), v, func(p *Pulled) error {
			tries++
			clear(values)
			n := 0
			for x, err := range p.Exchanges(t.Context()) {
				if err != nil {
					return err
				}
				if n++; n == c.after+1 && tries == 1 {
					store.bringOut(2)
				}
				values[x.Value]++
			}
			return nil
		})
		if err != nil || tries != c.tries || values[float64(tries)] != len(store.processes) || len(values) != 1 {
			t.Errorf("import after %d rows: after %d tries %v, %v", c.after, tries, values, err)
		}
	}
}

// bringOut imports an edition with all values set to its number.
func (s *fakeStore) bringOut(generation int64) {
	for i := range s.processes {
		s.processes[i].Exchanges = slices.Clone(s.processes[i].Exchanges)
		s.processes[i].Exchanges[0].Value = float64(generation)
	}
	s.setGeneration(generation)
}

func TestExportGivesUpWhileImportsGoOn(t *testing.T) {
	v := viewer("team")
	store := mines(&v)
	tries := 0
	err := New(store, Options{}).Export(t.Context(), v, func(p *Pulled) error {
		tries++
		store.bringOut(int64(tries) + 1)
		_, err := collect(t.Context(), p)
		return err
	})
	if !errors.Is(err, ErrMoved) || tries != mostTries {
		t.Errorf("%v after %d tries", err, tries)
	}
}

func TestExportEndsWithItsRequest(t *testing.T) {
	v := viewer("team")
	store := mines(&v)
	l := New(store, Options{})
	for _, after := range []int{0, exportChunk / 2} {
		ctx, cancel := context.WithCancel(t.Context())
		store.read = nil
		err := l.Export(ctx, v, func(p *Pulled) error {
			store.read = nil
			n := 0
			for _, err := range p.Exchanges(ctx) {
				if err != nil {
					return err
				}
				if n++; n > after {
					cancel()
				}
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || len(store.read) > exportChunk {
			t.Errorf("after %d rows: %v, %d records were read", after, err, len(store.read))
		}
		store.read = nil
		if err := l.Export(ctx, v, func(*Pulled) error { return nil }); !errors.Is(err, context.Canceled) || len(store.read) > 0 {
			t.Errorf("a request that is over: %v, %d records were read", err, len(store.read))
		}
	}
}
