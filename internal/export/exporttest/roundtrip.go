package exporttest

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// Every is a library with a value in every field that a format may keep. Fields
// that readers fill in have the value they would get.
func Every() *Library {
	l := NewLibrary()
	l.Flows[0].CAS, l.Flows[0].Synonyms = "124-38-9", []string{"Carbonic acid gas", "Dry ice"}
	l.Flows[0].Compartment, l.Flows[1].Compartment = "air/urban air", "resource/in ground"
	l.Process("Mill", "makes steel 100 kg", "makes slag 25 kg", "takes power 5 kWh from Plant", "avoids heat 2 MJ", "discards ash 3 kg", "extracts ore 150 kg", "emits co2 40 kg")
	l.Process("Plant", "makes power 10 kWh", "emits co2 11 kg").States("Plant", "Indicator", 12)
	l.Flow("heat", lci.Intermediate, "MJ", "")
	l.Flow("power", lci.Intermediate, "kWh", "")
	l.Flow("ash", lci.Waste, "kg", "")
	for i, product := range []string{"steel", "slag"} {
		l.Flow(product, lci.Intermediate, "kg", "")
		l.Materials = append(l.Materials, lci.Material{ID: ID(product), Name: product, FunctionalUnit: "1 kg", RegionalScopes: []string{"DE"}, Traded: true})
		l.Exchanges[i].MaterialID = ID(product)
	}
	for i := range l.Factors {
		l.Factors[i].Unit = "kg"
	}
	for i := range l.Processes {
		p := &l.Processes[i]
		p.Description, p.Sources, p.SourceOrganization = "From "+p.Name, []string{"https://example.org/mill"}, "Works"
		p.Region, p.DatePublished, p.Classification, p.Price = "DE", "2024-02-29", "Metals/Iron", lci.DefaultPrice
	}
	l.Processes[0].FunctionalUnit, l.Processes[1].FunctionalUnit = "100 kg", "10 kWh"
	l.describe()
	l.spread()
	return l
}

// describe adds the details of a material.
func (l *Library) describe() {
	two := 2.0
	steel := &l.Materials[0]
	steel.Source, steel.SourceOrganization, steel.DatePublished, steel.Classification = "https://example.org/steel", "Works", "2024-02-29", "Metals/Iron"
	l.Properties = []lci.Property{
		{ID: ID("calorific value"), MaterialID: steel.ID, Name: "Net calorific value", Value: 27, Unit: "MJ/kg", Price: lci.DefaultPrice},
		{ID: ID("density"), MaterialID: steel.ID, Position: 1, Name: "Density", Value: 7850, Unit: "kg/m3", Mean: &two, StandardDeviation: &two, Price: 7},
	}
	l.MaterialImpacts = []lci.MaterialImpact{{ID: ID("effect"), PropertyID: ID("density"), MethodID: ID("method"), Category: "Category", Indicator: "Indicator", Value: 4, Unit: "kg"}}
}

// spread adds shares and uncertainties to exchanges.
func (l *Library) spread() {
	two, most, rest := 2.0, 0.75, 0.25
	l.Exchanges[0].Worth, l.Exchanges[0].Share, l.Exchanges[1].Share = &two, &most, &rest
	for i := range l.Exchanges {
		x := &l.Exchanges[i]
		mean, low, high, sd := x.Value, x.Value/2, 1.5*x.Value, x.Value/10
		switch x.Name {
		case "heat":
			x.Distribution = lci.Lognormal
		case "co2":
			x.Distribution = lci.Normal
		case "ash":
			x.Distribution, x.Minimum, x.Maximum = lci.Uniform, &low, &high
			sd = (high - low) / math.Sqrt(12)
		case "ore":
			x.Distribution, x.Minimum, x.Maximum = lci.Triangular, &low, &high
			sd = (high - low) / math.Sqrt(24)
		default:
			continue
		}
		x.Mean, x.StandardDeviation = &mean, &sd
	}
}

// RoundTrip writes a library and reads it again: the differences must be exactly
// what the format loses. A loss is a field, such as "Process.Price", or a
// record, such as "Method".
func (f Format) RoundTrip(t *testing.T, loses ...string) {
	t.Helper()
	from := &Every().Rows
	losses := differences(from, f.Read(t, f.AsStored(t, from)))
	for _, name := range slices.Sorted(maps.Keys(losses)) {
		if !slices.Contains(loses, name) {
			t.Errorf("%s is lost: %s", name, losses[name])
		}
	}
	for _, name := range loses {
		if losses[name] == "" {
			t.Errorf("%s is kept", name)
		}
	}
}

// differences are the fields of a library's records that differ, and the kinds
// of records that are missing or new, each with an example.
func differences(from, again *ingesttest.Rows) map[string]string {
	found := map[string]string{}
	was, is := reflect.ValueOf(from).Elem(), reflect.ValueOf(again).Elem()
	for i := range was.NumField() {
		if kind := was.Type().Field(i).Type; kind.Kind() == reflect.Slice && kind.Elem().PkgPath() == reflect.TypeFor[lci.Flow]().PkgPath() {
			compare(kind.Elem().Name(), byKey(was.Field(i)), byKey(is.Field(i)), found)
		}
	}
	return found
}

func byKey(list reflect.Value) map[any]reflect.Value {
	all := map[any]reflect.Value{}
	for i := range list.Len() {
		row := list.Index(i)
		switch of := row.Interface().(type) {
		case lci.Property:
			all[of.MaterialID.String()+of.Name] = row
		case lci.Impact:
			all[of.ProcessID.String()+of.Indicator] = row
		case lci.Factor:
			all[[2]lci.ID{of.IndicatorID, of.FlowID}] = row
		case lci.Allocation:
			all[[2]lci.ID{of.ProductID, of.ExchangeID}] = row
		default:
			all[row.FieldByName("ID").Interface()] = row
		}
	}
	return all
}

func compare(kind string, was, is map[any]reflect.Value, found map[string]string) {
	for key, a := range was {
		b, there := is[key]
		if !there {
			found[kind] = fmt.Sprintf("%+v", a.Interface())
			continue
		}
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				found[kind+"."+a.Type().Field(i).Name] = fmt.Sprintf("%v is read as %v", reflect.Indirect(a.Field(i)), reflect.Indirect(b.Field(i)))
			}
		}
	}
	for key, b := range is {
		if _, there := was[key]; !there {
			found["more "+kind] = fmt.Sprintf("%+v", b.Interface())
		}
	}
}

func equal(a, b reflect.Value) bool {
	if a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil() {
		return equal(a.Elem(), b.Elem())
	}
	if a.Kind() == reflect.Float64 {
		return math.Abs(a.Float()-b.Float()) <= 1e-9*math.Abs(a.Float())
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// Stable checks that the same rows give the same bytes, that every process and
// exchange is read again and, if ids are kept, that writing what was read gives
// the same bytes.
func (f Format) Stable(t *testing.T, from *ingesttest.Rows, keepsIDs bool) {
	t.Helper()
	first := f.AsStored(t, from)
	if !bytes.Equal(first, f.AsStored(t, from)) {
		t.Fatal("the same rows give other bytes")
	}
	again := f.Read(t, first)
	live := 0
	for _, p := range from.Processes {
		if !p.Deleted {
			live++
		}
	}
	if len(again.Processes) != live || len(again.Exchanges) != len(from.Exchanges) {
		t.Errorf("%d of %d processes, %d of %d exchanges", len(again.Processes), live, len(again.Exchanges), len(from.Exchanges))
	}
	if !keepsIDs {
		return
	}
	second := f.AsStored(t, again)
	if third := f.AsStored(t, f.Read(t, second)); !bytes.Equal(second, third) {
		t.Error("writing, reading and writing again changes something")
	}
	f.compareExchanges(t, from, again)
}

// compareExchanges compares what every format keeps of an exchange.
func (f Format) compareExchanges(t *testing.T, from, again *ingesttest.Rows) {
	t.Helper()
	found := map[lci.ID]lci.Exchange{}
	for _, x := range again.Exchanges {
		found[x.ID] = x
	}
	wrong := 0
	for _, x := range from.Exchanges {
		got, there := found[x.ID]
		if !there || got.ProcessID != x.ProcessID || got.FlowID != x.FlowID || (got.Value == 0) != (x.Value == 0) {
			if wrong++; wrong < 4 {
				t.Errorf("%+v\nis read as\n%+v", x, got)
			}
		}
	}
}
