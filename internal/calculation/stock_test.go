package calculation

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// stock is an inventory in memory. Names stand for ids.
type stock struct {
	mappings    []flowmatch.Mapping
	flows       []lci.Flow
	methods     []lci.Method
	indicators  []lci.Indicator
	factors     []lci.Factor
	processes   []lci.Process
	audiences   []ingest.Audience
	exchanges   []lci.Exchange
	allocations []lci.Allocation
	stated      []lci.Impact
	origins     []ingest.Origin
}

func id(name string) lci.ID { return lci.DerivedID("test", name) }

func all[T any](rows []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (s *stock) Flows(context.Context) iter.Seq2[lci.Flow, error]     { return all(s.flows) }
func (s *stock) Methods(context.Context) iter.Seq2[lci.Method, error] { return all(s.methods) }
func (s *stock) Indicators(context.Context) iter.Seq2[lci.Indicator, error] {
	return all(s.indicators)
}
func (s *stock) Factors(context.Context) iter.Seq2[lci.Factor, error] { return all(s.factors) }
func (s *stock) Processes(context.Context) iter.Seq2[lci.Process, error] {
	return all(s.processes)
}
func (s *stock) Mappings(context.Context) iter.Seq2[flowmatch.Mapping, error] {
	return all(s.mappings)
}
func (s *stock) Origins(context.Context) iter.Seq2[ingest.Origin, error] { return all(s.origins) }
func (s *stock) Audiences(context.Context) iter.Seq2[ingest.Audience, error] {
	return all(s.audiences)
}
func (s *stock) Allocations(context.Context) iter.Seq2[lci.Allocation, error] {
	return all(s.allocations)
}
func (s *stock) Stated(context.Context) iter.Seq2[lci.Impact, error] { return all(s.stated) }
func (s *stock) Exchanges(context.Context) iter.Seq2[lci.Exchange, error] {
	sorted := slices.Clone(s.exchanges)
	slices.SortStableFunc(sorted, func(a, b lci.Exchange) int {
		return cmp.Or(a.ProcessID.Compare(b.ProcessID), a.Position-b.Position)
	})
	return all(sorted)
}

// method adds a method; indicators are written "GWP co2=1 ch4=29.8".
func (s *stock) method(name string, indicators ...string) *stock {
	s.methods = append(s.methods, lci.Method{ID: id(name), Name: name, Version: "1"})
	for _, text := range indicators {
		words := strings.Fields(text)
		of := lci.Indicator{ID: id(name + words[0]), MethodID: id(name), Category: "of " + words[0], Name: words[0], Unit: "kg"}
		s.indicators = append(s.indicators, of)
		for _, word := range words[1:] {
			flow, value, _ := strings.Cut(word, "=")
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				panic(err)
			}
			s.factors = append(s.factors, lci.Factor{IndicatorID: of.ID, FlowID: id(flow), Value: n})
		}
	}
	return s
}

// climate adds the method that most tests use: the mass of carbon dioxide.
func (s *stock) climate() *stock { return s.method("IPCC", "GWP co2=1") }

// process adds a process; "Name @ REGION" sets its region.
func (s *stock) process(name string, exchanges ...lci.Exchange) *stock {
	name, region, _ := strings.Cut(name, " @ ")
	of := lci.Process{ID: id(name + region), Name: name, Region: region}
	s.processes = append(s.processes, of)
	for i, x := range exchanges {
		x.ProcessID, x.Position = of.ID, i
		x.ID = id(name + region + "/" + strconv.Itoa(i))
		s.exchanges = append(s.exchanges, x)
	}
	return s
}

// amount is written "2 kg".
func amount(text string) (float64, string) {
	value, unit, _ := strings.Cut(text, " ")
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		panic(err)
	}
	return n, unit
}

func exchangeOf(direction lci.Direction, kind lci.FlowType, flow, text string) lci.Exchange {
	value, unit := amount(text)
	return lci.Exchange{Direction: direction, Type: kind, FlowID: id(flow), Name: flow, Value: value, Unit: unit}
}

func makes(flow, text string) lci.Exchange {
	x := exchangeOf(lci.Output, lci.Intermediate, flow, text)
	x.Reference = true
	return x
}

func treats(flow, text string) lci.Exchange {
	x := makes(flow, text)
	x.Type = lci.Waste
	return x
}

func takes(flow, text string) lci.Exchange {
	return exchangeOf(lci.Input, lci.Intermediate, flow, text)
}

func discards(flow, text string) lci.Exchange { return exchangeOf(lci.Output, lci.Waste, flow, text) }
func emits(flow, text string) lci.Exchange    { return exchangeOf(lci.Output, lci.Elementary, flow, text) }
func extracts(flow, text string) lci.Exchange {
	return exchangeOf(lci.Input, lci.Elementary, flow, text)
}

func from(process string, x lci.Exchange) lci.Exchange {
	name, region, _ := strings.Cut(process, " @ ")
	x.ProviderID = id(name + region)
	return x
}

func avoided(x lci.Exchange) lci.Exchange {
	x.Avoided = true
	return x
}

func worth(money float64, x lci.Exchange) lci.Exchange {
	x.Worth = &money
	return x
}

func share(part float64, x lci.Exchange) lci.Exchange {
	x.Share = &part
	return x
}

// state adds a score stated by the provider.
func (s *stock) state(process, indicator string, value float64) *stock {
	s.stated = append(s.stated, lci.Impact{ID: id(process + indicator), ProcessID: id(process), MethodID: s.methods[0].ID, Indicator: indicator, Value: value, Unit: "kg"})
	return s
}

// result is what a calculation returned, by "Process indicator".
type result struct {
	rows map[string]lci.Impact
	ingest.Calculation
	t *testing.T
}

func calculate(t *testing.T, s *stock) *result {
	t.Helper()
	return calculateBy(t, &Calculator{}, s)
}

func calculateBy(t *testing.T, c *Calculator, s *stock, methods ...lci.ID) *result {
	t.Helper()
	slices.SortFunc(s.processes, func(a, b lci.Process) int { return a.ID.Compare(b.ID) })
	names := map[lci.ID]string{}
	for _, p := range s.processes {
		names[p.ID] = p.Name
		if p.Region != "" {
			names[p.ID] += " @ " + p.Region
		}
	}
	r := &result{rows: map[string]lci.Impact{}, t: t}
	var err error
	r.Calculation, err = c.Calculate(t.Context(), s, methods, func(i lci.Impact) error {
		key := names[i.ProcessID] + " " + i.Indicator
		if _, twice := r.rows[key]; twice {
			t.Errorf("%s comes twice", key)
		}
		if i.Completeness == nil {
			t.Errorf("%s has no account", key)
		}
		r.rows[key] = i
		return nil
	}, func(int64, int64) {})
	if err != nil {
		t.Fatalf("calculate: %v", err)
	}
	return r
}

// is checks one score.
func (r *result) is(row string, want float64) *result {
	r.t.Helper()
	got, ok := r.rows[row]
	if !ok {
		r.t.Errorf("there is no row %q among %v", row, r.names())
	} else if got.Value != want {
		r.t.Errorf("%s is %v, want %v", row, got.Value, want)
	}
	return r
}

func (r *result) lacks(row string) *result {
	r.t.Helper()
	if got, ok := r.rows[row]; ok {
		r.t.Errorf("%s is %v, want no row", row, got.Value)
	}
	return r
}

func (r *result) names() []string {
	var names []string
	for name := range r.rows {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// says checks that one note contains all the words.
func (r *result) says(class ingest.Class, words ...string) *result {
	r.t.Helper()
	for _, n := range r.Notes {
		if n.Class == class && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(n.String(), w) }) {
			return r
		}
	}
	r.t.Errorf("no %s note has %q among\n  %v", class, words, r.Notes)
	return r
}

func (r *result) isQuiet() *result {
	r.t.Helper()
	if len(r.Notes) > 0 || r.CutOffs > 0 {
		r.t.Errorf("cut-offs %d, notes %v", r.CutOffs, r.Notes)
	}
	return r
}
