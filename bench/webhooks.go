package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"cradle/bench/load"
	"cradle/bench/sample"
	"cradle/internal/lci"
	"cradle/internal/pgtest"
)

const (
	manyEndpoints   = 8
	waitingMeant    = 1000
	slowAnswer      = 12 * time.Second // less than a receiver has
	hookRounds      = 3
	deliveredWanted = 2000
)

// webhooks measures deliveries to a receiver in this process, pulls while
// deliveries wait for a slow receiver, and deliveries beside very many finished
// ones.
func (b *bench) webhooks() (err error) {
	if err := os.Setenv("CRADLE_WEBHOOK_ALLOW", "127.0.0.1"); err != nil {
		return err
	}
	cluster, err := pgtest.StartCluster(pgtest.Durable())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Close()) }()
	lib := sample.Library{Materials: b.Hooked, Properties: propertiesEach}
	folder := b.path("hooked")
	if err := lib.Write(folder); err != nil {
		return err
	}
	for _, e := range []*engine{{name: "SQLite", db: b.path("hooked.db")}, {name: "PostgreSQL", db: cluster.DSN()}} {
		if err := b.webhooksOf(lib, e, folder); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return nil
}

func (b *bench) webhooksOf(lib sample.Library, e *engine, folder string) error {
	if err := b.open(e, folder); err != nil {
		return err
	}
	defer func() { e.server.Stop() }()
	empty, err := b.deliveries(lib, e, "few finished")
	if err != nil {
		return fmt.Errorf("deliveries: %w", err)
	}
	for i, rates := range empty {
		b.report.add(ratio{section: "Webhooks", what: e.name + ", deliveries to " + crowds[i].name, figure: perSecond(median(rates)),
			beside: perSecond(deliveredWanted), value: median(rates) / deliveredWanted, want: atLeast(1)})
	}
	if err := b.pullsBesideWaiting(lib, e); err != nil {
		return fmt.Errorf("pulls: %w", err)
	}
	if err := b.check(e); err != nil {
		return err
	}
	b.say("%s: writing %s finished deliveries", e.name, count(b.Finished))
	if err := b.finish(e); err != nil {
		return fmt.Errorf("write finished deliveries: %w", err)
	}
	full, err := b.deliveries(lib, e, "many finished")
	if err != nil {
		return fmt.Errorf("deliveries: %w", err)
	}
	for i, rates := range full {
		b.report.add(ratio{section: "Webhooks", what: fmt.Sprintf("%s, to %s beside %s finished", e.name, crowds[i].name, count(b.Finished)),
			figure: perSecond(median(rates)), beside: "few " + perSecond(median(empty[i])), value: median(rates) / median(empty[i]), want: atLeast(0.8)})
	}
	return nil
}

// crowds are how many endpoints the same deliveries go to.
var crowds = []struct {
	name      string
	endpoints int
}{{"1 endpoint", 1}, {fmt.Sprintf("%d endpoints", manyEndpoints), manyEndpoints}}

// deliveries releases held deliveries a few times, and returns for each crowd
// how many per second arrived.
func (b *bench) deliveries(lib sample.Library, e *engine, when string) ([][]float64, error) {
	r, err := listen(0)
	if err != nil {
		return nil, err
	}
	defer r.close()
	rates := make([][]float64, len(crowds))
	for i, crowd := range crowds {
		w, endpoints, err := b.hooked(lib, e, r, crowd.endpoints)
		if err != nil {
			return nil, err
		}
		for round := range hookRounds {
			if err := b.eachEndpoint(e, "disable", endpoints); err != nil {
				return nil, err
			}
			if err := pullMany(e, w, b.Held/crowd.endpoints); err != nil {
				return nil, err
			}
			if b.Profiles != "" && round == hookRounds-1 {
				go b.profile(contestant{name: e.name + " deliveries to " + crowd.name + " " + when, metrics: e.metrics})
			}
			rate, err := r.timed(b.Held, func() error { return b.eachEndpoint(e, "enable", endpoints) })
			if err != nil {
				return nil, err
			}
			b.say("%s: %s, %s: %s", e.name, crowd.name, when, perSecond(rate))
			rates[i] = append(rates[i], rate)
		}
		if err := b.eachEndpoint(e, "remove", endpoints); err != nil {
			return nil, err
		}
	}
	return rates, nil
}

// hooked makes a team with endpoints at a receiver.
func (b *bench) hooked(lib sample.Library, e *engine, r *receiver, endpoints int) (w wallet, ids []string, err error) {
	team, err := b.team(e, "Webhooks")
	if err != nil {
		return w, nil, err
	}
	for range endpoints {
		id, err := b.endpoint(e, team, r)
		if err != nil {
			return w, nil, err
		}
		ids = append(ids, id)
	}
	return wallet{team, lib, new(atomic.Int64)}, ids, nil
}

func (b *bench) endpoint(e *engine, team lci.ID, r *receiver) (string, error) {
	var made struct{ ID string }
	_, err := b.cradle.do(b.ctx, e.db, &made, "webhook", "add", "--team", team.String(), "--url", r.url())
	return made.ID, err
}

// eachEndpoint enables, disables or removes endpoints, all at once.
func (b *bench) eachEndpoint(e *engine, verb string, ids []string) error {
	errs := make([]error, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() { _, errs[i] = b.cradle.do(b.ctx, e.db, nil, "webhook", verb, id) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// pullMany makes n pulls as fast as it can.
func pullMany(e *engine, w wallet, n int) error {
	var begun atomic.Int64
	errs := make([]error, connections)
	next := w.source(e)
	var wg sync.WaitGroup
	for i := range connections {
		wg.Go(func() {
			conn, err := load.Dial(e.server.Address())
			if err != nil {
				errs[i] = err
				return
			}
			defer conn.Close()
			for errs[i] == nil && begun.Add(1) <= int64(n) {
				_, errs[i] = conn.Do(next())
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// pullsBesideWaiting measures pulls while a thousand deliveries are due at a
// slow endpoint, and while they are held. The team that pulls has a disabled
// endpoint, so that each of its pulls wakes the workers.
func (b *bench) pullsBesideWaiting(lib sample.Library, e *engine) error {
	slow, err := listen(slowAnswer)
	if err != nil {
		return err
	}
	defer slow.close()
	w, waiting, err := b.hooked(lib, e, slow, 1)
	if err != nil {
		return err
	}
	if err := b.eachEndpoint(e, "disable", waiting); err != nil {
		return err
	}
	// More than needed: some leave during the measurement.
	if err := pullMany(e, w, waitingMeant*6/5); err != nil {
		return err
	}
	for _, size := range []int{1, connections} {
		if err := b.pullsBeside(lib, e, slow, waiting, size); err != nil {
			return err
		}
	}
	return b.eachEndpoint(e, "remove", waiting)
}

func (b *bench) pullsBeside(lib sample.Library, e *engine, r *receiver, waiting []string, size int) error {
	puller, own, err := b.hooked(lib, e, r, 1)
	if err != nil {
		return err
	}
	if err := b.eachEndpoint(e, "disable", own); err != nil {
		return err
	}
	c := contestant{server: e.server, metrics: e.metrics}
	for range size {
		c.sources = append(c.sources, puller.source(e))
	}
	title := fmt.Sprintf("%s, pulls over %d connections", e.name, size)
	if size == 1 {
		title = e.name + ", pulls over 1 connection"
	}
	scores := []score{{name: title + ", none waiting"}, {name: fmt.Sprintf("%s, %s waiting", title, count(waitingMeant))}}
	for round := range b.Rounds {
		b.say("%s: round %d of %d", title, round+1, b.Rounds)
		for i, verb := range []string{"disable", "enable"} {
			if err := b.eachEndpoint(e, verb, waiting); err != nil {
				return err
			}
			time.Sleep(time.Second) // the worker may notice only by polling
			c.name = scores[i].name
			if err := b.turn(c, &scores[i], round == b.Rounds-1); err != nil {
				return err
			}
		}
		if err := b.eachEndpoint(e, "disable", waiting); err != nil {
			return err
		}
	}
	b.report.figures(title, scores)
	without, with := scores[0], scores[1]
	b.say("%s: p50 %.2f ms, %.2f ms while none waits", with.name, with.p50(), without.p50())
	b.report.add(ratio{section: "Webhooks", what: with.name, figure: fmt.Sprintf("p50 %.2f ms", with.p50()),
		beside: fmt.Sprintf("none %.2f ms", without.p50()), value: with.slower(without), want: atMost(1.2)})
	return b.eachEndpoint(e, "remove", own)
}
