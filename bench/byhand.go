package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"cradle/bench/byhand"
	"cradle/internal/pgtest"
)

// byHand compares what Cradle implements itself with the libraries that it could
// have used.
func (b *bench) byHand() error {
	s := &sheet{{"by hand or by library", "by", "processor µs each", "allocations each", "kB allocated each", "most memory"}}
	for _, p := range byhand.Parts {
		if err := b.judgePart(p, s); err != nil {
			return err
		}
	}
	b.report.sheets = append(b.report.sheets, *s)
	for _, judge := range []func() error{b.judgeMigrations, b.judgePage, b.judgeBinary} {
		if err := judge(); err != nil {
			return err
		}
	}
	return nil
}

// judgePart compares medians of rounds in which both take turns.
func (b *bench) judgePart(p byhand.Part, s *sheet) error {
	b.say("%s, by hand and by %s", p.Name, p.Library)
	file := b.path(p.Name + ".xlsx") // excelize writes no other extension
	if err := p.Write(file); err != nil {
		return err
	}
	var ours, theirs []byhand.Taken
	for range b.Rounds {
		own, err := p.Take(b.ctx, "Cradle", file, b.Duration)
		if err != nil {
			return err
		}
		other, err := p.Take(b.ctx, "library", file, b.Duration)
		if err != nil {
			return err
		}
		if err := own.Same(other); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		ours, theirs = append(ours, own), append(theirs, other)
	}
	what := p.Name + ": " + p.Once
	s.add(what, "Cradle", partFigure(ours, partTime), partFigure(ours, partObjects), partFigure(ours, partBytes), megabytes(int64(median(partEach(ours, partPeak)))))
	s.add("", p.Library, partFigure(theirs, partTime), partFigure(theirs, partObjects), partFigure(theirs, partBytes), megabytes(int64(median(partEach(theirs, partPeak)))))
	b.report.add(ratio{section: "By hand", what: p.Name, figure: partFigure(ours, partTime) + " µs", beside: p.Library + " " + partFigure(theirs, partTime) + " µs",
		value: quotient(partEach(theirs, partTime), partEach(ours, partTime))})
	return nil
}

func partTime(t byhand.Taken) float64    { return t.Seconds * 1e6 }
func partObjects(t byhand.Taken) float64 { return t.Objects }
func partBytes(t byhand.Taken) float64   { return t.Bytes / 1000 }
func partPeak(t byhand.Taken) float64    { return float64(t.Peak) }

func partEach(taken []byhand.Taken, what func(byhand.Taken) float64) []float64 {
	var values []float64
	for _, t := range taken {
		values = append(values, what(t))
	}
	return values
}

func partFigure(taken []byhand.Taken, what func(byhand.Taken) float64) string {
	return count(int(median(partEach(taken, what))))
}

// judgeMigrations compares opening a database with a current schema.
func (b *bench) judgeMigrations() (err error) {
	b.say("migrations, by hand and by goose")
	cluster, err := pgtest.StartCluster(pgtest.Durable())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Close()) }()
	ways := []func(context.Context, string) (byhand.Opening, error){byhand.OpenByCradle, byhand.OpenByGoose}
	var last [2]byhand.Opening
	var took [2][]float64
	for round := range 1 + 20*b.Rounds {
		for i, open := range ways {
			if last[i], err = open(b.ctx, cluster.DSN()); err != nil {
				return err
			}
			if round > 0 { // the first one makes the schema
				took[i] = append(took[i], milliseconds(last[i].Took))
			}
		}
	}
	s := &sheet{{"migrations: opening a PostgreSQL database whose schema is current", "statements", "ms"}}
	s.add("Cradle", count(int(last[0].Statements)), fmt.Sprintf("%.2f", median(took[0])))
	s.add("goose 3.27.0", count(int(last[1].Statements)), fmt.Sprintf("%.2f", median(took[1])))
	b.report.sheets = append(b.report.sheets, *s)
	b.report.add(ratio{section: "By hand", what: "Migrations, schema is current", figure: fmt.Sprintf("%.2f ms", median(took[0])),
		beside: fmt.Sprintf("goose 3.27.0 %.2f ms", median(took[1])), value: quotient(took[1], took[0])})
	return nil
}

// judgePage compares what a browser fetches for the API's reference.
func (b *bench) judgePage() error {
	ours, swagger, err := byhand.Reference()
	if err != nil {
		return err
	}
	s := &sheet{{"reference page", "requests", "kB", "kB compressed", "kB of script, compressed"}}
	for _, w := range []struct {
		by string
		byhand.Weight
	}{{"Cradle", ours}, {"Swagger UI (swgui 1.8.5)", swagger}} {
		s.add(w.by, count(w.Requests), count(w.Bytes/1000), count(w.Compressed/1000), count(w.Scripts/1000))
	}
	b.report.sheets = append(b.report.sheets, *s)
	b.report.add(ratio{section: "By hand", what: "Reference page, compressed", figure: count(ours.Compressed/1000) + " kB",
		beside: "Swagger UI " + count(swagger.Compressed/1000) + " kB", value: float64(swagger.Compressed) / float64(ours.Compressed)})
	return nil
}

// judgeBinary builds the server with each library that it does not use.
func (b *bench) judgeBinary() error {
	s := &sheet{{"binary", "MB", "modules"}}
	bare, modules, err := b.weigh("none")
	if err != nil {
		return err
	}
	s.add("the server", fmt.Sprintf("%.2f", bare), count(modules))
	for _, library := range []string{"excelize", "goose", "swgui", "goldmark"} {
		size, more, err := b.weigh(library)
		if err != nil {
			return err
		}
		s.add("with "+library, fmt.Sprintf("+%.2f", size-bare), fmt.Sprintf("+%d", more-modules))
	}
	b.report.sheets = append(b.report.sheets, *s)
	return nil
}

// weigh returns the size of the server in MB and the number of its modules.
func (b *bench) weigh(tag string) (size float64, modules int, err error) {
	b.say("building the server with %s", tag)
	folder, program := filepath.Join(b.Root, "bench"), b.path("weigh")
	build := exec.CommandContext(b.ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-tags", tag, "-o", program, "./weigh")
	build.Dir, build.Env = folder, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("%w\n%s", err, out)
	}
	built, err := os.Stat(program)
	if err != nil {
		return 0, 0, err
	}
	list := exec.CommandContext(b.ctx, "go", "list", "-deps", "-tags", tag, "-f", "{{with .Module}}{{.Path}}{{end}}", "./weigh")
	list.Dir = folder
	out, err := list.Output()
	if err != nil {
		return 0, 0, err
	}
	paths := strings.Fields(string(out))
	slices.Sort(paths)
	return float64(built.Size()) / 1e6, len(slices.Compact(paths)), nil
}
