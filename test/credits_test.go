package test

import "testing"

// A key reads the credits that it spends, and a pull is seen by the next read.
func TestCredits(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary())
		live := s.buyer(t, 100)
		sandbox := live.withKey(s.test)
		live.get("/public/credits").is(200).says(obj{"balance": 100.0, "mode": "live"})
		pullProperties(live, steel, 1, density).is(200)
		live.get("/public/credits").is(200).says(obj{"balance": 98.0, "mode": "live"})
		sandbox.get("/public/credits").is(200).says(obj{"balance": 1000.0, "mode": "sandbox"})
	})
}
