package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cradle/bench/load"
	"cradle/bench/proc"
)

// contestant is something whose speed is measured beside that of others.
type contestant struct {
	name    string
	server  *proc.Server // nil for what runs in this process
	metrics string       // address of the server's profiles, "" for none
	sources []load.Source
	works   []load.Work // in place of sources
}

// score is the result of one contestant's rounds.
type score struct {
	name      string
	rates     []float64
	p50s      []float64 // milliseconds
	p99s      []float64
	processor []float64 // microseconds a request of the server's process
	bytes     int       // of an answer
}

func (s score) rate() float64 { return median(s.rates) }
func (s score) p50() float64  { return median(s.p50s) }

// against is the median over the rounds of how much faster s was than other.
func (s score) against(other score) float64 { return quotient(s.rates, other.rates) }

// slower is the median over the rounds of how much longer the median answer of
// s took than that of other.
func (s score) slower(other score) float64 { return quotient(s.p50s, other.p50s) }

func quotient(a, b []float64) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	return median(ratios)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0
	}
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// contest lets contestants take turns, round after round, so that anything that
// slows the machine down for a while slows all of them.
func (b *bench) contest(title string, contestants ...contestant) ([]score, error) {
	scores := make([]score, len(contestants))
	for round := range b.Rounds {
		b.say("%s: round %d of %d", title, round+1, b.Rounds)
		for i, c := range contestants {
			scores[i].name = c.name
			if err := b.turn(c, &scores[i], round == b.Rounds-1); err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, errors.Join(c.alive(), err))
			}
		}
	}
	b.report.figures(title, scores)
	return scores, nil
}

func (b *bench) turn(c contestant, s *score, last bool) error {
	if _, err := c.drive(b, b.Warmup); err != nil {
		return err
	}
	before, err := c.processor()
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	if last && c.metrics != "" {
		wg.Go(func() { b.profile(c) })
	}
	r, err := c.drive(b, b.Duration)
	if err != nil {
		return err
	}
	after, err := c.processor()
	if err != nil {
		return err
	}
	s.rates = append(s.rates, r.Rate())
	s.p50s = append(s.p50s, milliseconds(r.Quantile(0.5)))
	s.p99s = append(s.p99s, milliseconds(r.Quantile(0.99)))
	s.processor = append(s.processor, float64((after-before).Microseconds())/float64(max(1, r.Requests)))
	s.bytes = r.Bytes / max(1, r.Requests)
	return nil
}

func (c contestant) drive(b *bench, duration time.Duration) (load.Result, error) {
	if c.works != nil {
		return load.Drive(b.ctx, c.works, duration)
	}
	return load.Run(b.ctx, c.server.Address(), c.sources, duration)
}

func (c contestant) processor() (time.Duration, error) {
	if c.server == nil {
		return 0, nil
	}
	return c.server.CPU()
}

// alive returns an error if the server has ended.
func (c contestant) alive() error {
	if c.server == nil {
		return nil
	}
	return c.server.Alive()
}

// profile saves a profile of the server during a turn. The bench goes on without
// one.
func (b *bench) profile(c contestant) {
	if err := b.fetchProfile(c); err != nil {
		b.say("%s: no profile: %v", c.name, err)
	}
}

func (b *bench) fetchProfile(c contestant) error {
	wait := max(1, int(b.Duration.Seconds()))
	answer, err := http.Get(fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", c.metrics, wait))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if err := os.MkdirAll(b.Profiles, 0o755); err != nil {
		return err
	}
	name := strings.NewReplacer(" ", "-", ",", "", "/", "-").Replace(c.name) + ".prof"
	file, err := os.Create(filepath.Join(b.Profiles, name))
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(file, answer.Body)
	return err
}

// connections is how many clients there are at once.
const connections = 32

// everyone gives all connections sources of the same kind. make is called once
// per connection, as a source belongs to one.
func everyone(make func(connection int) load.Source) []load.Source {
	sources := []load.Source{}
	for i := range connections {
		sources = append(sources, make(i))
	}
	return sources
}

// same is the same request over all connections.
func same(request []byte) []load.Source {
	return everyone(func(int) load.Source { return load.Repeat(request) })
}
