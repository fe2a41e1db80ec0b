package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"cradle/bench/tables"
)

const (
	// forwardSolves is how many processes are solved one by one; the time for
	// all of them is extrapolated.
	forwardSolves = 100
	growthTable   = 20 // indicators
	// kluColumns is the largest library for which KLU's growth is measured: for
	// 100,000 processes it has no factors after eight minutes.
	kluColumns = 20_000
)

// calculation compares the table of all scores with SuiteSparse.
func (b *bench) calculation() error {
	peers, err := tables.Compile(b.ctx, filepath.Join(b.Root, "bench", "suitesparse", "peer.c"), b.path("suitesparse"))
	if err != nil {
		return err
	}
	file, most := b.path("tables"), b.Tables[len(b.Tables)-1]
	b.say("writing a technosphere of %s processes", count(b.Columns))
	entries, err := tables.Write(file, b.Columns, most)
	if err != nil {
		return err
	}
	s := &sheet{{fmt.Sprintf("scores of %s processes (%s entries)", count(b.Columns), count(entries)), "indicators", "factors s", "rest s", "together s"}}
	for _, indicators := range b.Tables {
		if err := b.judgeTable(peers, file, indicators, s); err != nil {
			return err
		}
	}
	b.report.sheets = append(b.report.sheets, *s)
	if err := b.judgeErrors(peers, file, most); err != nil {
		return err
	}
	return b.growth(peers)
}

// judgeTable compares the times for one number of indicators, medians of rounds
// in which all take turns.
func (b *bench) judgeTable(peers tables.Peers, file string, indicators int, s *sheet) error {
	b.say("calculating %d indicators", indicators)
	var own, umfpack, klu, forward []tables.Taken
	for range b.Rounds {
		var errs [4]error
		var t [4]tables.Taken
		t[0], errs[0] = tables.ByCradle(b.ctx, file, indicators)
		t[1], errs[1] = peers.Calculate(b.ctx, file, "umfpack", indicators)
		t[2], errs[2] = peers.Calculate(b.ctx, file, "klu", indicators)
		t[3], errs[3] = peers.Calculate(b.ctx, file, "forward", indicators, strconv.Itoa(b.Columns/forwardSolves))
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
		t[3].Rest *= float64(b.Columns) / float64(t[3].Solves)
		own, umfpack, klu, forward = append(own, t[0]), append(umfpack, t[1]), append(klu, t[2]), append(forward, t[3])
	}
	b.compare(indicators, own, "UMFPACK, adjoint", umfpack, atLeast(3), s)
	b.compare(indicators, own, "KLU, adjoint", klu, atLeast(1), s)
	b.compare(indicators, own, "UMFPACK, a solve for each process", forward, atLeast(100), s)
	s.add("Cradle", strconv.Itoa(indicators), figure(own, factorsTime), figure(own, restTime), figure(own, tables.Taken.Seconds))
	if indicators == b.Tables[len(b.Tables)-1] {
		memory := median(each(own, func(t tables.Taken) float64 { return float64(t.Memory) }))
		b.report.add(ratio{section: "Calculation", what: fmt.Sprintf("memory, %d indicators", indicators), figure: megabytes(int64(memory)),
			beside: "350 MB", value: memory / (350 << 20), want: atMost(1)})
	}
	return nil
}

func factorsTime(t tables.Taken) float64 { return t.Factors }
func restTime(t tables.Taken) float64    { return t.Rest }

func each(taken []tables.Taken, what func(tables.Taken) float64) []float64 {
	var values []float64
	for _, t := range taken {
		values = append(values, what(t))
	}
	return values
}

func figure(taken []tables.Taken, what func(tables.Taken) float64) string {
	return fmt.Sprintf("%.3f", median(each(taken, what)))
}

func (b *bench) compare(indicators int, own []tables.Taken, name string, peer []tables.Taken, w want, s *sheet) {
	seconds := tables.Taken.Seconds
	s.add(name, strconv.Itoa(indicators), figure(peer, factorsTime), figure(peer, restTime), figure(peer, seconds))
	b.report.add(ratio{section: "Calculation", what: fmt.Sprintf("%d indicators", indicators), figure: figure(own, seconds) + " s",
		beside: name + " " + figure(peer, seconds) + " s", value: quotient(each(peer, seconds), each(own, seconds)), want: w})
}

// judgeErrors compares the numbers with refined ones.
func (b *bench) judgeErrors(peers tables.Peers, file string, indicators int) error {
	b.say("comparing the numbers with UMFPACK's, refined")
	own, refined := b.path("own.numbers"), b.path("refined.numbers")
	taken, err := tables.ByCradle(b.ctx, file, indicators, own)
	if err != nil {
		return err
	}
	if _, err := peers.Calculate(b.ctx, file, "refined", indicators, refined); err != nil {
		return err
	}
	farthest, err := tables.Farthest(own, refined)
	if err != nil {
		return err
	}
	b.report.add(ratio{section: "Calculation", what: "largest relative error", figure: fmt.Sprintf("%.1e", farthest),
		beside: "1e-9, against UMFPACK refined", value: farthest / 1e-9, want: atMost(1)})
	b.report.add(ratio{section: "Calculation", what: "largest backward error", figure: fmt.Sprintf("%.1e", taken.Error),
		beside: "1e-11", value: taken.Error / 1e-11, want: atMost(1)})
	return errors.Join(os.Remove(own), os.Remove(refined))
}

// growth shows how the time grows with the library.
func (b *bench) growth(peers tables.Peers) error {
	s := &sheet{{"growth", "entries", "factors s", fmt.Sprintf("%d indicators s", growthTable), "most memory", "KLU, together s"}}
	for _, processes := range b.Growth {
		b.say("calculating %s processes", count(processes))
		file := b.path("growth")
		entries, err := tables.Write(file, processes, growthTable)
		if err != nil {
			return err
		}
		own, err := tables.ByCradle(b.ctx, file, growthTable)
		if err != nil {
			return err
		}
		klu := "–"
		if processes <= kluColumns {
			taken, err := peers.Calculate(b.ctx, file, "klu", growthTable)
			if err != nil {
				return err
			}
			klu = figure([]tables.Taken{taken}, tables.Taken.Seconds)
		}
		s.add(count(processes)+" processes", count(entries), fmt.Sprintf("%.3f", own.Factors), fmt.Sprintf("%.3f", own.Rest), megabytes(own.Memory), klu)
	}
	b.report.sheets = append(b.report.sheets, *s)
	return nil
}
