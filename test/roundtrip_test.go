package test

import (
	"maps"
	"math"
	"testing"
)

// checkRoundTrip exports the catalogue as a bundle, imports that into an empty
// database, and checks that scores and bundle are the same.
func checkRoundTrip(t *testing.T, e engine, in *installation) {
	t.Helper()
	want, files := exportedScores(t, in), exported(t, in)
	twin := install(t, e)
	twin.imports(t, folder(t, files))
	got := exportedScores(t, twin)
	if !maps.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-11*math.Abs(b) }) {
		t.Errorf("the scores are\n%v, were\n%v", got, want)
	}
	compareFiles(t, files, exported(t, twin), "exported again")
}

// The method came as a separate library, and was matched by names and coarser
// compartments in one library, by ids in the other. A bundle is one library.
func TestABundleKeepsTheScoresOfMatchedFlows(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		for _, l := range []library{plantEmitting("Our plant", lead, zinc, ground), plantEmitting("Their plant", theirLead, theirZinc, theirGround, ground), ourMethod(library{})} {
			in.imports(t, l.write(t))
		}
		checkNumbers(t, in, map[string]float64{"Our plant/Ours": 11, "Their plant/Ours": 211})
		checkRoundTrip(t, e, in)
	})
}

// Allocation that only openLCA's format can state is kept.
func TestABundleKeepsTheScoresOfSharedProducts(t *testing.T) {
	p := pack{}.withCarbonDioxide()
	for _, s := range sharings {
		s.add(p)
	}
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		in.imports(t, folder(t, p), climate().write(t))
		checkRoundTrip(t, e, in)
	})
}
