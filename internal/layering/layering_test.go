// Package layering holds only a test. It keeps the packages of this module in
// their layers: commands → APIs and portal → gateway → core → lci, with the
// store at the side.
package layering

import (
	"slices"
	"strings"
	"testing"
)

// A path stands for that package and all below it, one of the standard library
// only for that package.
var (
	commands  = []string{"cradle/cmd"}
	faces     = []string{"cradle/internal/rest", "cradle/internal/graph", "cradle/internal/portal"}
	gateway   = []string{"cradle/internal/gateway"}
	gql       = []string{"cradle/internal/gql"}
	core      = []string{"cradle/internal/library", "cradle/internal/purchase", "cradle/internal/account", "cradle/internal/webhook", "cradle/internal/freshness"}
	nouns     = []string{"cradle/internal/lci", "cradle/internal/fault", "cradle/internal/event"}
	ingest    = []string{"cradle/internal/ingest", "cradle/internal/formats", "cradle/internal/flowmatch", "cradle/internal/export"}
	importing = []string{"cradle/internal/importing"}
	store     = []string{"cradle/internal/store"}
	storetest = []string{"cradle/internal/store/storetest"}
	testOnly  = []string{"cradle/internal/pgtest", "cradle/internal/contract"}
	clients   = []string{"cradle/client"}
	drivers   = []string{"modernc.org/sqlite", "github.com/jackc/pgx"}
	everyone  = []string{"cradle"}
	// Records are lci's struct types, which hold unmasked values. All packages
	// may use its ids, enumerations and functions.
	records       = []string{"records of cradle/internal/lci"}
	recordKeepers = slices.Concat(nouns, ingest, importing, store, commands,
		[]string{"cradle/internal/library", "cradle/internal/purchase", "cradle/internal/demo", "cradle/internal/calculation"})
)

// The rules apply to packages, not to their tests.
var rules = []rule{
	{
		of: nouns, only: slices.Concat(nouns, []string{"standard library", "golang.org/x/text"}),
		why: "the nouns are at the bottom: what they import, everything imports",
	},
	{
		of: clients, only: []string{"standard library"},
		why: "what others build into their own programs brings nothing with it",
	},
	{
		of: []string{"cradle/internal/lca"}, only: []string{"cradle/internal/lca", "gonum.org", "standard library"},
		why: "the numbers know nothing of what they stand for",
	},
	{
		of: []string{"cradle/internal/calculation"}, never: slices.Concat(store, core, gateway, faces), deep: true,
		why: "a calculation reads what it is given and stores nothing",
	},
	{
		of: store, except: storetest, never: []string{"cradle/internal/calculation", "cradle/internal/lca", "cradle/internal/formats", "cradle/internal/export", "cradle/internal/ingest/report"},
		why: "the commands choose what is read, written and calculated; the store keeps the rows",
	},
	{
		of: importing, never: slices.Concat(store, gateway, faces, []string{"database/sql", "cradle/internal/calculation", "cradle/internal/formats"}), deep: true,
		why: "an import decides what becomes of rows, and knows neither where they come from nor how they are kept",
	},
	{
		of: gql, only: []string{"standard library", "github.com/vektah/gqlparser"},
		why: "it answers GraphQL over any schema, and knows nothing of what is served",
	},
	{
		of: faces, never: slices.Concat(store, importing, ingest, []string{"database/sql"}), deep: true,
		why: "a face that reaches the data could show a value that was not pulled",
	},
	{
		of: everyone, except: recordKeepers, never: records,
		why: "only who must handles values in the clear; faces get them masked, from library",
	},
	{
		of: core, never: slices.Concat(store, gateway, faces), deep: true,
		why: "what the service does knows neither where data is kept nor how it is asked for",
	},
	{
		of: gateway, never: slices.Concat(store, faces), deep: true,
		why: "the edge is under all faces, so it knows none of them",
	},
	{
		of: everyone, except: slices.Concat(commands, store), never: store,
		why: "the commands choose the store; others declare the few methods they need",
	},
	{
		of: everyone, except: slices.Concat(store, testOnly), never: drivers,
		why: "all SQL is in the store",
	},
	{
		of: everyone, except: slices.Concat(testOnly, storetest), never: testOnly,
		why: "these packages are for tests and stay out of the product",
	},
}

func TestPackagesKeepTheirLayers(t *testing.T) {
	m, err := readModule("../..", "cradle")
	if err != nil {
		t.Fatal(err)
	}
	if len(m["cradle/internal/lci"].records) == 0 {
		t.Fatal("found no records in cradle/internal/lci: the rules would prove nothing")
	}
	for _, violation := range check(m, rules) {
		t.Error(violation)
	}
}

func TestViolationsAreFound(t *testing.T) {
	m, err := readModule("testdata/broken", "broken.test")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		rule rule
		want string
	}{
		{"an import", rule{of: []string{"broken.test/face"}, never: []string{"database/sql"}}, "broken.test/face must not import database/sql"},
		{"an import of a package below", rule{of: []string{"broken.test/face"}, never: []string{"broken.test"}}, "broken.test/face must not import broken.test/noun"},
		{"an import by way of another", rule{of: []string{"broken.test/command"}, never: []string{"database/sql"}, deep: true}, "broken.test/command must not import database/sql (by way of broken.test/face)"},
		{"an import beyond the few allowed", rule{of: []string{"broken.test/face"}, only: []string{"standard library"}}, "broken.test/face must not import broken.test/noun"},
		{"a record under another name", rule{of: []string{"broken.test/face"}, never: []string{"records of broken.test/noun"}}, "broken.test/face must not use broken.test/noun.Price"},
		{"records without a qualifier", rule{of: []string{"broken.test/dotted"}, never: []string{"records of broken.test/noun"}}, "broken.test/dotted must not use broken.test/noun.*"},

		{"not: an import by way of another, when only direct ones count", rule{of: []string{"broken.test/command"}, never: []string{"database/sql"}}, ""},
		{"not: a package that is excepted", rule{of: []string{"broken.test"}, except: []string{"broken.test/face"}, never: []string{"database/sql"}}, ""},
		{"not: a name that only starts alike", rule{of: []string{"broken.test/fac"}, never: []string{"database/sql"}}, ""},
		{"not: a standard package below a barred one", rule{of: []string{"broken.test"}, never: []string{"database"}}, ""},
		{"not: what a test imports", rule{of: []string{"broken.test"}, never: []string{"net/http"}}, ""},
		{"not: another module", rule{of: []string{"broken.test"}, never: []string{"os"}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.rule.why = "because"
			got := check(m, []rule{test.rule})
			if test.want == "" && len(got) > 0 {
				t.Errorf("got %q, want none", got)
			}
			if test.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], test.want+": because")) {
				t.Errorf("got %q, want one: %q", got, test.want)
			}
		})
	}
}
