package inventory

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"cradle/internal/ingest"
)

// Unreadable records are left out and listed, and the rest is imported.
func TestUnreadableRecordsAreLeftOut(t *testing.T) {
	at := Where{File: "f.xml", Line: 3}
	flour := Exchange{Flow: "flour", Amount: 1, Role: Reference}
	for _, c := range []struct {
		name, want string
		read       func(*Builder)
	}{
		{"an amount", "f.xml:3: the amount is NaN", func(b *Builder) {
			b.Process(Process{Key: "p", Name: "P", Exchanges: []Exchange{flour, {Flow: "flour", Amount: math.NaN(), Where: at}}})
		}},
		{"an exchange", "f.xml: P, exchange 2: it has no side", func(b *Builder) {
			b.Process(Process{Key: "p", Name: "P", Where: Where{File: "f.xml", Record: "P"}, Exchanges: []Exchange{flour, {Flaw: "it has no side"}}})
		}},
		{"an amount in another unit", "f.xml:3: P, exchange 1: the amount of \"Flour\" is too large in kg", func(b *Builder) {
			b.Process(Process{Key: "p", Name: "P", Where: at, Exchanges: []Exchange{{Flow: "flour", Amount: 1e308, Unit: "t"}}})
		}},
		{"the same process", "f.xml:3: is the same process as g.xml (Mill): ids must be unique", func(b *Builder) { b.Process(Process{Key: "mill", Name: "P", Where: at}) }},
		{"a process's name", "f.xml:3: the process has no name", func(b *Builder) { b.Process(Process{Key: "p", Name: " ", Where: at}) }},
		{"a process's text", "f.xml:3: a text is not valid UTF-8", func(b *Builder) { b.Process(Process{Key: "p", Name: "P", Sources: []string{"\xff"}, Where: at}) }},
		{"a flow's text", "f.xml:3: a text contains a NUL character", func(b *Builder) { b.Flow(Flow{Key: "f", Name: "a\x00b", Where: at}) }},
		{"a method's name", "f.xml:3: the method has no name", func(b *Builder) { b.Method(Method{Key: "m", Where: at}) }},
		{"a factor", "f.xml:3: factor 1 is +Inf", func(b *Builder) {
			b.Indicator(Indicator{Key: "i", Method: "gwp", Name: "I", Where: at, Factors: []Factor{{Flow: "co2", Amount: math.Inf(1)}}})
		}},
		{"a factor in another unit", "f.xml:3: I, factor 1: the factor of \"Flour\" is too large per kg", func(b *Builder) {
			b.Indicator(Indicator{Key: "i", Method: "gwp", Name: "I", Where: at, Factors: []Factor{{Flow: "flour", Amount: 1e308, Unit: "g"}}})
		}},
		{"a material's number", "f.xml:3: the value of \"x\" is +Inf", func(b *Builder) {
			b.Material(Material{Key: "m", Name: "Stone", Where: at, Properties: []Property{{Name: "x", Value: math.Inf(1)}}})
		}},
		{"a unit", "f.xml:3: the factor 0 of the unit \"y\" cannot be used for conversion", func(b *Builder) {
			b.UnitGroup(UnitGroup{Key: "g", Where: at, Units: []Unit{{Name: "x", Factor: 1, Reference: true}, {Name: "y"}}})
		}},
		{"a flow property", "f.xml:3: the factor 0 of a flow property cannot be used for conversion", func(b *Builder) {
			b.Flow(Flow{Key: "f", Name: "F", Where: at, Properties: []FlowAmount{{"m", 1, true}, {"e", 0, false}}})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := built(t, there{}, func(b *Builder) {
				b.Method(Method{Key: "gwp", Name: "GWP"})
				b.Flow(Flow{Key: "flour", Name: "Flour", Kind: Product, Unit: "kg"})
				b.Process(Process{Key: "mill", Name: "Mill", Where: Where{File: "g.xml", Record: "Mill"}, Exchanges: []Exchange{flour}})
				c.read(b)
			})
			var notes []string
			for _, n := range r.notes {
				if n.Class == ingest.Unreadable {
					notes = append(notes, n.String())
				}
			}
			if !slices.Equal(notes, []string{c.want}) {
				t.Errorf("got %q, want %q", notes, c.want)
			}
			if got := fmt.Sprint(r.processes, len(r.exchanges), r.properties, len(r.factors)); got != "[Mill] 1 [] 0" {
				t.Errorf("stored %s", got)
			}
		})
	}
}

// An input keeps the name of a supplier that was left out, because another
// library may have it.
func TestNobodyTakesFromWhatIsLeftOut(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		b.Flow(Flow{Key: "flour", Name: "Flour", Kind: Product, Unit: "kg"})
		b.Flow(Flow{Key: "bread", Name: "Bread", Kind: Product, Unit: "kg"})
		b.Process(Process{Key: "mill", Name: "Mill", Exchanges: []Exchange{{Flow: "flour", Amount: 1e308, Unit: "t", Role: Reference}}})
		b.Process(Process{Key: "bakery", Name: "Bakery", Exchanges: []Exchange{{Flow: "bread", Amount: 1, Role: Reference}, {Flow: "flour", Input: true, Amount: 1, Provider: "mill"}}})
	})
	if len(r.processes) != 1 || r.exchanges[1].ProviderID != identify("process", "mill") {
		t.Errorf("%v, %+v", r.processes, r.exchanges)
	}
}

func TestNewerRecordsReplaceOlder(t *testing.T) {
	older, newer := Where{File: "older"}, Where{File: "newer"}
	records := []func(*Builder){
		func(b *Builder) {
			b.Flow(Flow{Key: "f", Name: "Old flour", Kind: Product, Unit: "t", Version: "01.00.000", Where: older})
			b.Process(Process{Key: "p", Name: "Old", Changed: "2020-01-01T10:00:00Z", Where: older, Exchanges: []Exchange{{Flow: "f", Amount: 1, Unit: "t", Role: Reference}, {Flow: "f", Input: true, Amount: 2}}})
			b.Method(Method{Key: "m", Name: "Old", Version: "1.9", Where: older})
		},
		func(b *Builder) {
			b.Flow(Flow{Key: "f", Name: "Flour", Kind: Product, Unit: "kg", Version: "01.01.000", Where: newer})
			b.Process(Process{Key: "p", Name: "New", Changed: "2020-01-01T12:00:00+01:00", Where: newer, Exchanges: []Exchange{{Flow: "f", Amount: 3, Role: Reference}}})
			b.Method(Method{Key: "m", Name: "New", Version: "1.10", Where: newer})
		},
	}
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		r := built(t, there{}, func(b *Builder) {
			for _, i := range order {
				records[i](b)
			}
		})
		if len(r.exchanges) != 1 || r.exchanges[0].Value != 3 || r.exchanges[0].Unit != "kg" || fmt.Sprint(r.processes) != "[New]" || r.flows[0].Name != "Flour" {
			t.Errorf("%v: %+v, %v, %+v", order, r.exchanges, r.processes, r.flows)
		}
		if len(r.notes) != 3 || r.notes[0].Class != ingest.Outdated || r.notes[0].String() != "older: is older (version 01.00.000) than newer (version 01.01.000), which is used" {
			t.Errorf("%v", r.notes)
		}
	}
}

func TestNothingReadableIsRefused(t *testing.T) {
	_, err := New(reading(func(b *Builder) { b.Process(Process{Key: "p", Where: Where{File: "f.xml", Line: 3}}) })).Check(t.Context(), there{}, func(int64, int64) {})
	if err == nil || err.Error() != "f.xml:3: the process has no name\nnothing was imported: 1 error" {
		t.Error(err)
	}
}
