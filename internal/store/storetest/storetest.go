// Package storetest is the store's contract as a test suite that runs on every
// engine.
package storetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/importing"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/purchase"
	"cradle/internal/store"
)

// Open opens an empty database for a test.
type Open func(t testing.TB) *store.Store

// Run checks that a store does what its users expect.
func Run(t *testing.T, open Open) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Open)
	}{
		{"import counts what became of each row", importCounts},
		{"import remembers the last one", importRemembers},
		{"import replaces the exchanges of a process as a whole", importReplacesExchanges},
		{"newer editions stay", newerEditionsStay},
		{"import decides who may see what it reads", importVisibility},
		{"prune deletes what was not read, once", importPrunes},
		{"prune keeps methods that are still used", pruneKeepsUsedMethods},
		{"dry run changes nothing", importDryRun},
		{"failed import changes nothing", importFails},
		{"a row that is read twice is stored once", importTwiceInOne},
		{"what is known of a flow stays where a library leaves it open", importGathersFlows},
		{"imports at once happen one after the other", importsAtOnce},
		{"catalogue is in order of folded names", catalogueOrder},
		{"records come back as they were imported", recordsComeBack},
		{"deleted rows do not come out", deletedStaysInside},
		{"contested records are named", contestedRecords},
		{"reveals of what is gone do not come out", revealsOfWhatIsGone},
		{"versions tell what changed", versions},
		{"pulls of the same items debit each once", racingForTheSame},
		{"pulls never spend more than there is", racingForTheLast},
		{"refused trade leaves nothing", refusedTrade},
		{"counter shows what a team can see", counterVisibility},
		{"same idempotency key is carried out once", idempotentRace},
		{"claim ends with its transaction", claims},
		{"answers are kept until they are forgotten", answersForgotten},
		{"look sees one state and settles nothing", look},
		{"export imports again to the same catalogue", exportRoundTrip},
		{"export holds what a calculation needs", exportInventory},
		{"export after a prune imports again", exportAfterPrune},
		{"team's export holds what was revealed to it", exportOwned},
		{"event is queued with its purchase, for the endpoints that want it", queueing},
		{"endpoint without a choice of events gets those of later versions too", laterTypes},
		{"commit wakes those who wait for deliveries", commitWakes},
		{"claim is a lease", claimJob},
		{"claims at once never share a delivery", claimsAtOnce},
		{"claim keeps to its limits", claimLimits},
		{"a long queue of one endpoint hides no other", backlogHidesNobody},
		{"attempt is recorded once", recordOnce},
		{"endpoint changes while an attempt is under way", midway},
		{"endpoints are switched during pulls", switchedDuringPulls},
		{"listener is not disabled", listenersStayEnabled},
		{"deliveries are kept until they are pruned", pruneDeliveries},
		{"deliveries are found", deliveryFilters},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, open)
		})
	}
}

var epoch = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

func id(name string) lci.ID { return lci.DerivedID("test", name) }

func pointer(n float64) *float64 { return &n }

// buyer is a member of a team with credits.
type buyer struct {
	viewer account.Viewer
	key    lci.ID
}

// addBuyer adds a user with a team, live credits and a key.
func addBuyer(t testing.TB, s *store.Store, name string, credits int64) buyer {
	t.Helper()
	user := account.User{ID: id("user " + name), Email: name + "@example.org", Firstname: name, Lastname: "L", CreatedAt: epoch}
	team := account.Team{ID: id("team " + name), Label: name}
	secret := account.NewSecret(account.Live)
	key := account.StoredKey{
		Key:  account.Key{ID: id("key " + name), UserID: user.ID, Mode: account.Live, Prefix: account.ShownPrefix(secret), CreatedAt: epoch},
		Hash: account.HashSecret(secret),
	}
	must(t, s.AddUser(t.Context(), user, user.Email, ""))
	must(t, s.AddTeam(t.Context(), team, user.ID, 1000, epoch))
	must(t, s.AddKey(t.Context(), key))
	if credits > 0 {
		_, err := s.Grant(t.Context(), account.Wallet{Team: team.ID, Mode: account.Live}, credits, "start")
		must(t, err)
	}
	return buyer{account.Viewer{User: user.ID, Team: team.ID, Mode: account.Live, Key: key.ID}, key.ID}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// expectSound expects the database to pass its check.
func expectSound(t testing.TB, s *store.Store) {
	t.Helper()
	c, err := s.Check(t.Context())
	must(t, err)
	if len(c.Problems) > 0 {
		t.Errorf("problems:\n%s", strings.Join(c.Problems, "\n"))
	}
}

func generation(t testing.TB, s *store.Store) int64 {
	t.Helper()
	n, err := s.Generation(t.Context())
	must(t, err)
	return n
}

// library is an ingest.Library in memory.
type library struct {
	methods         []lci.Method
	indicators      []lci.Indicator
	factors         []lci.Factor
	materials       []lci.Material
	properties      []lci.Property
	materialImpacts []lci.MaterialImpact
	processes       []lci.Process
	exchanges       []lci.Exchange
	flows           []lci.Flow
	allocations     []lci.Allocation
	impacts         []lci.Impact
	err             error // ends Read
}

func (l *library) Check(context.Context, ingest.Existing, ingest.Progress) ([]ingest.Warning, error) {
	return []ingest.Warning{{File: "f", Line: 1, Message: "m"}}, nil
}

func (l *library) Read(_ context.Context, to ingest.Writer, _ ingest.Progress) error {
	steps := []error{
		every(l.flows, to.Flow),
		every(l.methods, to.Method), every(l.indicators, to.Indicator), every(l.factors, to.Factor),
		every(l.materials, to.Material), every(l.properties, to.Property), every(l.materialImpacts, to.MaterialImpact),
		every(l.processes, to.Process), every(l.exchanges, to.Exchange), every(l.allocations, to.Allocation), every(l.impacts, to.Impact),
	}
	for _, err := range steps {
		if err != nil {
			return err
		}
	}
	return l.err
}

func every[T any](rows []T, write func(T) error) error {
	for _, row := range rows {
		if err := write(row); err != nil {
			return err
		}
	}
	return nil
}

func (l *library) Close() error { return nil }

// example is a library with something of every kind: two materials, one of them
// with two properties, two processes and two methods.
func example() *library {
	return &library{
		methods:    []lci.Method{{ID: id("ef"), Name: "EF", Version: "3.1"}, {ID: id("recipe"), Name: "ReCiPe", Version: "1"}},
		indicators: []lci.Indicator{{ID: id("gwp"), MethodID: id("ef"), Category: "Climate", Name: "GWP", Unit: "kg CO2"}},
		factors:    []lci.Factor{{IndicatorID: id("gwp"), FlowID: id("co2"), Value: 1}, {IndicatorID: id("gwp"), FlowID: id("ch4"), Value: 29.8}},
		materials: []lci.Material{
			{ID: id("steel"), Name: "Steel", Source: "s", SourceOrganization: "o", FunctionalUnit: "1 kg", Compartment: "c", RegionalScopes: []string{"RER", "GLO"}, DatePublished: "2025-01-31"},
			{ID: id("ore"), Name: "Ore"},
		},
		properties: []lci.Property{
			{ID: id("density"), MaterialID: id("steel"), Position: 0, Name: "Density", Value: 7850, Unit: "kg/m3", Mean: pointer(7800.5), StandardDeviation: pointer(1e-300), Description: "d", Source: "s", SourceOrganization: "o", DatePublished: "2025-02-01", Price: 1},
			{ID: id("modulus"), MaterialID: id("steel"), Position: 1, Name: "Modulus", Value: -0.1, Unit: "GPa", Price: 5},
		},
		materialImpacts: []lci.MaterialImpact{{ID: id("mi"), PropertyID: id("density"), MethodID: id("recipe"), Category: "c", Indicator: "i", Value: 3, Unit: "u"}},
		processes: []lci.Process{
			{ID: id("smelting"), Name: "Smelting", Description: "d", Sources: []string{"https://a.example", "https://b.example"}, SourceOrganization: "o", Region: "RER", Boundary: lci.Disaggregated, FunctionalUnit: "1 kg", DatePublished: "2025-03-01", Price: 3},
			{ID: id("mining"), Name: "Mining", Boundary: lci.Aggregated, Price: 1},
		},
		exchanges: []lci.Exchange{
			{ID: id("x-steel"), ProcessID: id("smelting"), Position: 0, Direction: lci.Output, FlowID: id("steel product"), MaterialID: id("steel"), Name: "Steel", Value: 1, Unit: "kg", Type: lci.Intermediate, Reference: true},
			{ID: id("x-ore"), ProcessID: id("smelting"), Position: 1, Direction: lci.Input, FlowID: id("ore flow"), MaterialID: id("ore"), Name: "Ore", Value: 1.5, Unit: "kg", Type: lci.Intermediate, ProviderID: id("mining"), Mean: pointer(1.4), StandardDeviation: pointer(0.25)},
			{ID: id("x-mined"), ProcessID: id("mining"), Position: 0, Direction: lci.Output, FlowID: id("ore product"), MaterialID: id("ore"), Name: "Ore", Value: 1, Unit: "kg", Type: lci.Intermediate, Reference: true},
			{ID: id("x-co2"), ProcessID: id("mining"), Position: 1, Direction: lci.Output, FlowID: id("co2"), Name: "CO2", Value: 0.1, Unit: "kg", Type: lci.Elementary},
		},
		impacts: []lci.Impact{
			{ID: id("i-gwp"), ProcessID: id("smelting"), MethodID: id("ef"), Position: 0, Category: "Climate", Indicator: "GWP", Value: 2.5, Unit: "kg CO2"},
			{ID: id("i-ap"), ProcessID: id("smelting"), MethodID: id("ef"), Position: 1, Category: "Acid", Indicator: "AP", Value: 0, Unit: "mol"},
			{ID: id("i-mining"), ProcessID: id("mining"), MethodID: id("ef"), Position: 0, Indicator: "GWP", Value: 1e21, Unit: "kg CO2"},
		},
	}
}

func load(t testing.TB, s *store.Store, l *library, o ingest.Options) ingest.Report {
	t.Helper()
	report, err := importing.Import(t.Context(), s, l, o, func(int64, int64) {})
	must(t, err)
	return report
}

func desk(s *store.Store) *purchase.Service {
	return purchase.NewService(s, func() time.Time { return epoch })
}
