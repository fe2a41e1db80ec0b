package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"cradle/bench/sample"
	"cradle/internal/pgtest"
)

// bench is one run.
type bench struct {
	plan
	ctx    context.Context
	dir    string // for all files of the run
	cradle binary
	report report
	began  time.Time
}

// propertiesEach makes a page of 25 materials about 20 kB.
const propertiesEach = 3

func run(ctx context.Context, p plan) (err error) {
	dir, err := os.MkdirTemp("", "cradle-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{plan: p, ctx: ctx, dir: dir, began: time.Now()}
	b.report.machine = machine()
	b.say("%s", b.report.machine)
	failure := b.measure()
	return errors.Join(failure, b.publish(failure == nil))
}

func (b *bench) measure() error {
	if b.anyOf("start", "lists", "graphql", "pulls", "search", "webhooks") {
		if err := b.serving(); err != nil {
			return err
		}
	}
	if b.Sections["calculation"] {
		if err := b.calculation(); err != nil {
			return fmt.Errorf("calculation: %w", err)
		}
	}
	if b.Sections["byhand"] {
		if err := b.byHand(); err != nil {
			return fmt.Errorf("by hand: %w", err)
		}
	}
	b.say("done")
	return nil
}

func (b *bench) anyOf(sections ...string) bool {
	return slices.ContainsFunc(sections, func(section string) bool { return b.Sections[section] })
}

// serving measures the built binary.
func (b *bench) serving() (err error) {
	if b.cradle, err = build(b.ctx, b.Root, b.dir); err != nil {
		return err
	}
	cluster, err := pgtest.StartCluster(pgtest.Durable())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Close()) }()
	if err := b.library(cluster.DSN()); err != nil {
		return err
	}
	if b.Sections["search"] {
		if err := b.search(); err != nil {
			return fmt.Errorf("search: %w", err)
		}
	}
	if b.Sections["webhooks"] {
		if err := b.webhooks(); err != nil {
			return fmt.Errorf("webhooks: %w", err)
		}
	}
	return nil
}

// publish prints the measurements, and records them if requested and complete.
func (b *bench) publish(whole bool) error {
	figures := b.report.text()
	if _, err := os.Stdout.WriteString(figures); err != nil || b.Record == "" || !whole {
		return err
	}
	return record(b.Record, []byte(figures))
}

// library measures what needs the library of materials and processes.
func (b *bench) library(postgres string) error {
	if !b.anyOf("start", "lists", "graphql", "pulls") {
		return nil
	}
	lib := sample.Library{Materials: b.Materials, Processes: b.Processes, Properties: propertiesEach}
	folder := b.path("library")
	b.say("writing a library of %s materials and %s processes", count(lib.Materials), count(lib.Processes))
	if err := lib.Write(folder); err != nil {
		return err
	}
	engines := []*engine{{name: "SQLite", db: b.path("cradle.db")}, {name: "PostgreSQL", db: postgres}}
	for _, e := range engines {
		if err := b.open(e, folder); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		defer func() { e.server.Stop() }()
		if b.Sections["start"] {
			if err := b.starts(e); err != nil {
				return fmt.Errorf("%s: start: %w", e.name, err)
			}
		}
	}
	if b.Sections["lists"] {
		if err := b.lists(lib, engines); err != nil {
			return fmt.Errorf("lists: %w", err)
		}
	}
	if b.Sections["graphql"] {
		if err := b.graphql(lib, engines); err != nil {
			return fmt.Errorf("graphql: %w", err)
		}
	}
	if b.Sections["pulls"] {
		if err := b.pulls(lib, engines); err != nil {
			return fmt.Errorf("pulls: %w", err)
		}
	}
	return nil
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// say reports progress.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%6.1fs  %s\n", time.Since(b.began).Seconds(), fmt.Sprintf(format, args...))
}

// machine describes the machine, and how busy it was.
func machine() string {
	load, _ := os.ReadFile("/proc/loadavg")
	busy, _, _ := strings.Cut(string(load), " ")
	return fmt.Sprintf("%d cores, %s/%s, %s, load average before the run %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), busy)
}
