package purchase

import (
	"slices"
	"strings"
	"testing"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

func TestParseItems(t *testing.T) {
	a, b := lci.NewID(), lci.NewID()
	many := func(n int) []string { return slices.Repeat([]string{a.String()}, n) }
	for _, c := range []struct {
		name    string
		kind    Kind
		texts   []string
		want    []lci.ID
		refused string
	}{
		{"one", Properties, many(1), []lci.ID{a}, ""},
		{"in order, in capitals, repeated", Products, []string{strings.ToUpper(b.String()), a.String(), b.String()}, []lci.ID{b, a, b}, ""},
		{"as many as allowed", Impacts, many(500), slices.Repeat([]lci.ID{a}, 500), ""},
		{"too many, repeated ones counted", Properties, many(501), nil, "propertyIds must have 1 to 500 entries, it has 501"},
		{"too many materials", Datapoints, many(101), nil, "materialIds must have 1 to 100 entries, it has 101"},
		{"none", Products, nil, nil, "referenceProductIds must have 1 to 500 entries, it has 0"},
		{"no UUID", Properties, []string{a.String(), "x"}, nil, `propertyIds[1] is not a UUID: "x"`},
		{"no method", Impacts, []string{"x"}, nil, `characterizationFactorIds[0] is not a UUID or <method_id>,<process_id>: "x"`},
		{"a very long one", Datapoints, []string{strings.Repeat("ä", 5000)}, nil, "materialIds[0] is not a UUID"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.kind.ParseItems(c.texts, lci.ID{})
			if c.refused == "" {
				if err != nil || !slices.Equal(got, c.want) {
					t.Errorf("%v, %v", got, err)
				}
				return
			}
			if f := fault.As(err); f == nil || f.Kind != fault.Invalid || !strings.Contains(f.Message, c.refused) || len(f.Message) > 300 {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestParseMethod(t *testing.T) {
	method, process, other := lci.NewID(), lci.NewID(), lci.NewID()
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"bare", method.String(), true},
		{"composite", method.String() + "," + process.String(), true},
		{"in capitals", strings.ToUpper(method.String() + "," + process.String()), true},
		{"another process", method.String() + "," + other.String(), false},
		{"a comma only", method.String() + ",", false},
		{"a comma in front", "," + process.String(), false},
		{"three parts", method.String() + "," + process.String() + "," + process.String(), false},
		{"with space", method.String() + ", " + process.String(), false},
		{"no UUID", "x", false},
		{"no process", method.String() + ",x", false},
		{"empty", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseMethod(c.text, process)
			if (err == nil) != c.ok || c.ok && got != method {
				t.Errorf("%q: %v, %v", c.text, got, err)
			}
		})
	}
}

func FuzzParseMethod(f *testing.F) {
	process, _ := lci.ParseID("0f8fad5b-d9cb-469f-a165-70867728950e")
	const method = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
	for _, seed := range []string{"", ",", method, method + "," + process.String(), method + "," + method, method + ",", strings.ToUpper(method)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := parseMethod(text, process)
		if err != nil {
			return
		}
		lower := strings.ToLower(text)
		if lower != string(id.Append(nil)) && lower != string(id.Append(nil))+","+process.String() {
			t.Errorf("%q is read as %s", text, id)
		}
	})
}
