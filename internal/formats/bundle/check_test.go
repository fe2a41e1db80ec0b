package bundle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// problems checks the files and returns the errors, one per line.
func problems(t *testing.T, files texts, known *catalogue) []string {
	t.Helper()
	_, err := files.bundle().Check(context.Background(), known, nil)
	if err == nil {
		return nil
	}
	var refused *ingest.Errors
	if !errors.As(err, &refused) {
		t.Fatalf("check: %v", err)
	}
	var list []string
	for _, e := range refused.List {
		list = append(list, e.Error())
	}
	return list
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestCheckAcceptsAGoodBundle(t *testing.T) {
	same(t, problems(t, mill, &catalogue{}), nil)
}

// The cells of a row, one wrong at a time.
func TestCheckCells(t *testing.T) {
	const (
		property = "id,material_id,name,value,unit,mean,standard_deviation,date_published,price,deleted,description"
		at       = "properties.csv:2: column "
	)
	good := map[string]string{"id": density, "material_id": steel, "name": "Density", "value": "7850", "unit": "kg/m3"}
	for _, c := range []struct{ column, cell, message string }{
		{"id", "1", `"1" is not a UUID`},
		{"id", "{" + density + "}", `"{` + density + `}" is not a UUID`},
		{"id", strings.ReplaceAll(density, "-", ""), `"` + strings.ReplaceAll(density, "-", "") + `" is not a UUID`},
		{"id", "00000000-0000-0000-0000-000000000000", "a UUID of zeros is not a valid id"},
		{"material_id", "", "must not be empty"},
		{"material_id", stranger, stranger + " is not among the materials of the bundle or the catalogue"},
		{"name", "  ", "must not be empty"},
		{"name", strings.Repeat("é", 1_001), "is longer than 1000 characters"},
		{"name", "a\x07b", "contains a line break or another control character"},
		{"name", `"a` + "\n" + `b"`, "contains a line break or another control character"},
		{"name", "\xff", "is not valid UTF-8"},
		{"value", "", "must not be empty"},
		{"value", "NaN", `"NaN" is not a number (like 1234.5 or 1.2e-3)`},
		{"value", "-Inf", `"-Inf" is not a number (like 1234.5 or 1.2e-3)`},
		{"value", "0x1p4", `"0x1p4" is not a number (like 1234.5 or 1.2e-3)`},
		{"value", "1_000", `"1_000" is not a number (like 1234.5 or 1.2e-3)`},
		{"value", `"1,5"`, `"1,5" is not a number (like 1234.5 or 1.2e-3)`},
		{"value", `"1,000.5"`, `"1,000.5" is not a number (like 1234.5 or 1.2e-3)`},
		{"value", "1 000", `"1 000" is not a number (like 1234.5 or 1.2e-3)`},
		{"value", "٣", `"٣" is not a number (like 1234.5 or 1.2e-3)`},
		{"value", "1e", `"1e" is not a number (like 1234.5 or 1.2e-3)`},
		{"value", "1e999", `"1e999" is too large`},
		{"mean", "about 3", `"about 3" is not a number (like 1234.5 or 1.2e-3)`},
		{"standard_deviation", "-0.1", `a standard deviation cannot be negative: "-0.1"`},
		{"date_published", "2023-02-29", `"2023-02-29" is not a date (YYYY-MM-DD)`},
		{"date_published", "1.3.2024", `"1.3.2024" is not a date (YYYY-MM-DD)`},
		{"date_published", "2024-3-1", `"2024-3-1" is not a date (YYYY-MM-DD)`},
		{"date_published", "2024-03-01T00:00:00Z", `"2024-03-01T00:00:00Z" is not a date (YYYY-MM-DD)`},
		{"price", "-1", `"-1" is not a whole number from 0 to 1000000`},
		{"price", "1.5", `"1.5" is not a whole number from 0 to 1000000`},
		{"price", "1000001", `"1000001" is not a whole number from 0 to 1000000`},
		{"price", "99999999999999999999", `"99999999999999999999" is not a whole number from 0 to 1000000`},
		{"deleted", "yes", `"yes" is neither true nor false`},
		{"deleted", "1", `"1" is neither true nor false`},
		{"description", strings.Repeat("x", 100_001), "is longer than 100000 bytes"},
		{"description", "a\x00b", "contains a NUL character"},
		{"description", strings.Repeat("é", 61) + "\xff", "is not valid UTF-8"},
	} {
		t.Run(c.column+" "+c.cell[:min(len(c.cell), 20)], func(t *testing.T) {
			row := rowOf(property, good, c.column, c.cell)
			files := mill.with("properties.csv", property, row).with("material_impacts.csv", "property_id,method_id,indicator,value,unit")
			same(t, problems(t, files, &catalogue{}), []string{at + c.column + ": " + c.message})
		})
	}
}

func rowOf(header string, cells map[string]string, column, cell string) string {
	var row []string
	for name := range strings.SplitSeq(header, ",") {
		if name == column {
			row = append(row, cell)
		} else {
			row = append(row, cells[name])
		}
	}
	return strings.Join(row, ",")
}

func TestCheckAcceptsUnusualCells(t *testing.T) {
	for _, c := range []struct{ header, row string }{
		{"material_id,name,value,unit", strings.ToUpper(steel) + ",Density,7850,kg/m3"},
		{"material_id,name,value,unit", steel + ",Density,-1.5E+3,kg/m3"},
		{"material_id,name,value,unit", steel + ",Density, 1e-400 ,kg/m3"},
		{"material_id,name,value,unit", steel + ",Density,.5,kg/m3"},
		{"unit,value,name,material_id", "kg/m3,1," + strings.Repeat("é", 1_000) + "," + steel},
		{"material_id,name,value,unit,price", steel + ",Density,1,kg/m3,0"},
		{"material_id,name,value,unit,price", steel + ",Density,1,kg/m3,1000000"},
		{"material_id,name,value,unit,date_published", steel + ",Density,1,kg/m3,2024-02-29"},
		{"material_id,name,value,unit,description", steel + ",Density,1,kg/m3," + strings.Repeat("x", 100_000)},
		{"material_id,name,value,unit,description", steel + ",Density,1,kg/m3,\"two\r\nlines, \"\"quoted\"\"\""},
		{"\uFEFFmaterial_id,name,value,unit\r", steel + ",Density,1,kg/m3\r"},
		{"\uFEFF\"material_id\",name,value,unit", steel + ",Density,1,kg/m3"},
	} {
		files := mill.with("properties.csv", c.header, c.row).with("material_impacts.csv", "property_id,method_id,indicator,value,unit")
		same(t, problems(t, files, &catalogue{}), nil)
	}
}

func TestCheckLines(t *testing.T) {
	const header = "id,name,source"
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"too few fields", []string{header, steel + ",Steel"},
			[]string{"materials.csv:2: the line does not match the header: fields 2, columns 3"}},
		{"too many fields", []string{header, steel + ",Steel,,", stranger + ",Zinc,"},
			[]string{"materials.csv:2: the line does not match the header: fields 4, columns 3"}},
		{"blank lines count", []string{"", header, "", steel + ",,"},
			[]string{"materials.csv:4: column name: must not be empty"}},
		{"lines of a cell count", []string{header, steel + `,Steel,"a`, `b"`, ",,"},
			[]string{"materials.csv:4: column name: must not be empty"}},
		{"the line where the cell begins", []string{"id,source,name", steel + `,"a`, `b","c`, `d"`},
			[]string{"materials.csv:3: column name: contains a line break or another control character"}},
		{"bare quote", []string{header, steel + `,St"eel,`, "," + ","},
			[]string{"materials.csv:2: column name: a quote is inside an unquoted cell",
				"materials.csv:3: column name: must not be empty"}},
		{"text after a quoted cell", []string{header, steel + `,"St"eel,`},
			[]string{"materials.csv:2: column name: the quoted cell must end with a quote, followed by a comma or the end of the line"}},
		{"open quote", []string{header, steel + `,Steel,"`, stranger + ",Zinc,"},
			[]string{"materials.csv:2: column source: the quoted cell must end with a quote, followed by a comma or the end of the line (seen on line 3)"}},
		{"missing column", []string{"id,source", steel + ",x", "1,x"},
			[]string{"materials.csv:1: column name: the required column is missing",
				`materials.csv:3: column id: "1" is not a UUID`}},
		{"column twice", []string{"id,name,name", steel + ",a,b"},
			[]string{"materials.csv:1: column name: the column appears twice"}},
		{"semicolons", []string{"id;name", steel + ";Steel"},
			[]string{"materials.csv:1: the columns must be separated by commas"}},
		{"broken header", []string{"id,name\xff", steel + ",Steel"},
			[]string{"materials.csv:1: the header row is not valid UTF-8"}},
		{"bad quotes in the header", []string{`id,"na"me`, steel + ",Steel"},
			[]string{"materials.csv:1: the quoted cell must end with a quote, followed by a comma or the end of the line"}},
		{"nothing", nil,
			[]string{"materials.csv:1: the file has no header row"}},
		{"too many columns", []string{"name" + strings.Repeat(",", 1_000)},
			[]string{"materials.csv:1: the file has 1001 columns; at most 1000 are allowed"}},
		{"broken UTF-8 in an unknown column", []string{"name,colour", "Steel,\xe9"},
			[]string{"materials.csv:2: column colour: is not valid UTF-8"}},
		{"id twice", []string{header, steel + ",Steel,", "", strings.ToUpper(steel) + ",Zinc,"},
			[]string{"materials.csv:4: column id: " + steel + " is already the id of line 2"}},
		{"derived id twice", []string{header, ",Steel,a", ",Steel,b"},
			[]string{"materials.csv:3: column id: without an id the row is the same record as line 2"}},
		{"every error of a line", []string{"id,name,date_published,deleted", "1,,2,3"},
			[]string{`materials.csv:2: column id: "1" is not a UUID`,
				"materials.csv:2: column name: must not be empty",
				`materials.csv:2: column date_published: "2" is not a date (YYYY-MM-DD)`,
				`materials.csv:2: column deleted: "3" is neither true nor false`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			same(t, problems(t, texts{}.with("materials.csv", c.lines...), &catalogue{}), c.want)
		})
	}
}

func TestCheckEndlessLines(t *testing.T) {
	long := strings.Repeat("x", maxRecordBytes+1<<20)
	const cut = "materials.csv:3: the line is longer than 4194304 bytes; the rest was not read"
	same(t, problems(t, texts{}.with("materials.csv", "name", "Steel", `"`+long, "Zinc"), &catalogue{}),
		[]string{"materials.csv:3: column name: the quoted cell must end with a quote, followed by a comma or the end of the line", cut})
	same(t, problems(t, texts{}.with("materials.csv", `"`+long, "Zinc"), &catalogue{}),
		[]string{"materials.csv:1: the quoted cell must end with a quote, followed by a comma or the end of the line",
			strings.Replace(cut, ":3", ":1", 1)})
	same(t, problems(t, texts{}.with("materials.csv", "name", "Steel", long, "Zinc"), &catalogue{}),
		[]string{"materials.csv:3: column name: is longer than 100000 bytes", cut})
}

func TestCheckRows(t *testing.T) {
	const (
		exchange = "id,process_id,direction,flow_id,material_id,name,value,unit,type,reference,provider_id"
		product  = "," + rolling + ",output,,,Sheet,1,kg,,true,"
	)
	unknown := func(id, kind string) string {
		return id + " is not among the " + kind + " of the bundle or the catalogue"
	}
	for _, c := range []struct {
		name  string
		files texts
		want  []string
	}{
		{"unknown method of an indicator", mill.with("indicators.csv", "method_id,category,name,unit", stranger+",c,n,u").with("factors.csv", "indicator_id,flow_id,value"),
			[]string{"indicators.csv:2: column method_id: " + unknown(stranger, "methods")}},
		{"unknown indicator", mill.with("factors.csv", "indicator_id,flow_id,value", stranger+","+dioxide+",1"),
			[]string{"factors.csv:2: column indicator_id: " + unknown(stranger, "indicators")}},
		{"factor twice", mill.with("factors.csv", "indicator_id,flow_id,value", climate+","+dioxide+",1", climate+","+dioxide+",2"),
			[]string{"factors.csv:3: the row is the same record as line 2"}},
		{"unknown property and method", mill.with("material_impacts.csv", "property_id,method_id,indicator,value,unit", stranger+","+stranger+",i,1,u"),
			[]string{"material_impacts.csv:2: column method_id: " + unknown(stranger, "methods"),
				"material_impacts.csv:2: column property_id: " + unknown(stranger, "properties")}},
		{"unknown process and method of an impact", mill.with("impacts.csv", "process_id,method_id,indicator,value,unit", stranger+","+ef+",i,1,u", rolling+","+stranger+",i,1,u"),
			[]string{"impacts.csv:2: column process_id: " + unknown(stranger, "processes"),
				"impacts.csv:3: column method_id: " + unknown(stranger, "methods")}},
		{"bad boundary", mill.with("processes.csv", "id,name,boundary", rolling+",Rolling,aggregated"),
			[]string{`processes.csv:2: column boundary: "aggregated" is not one of Aggregated, Disaggregated`}},
		{"bad direction and type", mill.with("exchanges.csv", exchange, product, ","+rolling+",in,,,Ore,1,kg,product,,"),
			[]string{`exchanges.csv:3: column direction: "in" is not one of input, output`,
				`exchanges.csv:3: column type: "product" is not one of intermediate, elementary, waste`}},
		{"unknown material", mill.with("exchanges.csv", exchange, product, ","+rolling+",input,,"+stranger+",Ore,1,kg,,,"+stranger),
			[]string{"exchanges.csv:3: column material_id: " + unknown(stranger, "materials")}},
		{"no reference among the rows", mill.with("exchanges.csv", exchange, "", ","+rolling+",output,,,Sheet,1,kg,,,", ","+rolling+",output,,,Scrap,1,kg,,false,"),
			[]string{"exchanges.csv:3: column reference: process " + rolling + " needs a reference product: set reference to true in one of its outputs"}},
		{"a reference that cannot be read is no missing one", mill.with("exchanges.csv", exchange, ","+rolling+",output,,,Sheet,1,kg,,yes,"),
			[]string{`exchanges.csv:2: column reference: "yes" is neither true nor false`}},
		{"no rows at all", mill.with("exchanges.csv", exchange),
			[]string{"processes.csv:2: the process has no reference product: no row of exchanges.csv has this process and reference true"}},
		{"a deleted process needs none", mill.with("exchanges.csv", exchange).with("processes.csv", "id,name,deleted", rolling+",Rolling,true"),
			nil},
		{"reference input", mill.with("exchanges.csv", exchange, ","+rolling+",input,,,Sheet,1,kg,waste,true,"),
			[]string{"exchanges.csv:2: column reference: a reference product must be an output"}},
		{"the same reference product", mill.with("exchanges.csv", exchange, product, product),
			[]string{"exchanges.csv:3: column reference: the process has the same reference product on line 2"}},
		{"the same reference product by flow and by material", mill.with("exchanges.csv", exchange,
			","+rolling+",output,"+steel+",,Sheet,1,kg,,true,", ","+rolling+",output,,"+steel+",Plate,1,kg,,true,"),
			[]string{"exchanges.csv:3: column reference: the process has the same reference product on line 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			same(t, problems(t, c.files, &catalogue{}), c.want)
		})
	}
}

func TestCheckAgainstTheCatalogue(t *testing.T) {
	other := id(t, stranger)
	belongs := func(kind ingest.Kind, child, parent string) *catalogue {
		return &catalogue{parents: map[ingest.Kind]map[lci.ID]lci.ID{kind: {id(t, child): id(t, parent)}}}
	}
	taken := " is already the id of a record of " + stranger + " in the catalogue"
	for _, c := range []struct {
		name  string
		files texts
		known *catalogue
		want  []string
	}{
		{"a material that is there", texts{"properties.csv": mill["properties.csv"]},
			belongs(ingest.Materials, steel, steel), nil},
		{"an id of another kind is no material", texts{"properties.csv": mill["properties.csv"]},
			belongs(ingest.Processes, steel, steel),
			[]string{"properties.csv:2: column material_id: " + steel + " is not among the materials of the bundle or the catalogue"}},
		{"a property that is there", mill, belongs(ingest.Properties, density, steel), nil},
		{"a property of another material", mill, belongs(ingest.Properties, density, stranger),
			[]string{"properties.csv:2: column id: " + density + taken}},
		{"an indicator of another method", mill, belongs(ingest.Indicators, climate, stranger),
			[]string{"indicators.csv:2: column id: " + climate + taken}},
		{"an exchange of another process",
			mill.with("exchanges.csv", "id,process_id,direction,name,value,unit,reference", dioxide+","+rolling+",output,Sheet,1,kg,true"),
			belongs(ingest.Exchanges, dioxide, stranger),
			[]string{"exchanges.csv:2: column id: " + dioxide + taken}},
		{"an impact of another process",
			mill.with("impacts.csv", "id,process_id,method_id,indicator,value,unit", dioxide+","+rolling+","+ef+",GWP100,1,kg"),
			belongs(ingest.Impacts, dioxide, stranger),
			[]string{"impacts.csv:2: column id: " + dioxide + taken}},
		{"a process with its reference there", texts{"processes.csv": "id,name\n" + stranger + ",Rolling\n"},
			&catalogue{references: map[lci.ID]bool{other: true}}, nil},
		{"a process there without one", texts{"processes.csv": "id,name\n" + stranger + ",Rolling\n"},
			belongs(ingest.Processes, stranger, stranger),
			[]string{"processes.csv:2: the process has no reference product: no row of exchanges.csv has this process and reference true"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			same(t, problems(t, c.files, c.known), c.want)
		})
	}
}

func TestCheckAsksInBatches(t *testing.T) {
	var lines strings.Builder
	lines.WriteString("id,material_id,name,value,unit\n")
	for i := range 5_000 {
		fmt.Fprintf(&lines, "%s,%s,Density,1,kg/m3\n", lci.DerivedID("own", fmt.Sprint(i)), lci.DerivedID("other", fmt.Sprint(i)))
	}
	known := &catalogue{}
	_, err := texts{"properties.csv": lines.String()}.bundle().Check(context.Background(), known, nil)
	var refused *ingest.Errors
	if !errors.As(err, &refused) || len(refused.List) != 50 || refused.More != 4_950 {
		t.Errorf("got %v", err)
	}
	if known.largest != batch {
		t.Errorf("asked for %d ids at once, want %d", known.largest, batch)
	}
}

// References are resolved late, in batches; the listed errors are still the
// first in the file.
func TestCheckListsTheFirstErrors(t *testing.T) {
	lines := []string{"material_id,name,value,unit", stranger + ",Density,1,kg/m3"}
	for range 3_000 {
		lines = append(lines, steel+",Density,heavy,kg/m3")
	}
	_, err := mill.with("properties.csv", lines...).bundle().Check(context.Background(), &catalogue{}, nil)
	var refused *ingest.Errors
	if !errors.As(err, &refused) {
		t.Fatalf("got %v", err)
	}
	// The last error is the impact whose property is missing.
	if len(refused.List) != ingest.MaxErrors || refused.More != 3_002-ingest.MaxErrors {
		t.Errorf("%d errors and %d more", len(refused.List), refused.More)
	}
	for i, e := range refused.List {
		if e.Line != i+2 {
			t.Errorf("error %d is of line %d", i, e.Line)
		}
	}
}

func TestCheckWarns(t *testing.T) {
	files := texts{}.with("materials.csv", "name,colour,", "Steel,grey,")
	warnings, err := files.bundle().Check(context.Background(), &catalogue{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []ingest.Warning{
		{File: "materials.csv", Line: 1, Message: `unknown column "colour" is ignored`},
		{File: "materials.csv", Line: 1, Message: "column 3 has no name and is ignored"},
	}
	if fmt.Sprint(warnings) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", warnings, want)
	}
}

func TestCheckStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := mill.bundle().Check(ctx, &catalogue{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

type unreachable struct{ catalogue }

func (*unreachable) Parents(context.Context, ingest.Kind, []lci.ID) (map[lci.ID]lci.ID, error) {
	return nil, errors.New("no connection")
}

func TestCheckFailsWithTheCatalogue(t *testing.T) {
	_, err := mill.bundle().Check(context.Background(), &unreachable{}, nil)
	if err == nil || err.Error() != "look up indicators: no connection" {
		t.Errorf("got %v", err)
	}
}

func TestCheckWhatACalculationNeeds(t *testing.T) {
	const sheet, emission = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"
	exchanges := func(rows ...string) []string {
		return append([]string{
			"id,process_id,direction,name,value,unit,reference,flow_id,distribution,minimum,maximum,standard_deviation,share,avoided",
			sheet + "," + rolling + ",output,Sheet,1,kg,true," + steel + ",,,,,,",
			emission + "," + rolling + ",output,Carbon dioxide,1,kg,," + dioxide + ",,,,,,",
		}, rows...)
	}
	allocations := func(row string) []string { return []string{"process_id,product_id,exchange_id,share", row} }
	for _, c := range []struct {
		files   texts
		message string
	}{
		{mill.with("exchanges.csv", exchanges()...).with("allocations.csv", allocations(rolling+","+steel+","+emission+",0.5")...), ""},
		{mill.with("exchanges.csv", exchanges()...).with("allocations.csv", allocations(rolling+","+dioxide+","+emission+",0.5")...),
			"allocations.csv:2: column product_id: " + dioxide + " is not a reference product of process " + rolling},
		{mill.with("exchanges.csv", exchanges()...).with("allocations.csv", allocations(rolling+","+steel+","+stranger+",0.5")...),
			"allocations.csv:2: column exchange_id: " + stranger + " is not among the exchanges of the bundle or the catalogue"},
		{mill.with("exchanges.csv", exchanges()...).with("allocations.csv", allocations(rolling+","+steel+","+emission+",-1.5")...),
			`allocations.csv:2: column share: "-1.5" is below 0`},
		{mill.with("allocations.csv", "process_id,product_id,exchange_id,share", rolling+","+steel+","+sheet+","),
			"allocations.csv:2: column share: must not be empty"},
		{mill.with("exchanges.csv", exchanges(","+rolling+",input,Ore,1,kg,,,uniform,1,,,,")...),
			"exchanges.csv:4: column distribution: a uniform distribution needs a minimum and a maximum"},
		{mill.with("exchanges.csv", exchanges(","+rolling+",input,Ore,1,kg,,,triangular,3,2,,,")...),
			"exchanges.csv:4: column minimum: is greater than the maximum"},
		{mill.with("exchanges.csv", exchanges(","+rolling+",input,Ore,1,kg,,,lognormal,,,,,")...),
			"exchanges.csv:4: column distribution: a lognormal distribution needs a standard_deviation"},
		{mill.with("exchanges.csv", exchanges(","+rolling+",input,Ore,1,kg,,,beta,,,,,")...),
			`exchanges.csv:4: column distribution: "beta" is not one of normal, lognormal, triangular, uniform`},
		{mill.with("exchanges.csv", exchanges(","+rolling+",input,Ore,1,kg,,,,,,,-1,")...),
			`exchanges.csv:4: column share: "-1" is below 0`},
		{mill.with("flows.csv", "id,name,type", dioxide+",Carbon dioxide,gas"),
			`flows.csv:2: column type: "gas" is not one of intermediate, elementary, waste`},
		{mill.with("flows.csv", "id,name", ",Carbon dioxide"), "flows.csv:2: column id: must not be empty"},
		{mill.with("flows.csv", "id,name", dioxide+",Carbon dioxide", dioxide+",CO2"),
			"flows.csv:3: column id: " + dioxide + " is already the id of line 2"},
	} {
		got := problems(t, c.files, &catalogue{})
		if len(got) == 0 {
			got = []string{""}
		}
		if got[0] != c.message {
			t.Errorf("got %q\nwant %q", got, c.message)
		}
	}
}
