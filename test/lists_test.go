package test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
)

// orderedNames are in list order: by the code points of the NFC, fully
// case-folded name, equal ones by id. The ids increase in this order.
var orderedNames = []string{
	"100 cotton",
	"100% cotton",
	"a b",
	"A-b",
	"a;b",
	"ab",
	"alu",
	"aluminium",
	"ALUMINIUM",
	"Aluminium",
	"aluminium foil",
	"\ufb01bre board", // a ligature that folds to f and i
	"iron",
	"İstanbul marble", // folds to i and a combining dot
	"Straße",
	"STRASSE breit",
	"under_score",
	"underXscore",
	"Zink",
	"Äthylen",
	"A\u0308THYLEN Oxid", // decomposed
	"ΣΊΣΥΦΟΣ",
	"σίσυφος",
	"\uff5ewave",      // above every surrogate in UTF-16, below in code points
	"\U0001F600 foam", // above every other
}

const samples = 130 // more than the longest page

// listLibrary has the same names as materials and as processes, in another
// order.
func listLibrary() (l library, ordered []string) {
	names := slices.Clone(orderedNames)
	at := slices.Index(names, "Straße")
	for i := range samples {
		names = slices.Insert(names, at+i, fmt.Sprintf("Sample %03d", i))
	}
	for i, name := range names {
		m, p := uid("aaaaaaaa", i), uid("cccccccc", i)
		l.materials = append(l.materials, material{ID: m, Name: name})
		l.processes = append(l.processes, process{ID: p, Name: name})
		l.exchanges = append(l.exchanges, exchange{Process: p, Direction: "output", Flow: uid("ffffffff", i), Name: name, Value: "1", Unit: "kg", Reference: "true"})
	}
	slices.Reverse(l.materials)
	slices.Reverse(l.processes)
	l.materials = append(l.materials, material{ID: uid("aaaaaaaa", 9000), Name: "Aluminium, deleted", Deleted: "true"})
	l.processes = append(l.processes, process{ID: uid("cccccccc", 9000), Name: "Aluminium, deleted", Deleted: "true"})
	l.exchanges = append(l.exchanges, exchange{Process: uid("cccccccc", 9000), Direction: "output", Name: "x", Value: "1", Unit: "kg", Reference: "true"})
	return l, names
}

var lists = []string{"/public/materials", "/public/processes"}

func TestLists(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		l, names := listLibrary()
		s := newService(t, e, l)
		for _, path := range lists {
			t.Run(path, func(t *testing.T) {
				c := s.as(t, s.home)
				t.Run("order and pages", func(t *testing.T) { checkPages(t, c, path, names) })
				t.Run("search", func(t *testing.T) { checkSearches(t, c, path, names) })
				t.Run("parameters", func(t *testing.T) { checkParameters(t, c, path) })
			})
		}
	})
}

func checkPages(t *testing.T, c *client, path string, names []string) {
	for _, limit := range []int{7, 25, 100} {
		var got, gotIDs []string
		for offset, more := 0, true; more; offset += limit {
			page := c.get(fmt.Sprintf("%s?limit=%d&offset=%d", path, limit, offset)).is(200)
			o := page.object()
			if o["total"] != float64(len(names)) {
				t.Fatalf("total %v, want %d", o["total"], len(names))
			}
			items := page.items()
			if want := min(limit, len(names)-offset); len(items) != want {
				t.Fatalf("%d items at %d, want %d", len(items), offset, want)
			}
			got, gotIDs = append(got, column(items, "name")...), append(gotIDs, column(items, "id")...)
			more = offset+len(items) < len(names)
			if o["hasMore"] != more {
				t.Fatalf("hasMore is %v at %d of %d", o["hasMore"], offset+len(items), len(names))
			}
		}
		if !slices.Equal(got, names) {
			t.Errorf("pages of %d: %q\nwant %q", limit, got, names)
		}
		if !slices.IsSorted(gotIDs) {
			t.Errorf("pages of %d: equal names do not stand by id: %q", limit, gotIDs)
		}
	}
	t.Run("25 by default", func(t *testing.T) {
		c := c.in(t)
		if got := column(c.get(path).items(), "name"); !slices.Equal(got, names[:25]) {
			t.Errorf("got %q", got)
		}
	})
	t.Run("at and beyond the end", func(t *testing.T) {
		c := c.in(t)
		for _, offset := range []string{itoa(len(names)), "100000", "2147483648", "9223372036854775807"} {
			got := c.get(path + "?offset=" + offset).is(200)
			if o := got.object(); len(got.items()) != 0 || o["total"] != float64(len(names)) || o["hasMore"] != false {
				t.Errorf("at %s: %s", offset, got.body)
			}
			got = c.withVersion(obsidian).get(path + "?offset=" + offset).is(200)
			if len(got.items()) != 0 {
				t.Errorf("at %s: %s", offset, got.body)
			}
		}
	})
	t.Run("the older version has the same records", func(t *testing.T) {
		c := c.in(t)
		old := c.withVersion(obsidian)
		got := append(column(old.get(path+"?limit=100").items(), "name"), column(old.get(path+"?limit=100&offset=100").items(), "name")...)
		if !slices.Equal(got, names) {
			t.Errorf("got %q", got)
		}
	})
}

func checkSearches(t *testing.T, c *client, path string, names []string) {
	for _, test := range []struct {
		search string
		want   []string
	}{
		{"ÄTHYLEN", []string{"Äthylen", "A\u0308THYLEN Oxid"}},
		{"äthylen", []string{"Äthylen", "A\u0308THYLEN Oxid"}},
		{"a\u0308thylen", []string{"Äthylen", "A\u0308THYLEN Oxid"}},
		{"ÄTHYLEN OX", []string{"A\u0308THYLEN Oxid"}},
		{"athylen", nil},
		{"straße", []string{"Straße", "STRASSE breit"}},
		{"STRASSE", []string{"Straße", "STRASSE breit"}},
		{"ss", []string{"Straße", "STRASSE breit"}},
		{"ẞ", []string{"Straße", "STRASSE breit"}},
		{"σίσυφοσ", []string{"ΣΊΣΥΦΟΣ", "σίσυφος"}},
		{"Σίσυφος", []string{"ΣΊΣΥΦΟΣ", "σίσυφος"}},
		{"FIBRE", []string{"\ufb01bre board"}},
		{"\ufb01", []string{"\ufb01bre board"}},
		{"i\u0307stanbul", []string{"İstanbul marble"}},
		{"%", []string{"100% cotton"}},
		{"0% c", []string{"100% cotton"}},
		{"_", []string{"under_score"}},
		{"r_s", []string{"under_score"}},
		{"RXS", []string{"underXscore"}},
		{"*", nil},
		{"?", nil},
		{`\`, nil},
		{`\%`, nil},
		{"'", nil},
		{`"`, nil},
		{"' OR 1=1 --", nil},
		{"ALU", []string{"alu", "aluminium", "ALUMINIUM", "Aluminium", "aluminium foil"}},
		{"aluminium, deleted", nil},
		{"  zink\t", []string{"Zink"}},
		{"\u00a0zink\u3000", []string{"Zink"}},
		{"um f", []string{"aluminium foil"}},
		{"alu\naluminium", nil},
		{"alu\x00aluminium", nil},
		{"\x00", nil},
		{"\n", names}, // only white space: none
		{"   ", names},
		{"", names},
		{"\U0001F600", []string{"\U0001F600 foam"}},
		{"\uff5e", []string{"\uff5ewave"}},
		{"sample 12", []string{"Sample 120", "Sample 121", "Sample 122", "Sample 123", "Sample 124", "Sample 125", "Sample 126", "Sample 127", "Sample 128", "Sample 129"}},
		{"z", []string{"Zink"}},
		{"nothing has this", nil},
	} {
		t.Run(fmt.Sprintf("%q", test.search), func(t *testing.T) {
			c := c.in(t)
			got := c.get(path + "?limit=100&search=" + url.QueryEscape(test.search)).is(200)
			want := test.want[:min(100, len(test.want))]
			if found := column(got.items(), "name"); !slices.Equal(found, want) {
				t.Errorf("found %q, want %q", found, want)
			}
			if o := got.object(); o["total"] != float64(len(test.want)) || o["hasMore"] != (len(test.want) > 100) {
				t.Errorf("total %v and hasMore %v for %d", o["total"], o["hasMore"], len(test.want))
			}
		})
	}
	t.Run("a semicolon as it is", func(t *testing.T) {
		c := c.in(t)
		for query, want := range map[string][]string{"search=a;b": {"a;b"}, "search=A;B&limit=1": {"a;b"}, "limit=2&search=;": {"a;b"}, "search=;a;b": nil, "other=a;b&search=zink": {"Zink"}} {
			if found := column(c.get(path+"?"+query).items(), "name"); !slices.Equal(found, want) {
				t.Errorf("%s found %q, want %q", query, found, want)
			}
		}
	})
	t.Run("pages of a search", func(t *testing.T) {
		c := c.in(t)
		var found []string
		for offset := 0; offset < samples; offset += 13 {
			got := c.get(fmt.Sprintf("%s?search=SAMPLE&limit=13&offset=%d", path, offset)).is(200)
			if o := got.object(); o["total"] != float64(samples) || o["hasMore"] != (offset+13 < samples) {
				t.Errorf("at %d: total %v, hasMore %v", offset, o["total"], o["hasMore"])
			}
			found = append(found, column(got.items(), "name")...)
		}
		if len(found) != samples || !slices.IsSorted(found) || len(slices.Compact(slices.Clone(found))) != samples {
			t.Errorf("found %q", found)
		}
	})
	t.Run("text that no name can have", func(t *testing.T) {
		c := c.in(t)
		for _, search := range []string{"%FF", "%C3%28", "%ED%A0%80"} {
			if got := c.get(path + "?search=" + search); got.status != 400 && (got.status != 200 || len(got.items()) != 0) {
				t.Errorf("search=%s answered %d: %s", search, got.status, got.body)
			}
		}
	})
}

func checkParameters(t *testing.T, c *client, path string) {
	notIntegers := []string{"", "-1", "%2B1", "+1", "1.0", "%201", "1%20", "1e2", "abc", "0x10", "1_0", "1,0", "%D9%A3", "null", "true", "1%00", "٣", "--1"}
	bad := map[string][]string{
		"limit":  append([]string{"0", "101", "1000", "2147483648", "99999999999999999999", "-0"}, notIntegers...),
		"offset": append([]string{"-99999999999999999999"}, notIntegers...),
		"pulled": {"", "True", "TRUE", "1", "0", "yes", "t", "%20true", "true%20", "null", "tru"},
	}
	for name, values := range bad {
		for _, value := range values {
			t.Run(name+"="+value, func(t *testing.T) {
				c := c.in(t)
				for _, path := range []string{path, path + "/pulled"} {
					c.get(path+"?"+name+"="+value).refuses(400, name)
					c.withVersion(obsidian).get(path+"?"+name+"="+value).refuses(400, name)
				}
			})
		}
	}
	t.Run("repeated", func(t *testing.T) {
		c := c.in(t)
		for _, query := range []string{"limit=1&limit=1", "limit=1&limit=2", "offset=0&offset=0", "pulled=true&pulled=true", "pulled=true&pulled=false"} {
			c.get(path + "?" + query).refuses(400)
		}
	})
	t.Run("good ones", func(t *testing.T) {
		c := c.in(t)
		for query, want := range map[string]int{"limit=1": 1, "limit=100": 100, "offset=0": 25, "offset=1&limit=3": 3, "pulled=false&limit=2": 2, "pulled=true": 0, "limit=%31": 1} {
			if got := c.get(path + "?" + query).items(); len(got) != want {
				t.Errorf("%s: %d items, want %d", query, len(got), want)
			}
		}
		for _, query := range []string{"", "?pulled=false", "?pulled=true", "?limit=5&offset=0"} {
			if got := c.get(path + "/pulled" + query).items(); len(got) != 0 {
				t.Errorf("/pulled%s: %d items, want none", query, len(got))
			}
		}
	})
	t.Run("a query that cannot be read", func(t *testing.T) {
		c := c.in(t)
		for _, query := range []string{"limit=%zz", "limit=5%", "limit=1;offset=2"} {
			if got := c.get(path + "?" + query); got.status != 400 {
				t.Errorf("%s answered %d", query, got.status)
			}
		}
	})
}

// Regions of a material are joined by commas.
func TestRegionalScopesAreJoined(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, library{materials: []material{{ID: steel, Name: "Steel", Regions: "RNA;US; RER"}}})
		got := column(s.as(t, s.home).get("/public/materials").items(), "regionalScopes")
		if len(got) != 1 || (got[0] != "RNA,US,RER" && got[0] != "RNA, US, RER") {
			t.Errorf("regionalScopes %q", got)
		}
	})
}
