package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cradle/internal/export"
	"cradle/internal/lci"
)

func write(tb testing.TB, path string, from export.Source) export.Counts {
	tb.Helper()
	counts, err := WritePath(context.Background(), path, from, nil)
	if err != nil {
		tb.Fatalf("write: %v", err)
	}
	return counts
}

func reload(tb testing.TB, path string) *rows {
	tb.Helper()
	b, err := OpenPath(path)
	if err != nil {
		tb.Fatalf("open: %v", err)
	}
	defer b.Close()
	return load(tb, b)
}

// Every library survives being written and read again.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(60) {
		path := filepath.Join(t.TempDir(), "library"+[]string{"", ".zip"}[seed%2])
		want := randomLibrary(rand.New(rand.NewPCG(seed, 0)))
		write(t, path, want)
		if got := reload(t, path); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: got\n%+v\nwant\n%+v", seed, got, want)
		}
	}
}

func TestWriteIsReproducible(t *testing.T) {
	library := load(t, mill.bundle())
	one, two := filepath.Join(t.TempDir(), "a.zip"), filepath.Join(t.TempDir(), "b.zip")
	write(t, one, library)
	counts := write(t, two, library)
	if !bytes.Equal(contents(t, one), contents(t, two)) {
		t.Error("the bytes differ")
	}
	want := export.Counts{Materials: 1, Properties: 1, MaterialImpacts: 1, Processes: 1, Exchanges: 4, Methods: 1, Indicators: 1, Factors: 1, Impacts: 1}
	if counts != want {
		t.Errorf("counted %+v, want %+v", counts, want)
	}
}

func TestWriteReadably(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "library")
	mean, deviation := 7.9e-12, 1e6
	write(t, folder, &rows{properties: []lci.Property{{
		ID: id(t, density), MaterialID: id(t, steel), Name: `Density, "dry"`, Value: 7850, Unit: "kg/m3",
		Mean: &mean, StandardDeviation: &deviation, Description: "=1+1\nétat", Price: 1,
	}}})
	want := "id,material_id,name,value,unit,mean,standard_deviation,description,source,source_organization,date_published,price,deleted\n" +
		density + "," + steel + `,"Density, ""dry""",7850,kg/m3,7.9e-12,1000000,"=1+1` + "\nétat\",,,,1,false\n"
	if got := string(contents(t, filepath.Join(folder, "properties.csv"))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A library that does not use the later files and columns is written without
// them.
func TestWriteOnlyWhatIsUsed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "library")
	library := load(t, mill.bundle())
	write(t, folder, library)
	for name, want := range map[string]string{
		"materials.csv": "id,name,source,source_organization,functional_unit,compartment,regional_scopes,date_published,deleted",
		"processes.csv": "id,name,description,source,source_organization,region,boundary,functional_unit,date_published,price,deleted",
		"exchanges.csv": "id,process_id,direction,flow_id,material_id,name,value,unit,type,reference,provider_id,mean,standard_deviation",
		"impacts.csv":   "id,process_id,method_id,impact_category,indicator,value,unit,deleted",
	} {
		if got, _, _ := strings.Cut(string(contents(t, filepath.Join(folder, name))), "\n"); got != want {
			t.Errorf("%s: got %s", name, got)
		}
	}
	if names := namesIn(t, folder); len(names) != 9 {
		t.Errorf("wrote %v", names)
	}

	library.exchanges[2].Avoided = true
	library.impacts[0].Completeness = &lci.Completeness{Coverage: 0.5}
	library.flows = []lci.Flow{{ID: id(t, dioxide), Name: "Carbon dioxide", Type: lci.Elementary, Synonyms: []string{"CO2"}, Unit: "kg"}}
	write(t, folder, library)
	for name, want := range map[string]string{
		"exchanges.csv": "id,process_id,direction,flow_id,material_id,name,value,unit,type,reference,provider_id,mean,standard_deviation,avoided",
		"impacts.csv":   "id,process_id,method_id,impact_category,indicator,value,unit,calculated,deleted",
		"flows.csv":     "id,name,type,compartment,cas,synonyms,unit,classification",
	} {
		if got, _, _ := strings.Cut(string(contents(t, filepath.Join(folder, name))), "\n"); got != want {
			t.Errorf("%s: got %s", name, got)
		}
	}
	library.flows = nil
	write(t, folder, library)
	if names := namesIn(t, folder); len(names) != 9 {
		t.Errorf("an earlier file is still there: %v", names)
	}
}

func TestFormatNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 7850: "7850", -0.1: "-0.1", 0.000001: "0.000001", 0.0000001: "1e-07", 1e20: "100000000000000000000",
		1e21: "1e+21", 1.0 / 3: "0.3333333333333333", 5e-324: "5e-324",
	} {
		if got := formatNumber(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestFormatListKeepsValuesApart(t *testing.T) {
	if got := formatList([]string{"https://example.org/a;b", "c"}); got != "https://example.org/a%3Bb;c" {
		t.Errorf("got %s", got)
	}
}

func TestWriteReplacesABundle(t *testing.T) {
	library := load(t, mill.bundle())
	old := texts{"materials.csv": "name\nZinc\n", "notes.txt": "keep me"}
	folder := old.folder(t)
	zip := filepath.Join(t.TempDir(), "library.zip")
	write(t, zip, &rows{})
	for _, path := range []string{folder, zip, t.TempDir()} {
		write(t, path, library)
		if got := reload(t, path); !reflect.DeepEqual(got, library) {
			t.Errorf("%s: got %+v", path, got)
		}
	}
	if got := string(contents(t, filepath.Join(folder, "notes.txt"))); got != "keep me" {
		t.Errorf("the notes say %q", got)
	}
	if names := namesIn(t, folder); len(names) != 9+1 {
		t.Errorf("left behind: %v", names)
	}
	if names := namesIn(t, filepath.Dir(zip)); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func TestWriteRefusesToOverwrite(t *testing.T) {
	work := texts{"thesis.tex": "x", "thesis.zip": "x"}.folder(t)
	zipFolder := filepath.Join(t.TempDir(), "folder.zip")
	if err := os.Mkdir(zipFolder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{work, filepath.Join(work, "thesis.tex"), filepath.Join(work, "thesis.zip"), zipFolder} {
		if _, err := WritePath(context.Background(), path, &rows{}, nil); err == nil {
			t.Errorf("wrote over %s", path)
		}
	}
	if names := namesIn(t, work); len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
}

type failing struct{ rows }

func (*failing) Impacts(context.Context) iter.Seq2[lci.Impact, error] {
	return func(yield func(lci.Impact, error) bool) { yield(lci.Impact{}, errors.New("no connection")) }
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	for _, name := range []string{"library", "library.zip"} {
		parent := t.TempDir()
		_, err := WritePath(context.Background(), filepath.Join(parent, name), &failing{}, nil)
		if err == nil || err.Error() != "write impacts.csv: no connection" {
			t.Errorf("got %v", err)
		}
		if names := namesIn(t, parent); len(names) != 0 {
			t.Errorf("left behind: %v", names)
		}
	}
}

func contents(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func namesIn(tb testing.TB, folder string) []string {
	tb.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		tb.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// randomLibrary is a library that a bundle can hold: texts are trimmed, required
// fields are set.
func randomLibrary(r *rand.Rand) *rows {
	g := generator{r}
	var l rows
	for range r.IntN(3) {
		l.flows = append(l.flows, lci.Flow{ID: g.id(), Name: g.title(), Type: lci.Waste, Compartment: g.text(""), CAS: g.text(""),
			Synonyms: g.list(), Unit: g.text(""), Classification: g.text("")})
	}
	method := lci.Method{ID: g.id(), Name: g.title(), Version: g.text("v")}
	indicator := lci.Indicator{ID: g.id(), MethodID: method.ID, Category: g.text("c"), Name: g.title(), Unit: g.text("u")}
	l.methods, l.indicators = []lci.Method{method}, []lci.Indicator{indicator}
	for range r.IntN(5) {
		l.factors = append(l.factors, lci.Factor{IndicatorID: indicator.ID, FlowID: g.id(), Value: g.number()})
	}
	for range 1 + r.IntN(4) {
		g.material(&l, method.ID)
	}
	for range 1 + r.IntN(4) {
		g.process(&l, method.ID)
	}
	return &l
}

type generator struct{ *rand.Rand }

func (g generator) material(l *rows, method lci.ID) {
	m := lci.Material{ID: g.id(), Name: g.title(), Source: g.text(""), SourceOrganization: g.text(""), FunctionalUnit: g.text(""),
		Compartment: g.text(""), RegionalScopes: g.list(), DatePublished: g.date(), Classification: g.seldom(), Deleted: g.coin()}
	l.materials = append(l.materials, m)
	for i := range g.IntN(4) {
		p := lci.Property{ID: g.id(), MaterialID: m.ID, Position: i, Name: g.title(), Value: g.number(), Unit: g.text("u"),
			Mean: g.maybe(), StandardDeviation: g.deviation(), Description: g.text(""), Source: g.text(""),
			SourceOrganization: g.text(""), DatePublished: g.date(), Price: g.Int64N(lci.MaxPrice + 1), Deleted: g.coin()}
		l.properties = append(l.properties, p)
		for i := range g.IntN(3) {
			l.materialImpacts = append(l.materialImpacts, lci.MaterialImpact{ID: g.id(), PropertyID: p.ID, MethodID: method,
				Position: i, Category: g.text(""), Indicator: g.title(), Value: g.number(), Unit: g.text("u")})
		}
	}
}

func (g generator) process(l *rows, method lci.ID) {
	p := lci.Process{ID: g.id(), Name: g.title(), Description: g.text(""), Sources: g.list(), SourceOrganization: g.text(""),
		Region: g.text(""), Boundary: lci.Disaggregated, FunctionalUnit: g.text(""), DatePublished: g.date(),
		Classification: g.seldom(), Price: g.Int64N(lci.MaxPrice + 1), Deleted: g.coin()}
	l.processes = append(l.processes, p)
	for i := range 1 + g.IntN(5) {
		x := lci.Exchange{ID: g.id(), ProcessID: p.ID, Position: i, Direction: lci.Output, FlowID: g.id(), Name: g.title(),
			Value: g.number(), Unit: g.text("u"), Type: lci.Waste, Reference: i == 0 || g.coin(), Mean: g.maybe(), StandardDeviation: g.deviation()}
		if g.coin() {
			x.MaterialID, x.ProviderID = l.materials[0].ID, l.processes[0].ID
		}
		if g.IntN(6) == 0 {
			low, high := 1.0, 2.0
			x.Distribution, x.Minimum, x.Maximum, x.Avoided, x.Worth = lci.Triangular, &low, &high, g.coin(), g.maybe()
		}
		if g.IntN(6) == 0 {
			share := g.Float64()
			x.Share = &share
		}
		l.exchanges = append(l.exchanges, x)
		if x.Reference && g.IntN(4) == 0 {
			l.allocations = append(l.allocations, lci.Allocation{ProcessID: p.ID, ProductID: x.FlowID, ExchangeID: x.ID, Share: g.Float64()})
		}
	}
	for i := range g.IntN(3) {
		row := lci.Impact{ID: g.id(), ProcessID: p.ID, MethodID: method, Position: i,
			Category: g.text(""), Indicator: g.title(), Value: g.number(), Unit: g.text("u"), Deleted: g.coin()}
		if g.IntN(4) == 0 {
			row.Completeness = &lci.Completeness{}
		}
		l.impacts = append(l.impacts, row)
	}
}

func (g generator) coin() bool { return g.IntN(2) == 0 }

func (g generator) id() lci.ID { return lci.DerivedID("random", fmt.Sprint(g.Uint64())) }

func (g generator) text(otherwise string) string {
	pieces := []string{"", "a", " ", `"`, `""`, ",", "\n", ";", "é", "水", "😀", "'", "=", "-", "@", `\.`, "\r", "\t", "#", "\uFEFF"}
	var b strings.Builder
	for range g.IntN(8) {
		b.WriteString(pieces[g.IntN(len(pieces))])
	}
	// Package csv reads CRLF as LF.
	text := strings.TrimSpace(strings.ReplaceAll(b.String(), "\r\n", "\n"))
	if text == "" {
		return otherwise
	}
	return text
}

// seldom is empty more often than not.
func (g generator) seldom() string {
	if g.IntN(4) > 0 {
		return ""
	}
	return g.text("")
}

func (g generator) title() string {
	return strings.TrimSpace(strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(g.text("name"))) + "."
}

func (g generator) list() []string {
	var values []string
	for range g.IntN(4) {
		if v := strings.TrimSpace(strings.NewReplacer(";", "", "\r", "").Replace(g.text(""))); v != "" {
			values = append(values, v)
		}
	}
	return values
}

func (g generator) number() float64 {
	switch g.IntN(4) {
	case 0:
		return float64(g.IntN(10_000))
	case 1:
		return -g.Float64()
	}
	return g.NormFloat64() * 1e-9 * float64(g.Uint64())
}

func (g generator) maybe() *float64 {
	if g.coin() {
		return nil
	}
	v := g.number()
	return &v
}

func (g generator) deviation() *float64 {
	v := g.maybe()
	if v != nil {
		*v = max(*v, -*v)
	}
	return v
}

func (g generator) date() string {
	return []string{"", "2024-02-29", "1999-12-31"}[g.IntN(3)]
}
