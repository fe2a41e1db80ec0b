package test

import (
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The tests of numbers run small libraries through the commands. Records have
// names; their ids are derived from kind and name. Emissions are carbon dioxide,
// with a score of 1 per kg.

func idOf(kind, name string) string {
	sum := sha256.Sum256([]byte(kind + " " + name))
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// climate is the method, a library of its own.
func climate() library {
	own, indicated := idOf("method", "Climate"), idOf("indicator", "CO2")
	return library{
		methods:    []method{{ID: own, Name: "Climate", Version: "1"}},
		indicators: []indicator{{ID: indicated, Method: own, Category: "Climate change", Name: "CO2", Unit: "kg"}},
		factors:    []factor{{Indicator: indicated, Flow: co2, Value: "1"}},
		flows:      []flow{{ID: co2, Name: "Carbon dioxide", Compartment: "air", Unit: "kg"}},
	}
}

// with is a library with one process more.
func (l library) with(name string, exchanges ...exchange) library {
	id := idOf("process", name)
	more := library{processes: []process{{ID: id, Name: name}}}
	for i, x := range exchanges {
		x.Process, x.ID = id, idOf("exchange", name+" "+itoa(i))
		more.exchanges = append(more.exchanges, x)
	}
	return l.plus(more)
}

func line(direction, name, amount string) exchange {
	value, unit, _ := strings.Cut(amount, " ")
	return exchange{Direction: direction, Flow: idOf("flow", name), Name: name, Value: value, Unit: unit}
}

func takes(name, amount string) exchange { return line("input", name, amount) }

func makes(name, amount string) exchange {
	x := line("output", name, amount)
	x.Reference = "true"
	return x
}

// avoids is a credit.
func avoids(name, amount string) exchange {
	x := takes(name, amount)
	x.Avoided = "true"
	return x
}

// wastes is what has to be treated.
func wastes(name, amount string) exchange {
	x := line("output", name, amount)
	x.Type = "waste"
	return x
}

// treats is the waste that a treatment is for.
func treats(name, amount string) exchange {
	x := makes(name, amount)
	x.Type = "waste"
	return x
}

func emits(amount string) exchange {
	x := line("output", "Carbon dioxide", amount)
	x.Flow, x.Type = co2, "elementary"
	return x
}

func (x exchange) from(process string) exchange  { x.Provider = idOf("process", process); return x }
func (x exchange) bearing(share string) exchange { x.Share = share; return x }

// A numericReport is what an import reports about numbers.
type numericReport struct {
	Causes []struct {
		Class            string
		Processes, Notes int
	}
	Processes   tally
	Warnings    []noted
	Calculation struct {
		CutOffs int
		Notes   []noted
	}
}

type noted struct {
	Class, Record, Message string
	In                     []string
}

// of returns the notes of a class, by record.
func (r numericReport) of(class string) map[string]noted {
	found := map[string]noted{}
	for _, n := range slices.Concat(r.Warnings, r.Calculation.Notes) {
		if n.Class == class {
			found[n.Record] = n
		}
	}
	return found
}

// checkNoted compares what the notes of a class are about.
func (r numericReport) checkNoted(t testing.TB, class string, records ...string) {
	t.Helper()
	records = slices.Sorted(slices.Values(records)) // both engines share them
	if got := slices.Sorted(maps.Keys(r.of(class))); !slices.Equal(got, records) {
		t.Errorf("noted as %s: %q, want %q", class, got, records)
	}
}

// names reports whether a note is about something.
func (r numericReport) names(record string) bool {
	return slices.ContainsFunc(r.Calculation.Notes, func(n noted) bool { return n.Record == record || strings.Contains(n.Record, `"`+record+`"`) })
}

// imports imports libraries together.
func (in *installation) imports(t testing.TB, paths ...string) numericReport {
	t.Helper()
	return command[numericReport](t, in, append([]string{"import"}, paths...)...)
}

func records(t testing.TB, table string) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]string
	for _, row := range rows[min(1, len(rows)):] {
		record := map[string]string{}
		for i, cell := range row {
			record[rows[0][i]] = cell
		}
		all = append(all, record)
	}
	return all
}

// exportedScores are the impact rows of the catalogue, by process and indicator.
func exportedScores(t testing.TB, in *installation) map[string]float64 {
	t.Helper()
	files := exported(t, in)
	names := cells(t, files["processes.csv"], "id", "name")
	scores := map[string]float64{}
	for _, row := range records(t, files["impacts.csv"]) {
		value, err := strconv.ParseFloat(row["value"], 64)
		key := names[row["process_id"]] + "/" + row["indicator"]
		if _, twice := scores[key]; twice || err != nil {
			t.Fatalf("a second row or no number: %v", row)
		}
		if row["deleted"] != "true" {
			scores[key] = value
		}
	}
	return scores
}

// checkNumbers compares all rows of the catalogue, to 11 digits.
func checkNumbers(t testing.TB, in *installation, want map[string]float64) {
	t.Helper()
	got := exportedScores(t, in)
	if !maps.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-11*math.Abs(b) }) {
		t.Errorf("the scores are\n%v, want\n%v", got, want)
	}
}
