package main

import (
	"fmt"
	"sync/atomic"

	"cradle/bench/load"
	"cradle/bench/raw"
	"cradle/bench/sample"
	"cradle/internal/account"
	"cradle/internal/lci"
)

// teams is how many teams share the connections, if not one has them all.
const teams = 8

// pulls measures pulls of one property over HTTP against the same statements
// through the driver alone.
func (b *bench) pulls(lib sample.Library, engines []*engine) error {
	for _, e := range engines {
		if err := b.pullsOf(lib, e); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return nil
}

func (b *bench) pullsOf(lib sample.Library, e *engine) error {
	b.say("%s: making teams that pull", e.name)
	served, err := b.wallets(lib, e, "Pulls over HTTP")
	if err != nil {
		return err
	}
	direct, err := b.wallets(lib, e, "Raw pulls")
	if err != nil {
		return err
	}
	db, err := raw.Open(b.ctx, e.db)
	if err != nil {
		return err
	}
	defer db.Close()
	crowds := []struct {
		name         string
		connections  int
		firstWallet  int
		walletsTaken int
	}{
		{"1 connection", 1, 0, 1},
		{fmt.Sprintf("%d connections of one team", connections), connections, 0, 1},
		{fmt.Sprintf("%d connections of %d teams", connections, teams), connections, 1, teams},
	}
	var contestants []contestant
	for _, crowd := range crowds {
		over := contestant{name: e.name + ", " + crowd.name, server: e.server, metrics: e.metrics}
		beside := contestant{name: e.name + " driver, " + crowd.name}
		for i := range crowd.connections {
			at := crowd.firstWallet + i%crowd.walletsTaken
			over.sources = append(over.sources, served[at].source(e))
			beside.works = append(beside.works, direct[at].work(db))
		}
		contestants = append(contestants, beside, over)
	}
	scores, err := b.contest("pulls on "+e.name, contestants...)
	if err != nil {
		return err
	}
	for i := 0; i < len(scores); i += 2 {
		beside, over := scores[i], scores[i+1]
		b.report.add(ratio{section: "Pulls", what: over.name, figure: perSecond(over.rate()), beside: "driver " + perSecond(beside.rate()),
			value: over.against(beside), want: atLeast(0.5)})
	}
	return b.check(e)
}

// wallet is a team that pulls one property after the other, never one twice.
type wallet struct {
	team    lci.ID
	library sample.Library
	next    *atomic.Int64
}

// wallets makes one wallet for its own crowd and the others.
func (b *bench) wallets(lib sample.Library, e *engine, label string) ([]wallet, error) {
	made := make([]wallet, 1+teams)
	for i := range made {
		team, err := b.team(e, fmt.Sprintf("%s %d", label, i))
		if err != nil {
			return nil, err
		}
		made[i] = wallet{team, lib, new(atomic.Int64)}
	}
	return made, nil
}

// item is the next property, with its material.
func (w wallet) item() (material, property lci.ID) {
	n := int(w.next.Add(1)) - 1
	i, j := n%w.library.Materials, n/w.library.Materials
	return w.library.MaterialID(i), w.library.PropertyID(i, j)
}

// source sends pulls. If the properties run out, the service refuses the next
// pull and the measurement fails: pulling owned items would cost less.
func (w wallet) source(e *engine) load.Source {
	return func() []byte {
		material, property := w.item()
		return e.post(w.team, materialsPath+"/"+material.String()+"/properties/pull",
			fmt.Appendf(nil, `{"propertyIds":["%s"],"userCount":1}`, property))
	}
}

func (w wallet) work(db *raw.Database) load.Work {
	of := account.Wallet{Team: w.team, Mode: account.Live}
	return func() (int, error) {
		material, property := w.item()
		return 0, db.Pull(of, material, property)
	}
}

// check has the service verify what was written, by itself and by the driver.
func (b *bench) check(e *engine) error {
	b.say("%s: checking what was written", e.name)
	var found struct {
		OK       bool
		Problems []any
	}
	if _, err := b.cradle.do(b.ctx, e.db, &found, "check"); err != nil {
		return err
	}
	if !found.OK {
		return fmt.Errorf("cradle check: %v", found.Problems)
	}
	return nil
}
