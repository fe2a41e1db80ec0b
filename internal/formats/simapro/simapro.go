// Package simapro reads the CSV exports of SimaPro: processes, product stages
// and methods, with their substances, units, parameters and literature.
package simapro

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
	"cradle/internal/ingest/source"
)

// Detect reports whether a source holds an export of SimaPro.
func Detect(src *source.Source) bool {
	for _, e := range src.Entries {
		if isExport(e) {
			return true
		}
	}
	return false
}

// isExport looks for the header of an export, or for a block at the beginning of
// a file without one.
func isExport(e *source.Entry) bool {
	c, err := e.Sniff()
	if err != nil || c.Kind != source.Text && c.Kind != source.Table && c.Kind != source.YAML {
		return false
	}
	first := strings.Trim(c.Line, " \t;,\"")
	switch _, isBlock := blockNames[fold(first)]; {
	case beginsExport(first):
		return true // even if the rest turns out to be broken
	case !isBlock && !isHeader(first):
		return false
	}
	in, err := e.Text()
	if err != nil {
		return false
	}
	defer in.Close()
	lines := bufio.NewScanner(io.LimitReader(in, 1<<16))
	lines.Split(scanLines)
	block := false
	for n := 0; lines.Scan() && n < 500; n++ {
		line := strings.Trim(lines.Text(), " \t;,\"\ufeff")
		switch {
		case line == "":
		case beginsExport(line):
			return true
		case !block && isHeader(line):
		case !block:
			if _, ok := blockNames[fold(line)]; !ok {
				return false
			}
			block = true
		case line == "End":
			return true
		}
	}
	return false
}

// beginsExport reports whether a line occurs only at the beginning of exports.
func beginsExport(line string) bool {
	line = strings.ToLower(line)
	bare := strings.TrimPrefix(line, "{")
	return strings.HasPrefix(line, "{simapro") || strings.HasPrefix(bare, "csv separator:") || strings.HasPrefix(bare, "csv format version:")
}

// scanLines is like bufio.ScanLines, but also accepts CR as line end.
func scanLines(data []byte, atEnd bool) (int, []byte, error) {
	for i, c := range data {
		if c == '\n' || c == '\r' {
			return i + 1, data[:i], nil
		}
	}
	if atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// Open opens a source of exports.
func Open(src *source.Source) (ingest.Package, error) {
	if !Detect(src) {
		return nil, fmt.Errorf("%s contains no SimaPro CSV export: no file begins with {SimaPro …} or names a CSV separator", src.Path)
	}
	return inventory.New(&reader{src}), nil
}

type reader struct{ src *source.Source }

func (r *reader) Close() error { return r.src.Close() }

// Read implements inventory.Reader. It reads an export twice because processes
// come before what they refer to.
func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
	gauge := source.NewGauge(2*r.src.Size, to.Progress)
	adapters := map[*source.Entry]*adapter{}
	all := newShared()
	for _, e := range r.src.Entries {
		file := source.Printable(e.Name)
		if !isExport(e) {
			to.Skip("files", inventory.Where{File: file}, "it is not a SimaPro export", "")
			continue
		}
		a := &adapter{references: newReferences(all), to: to, file: file}
		adapters[e] = a
		if err := a.pass(ctx, e, gauge, a.collect); err != nil {
			return err
		}
	}
	for _, e := range r.src.Entries {
		a := adapters[e]
		if a == nil || a.failed {
			continue
		}
		a.begin()
		if err := a.pass(ctx, e, gauge, a.block); err != nil {
			return err
		}
		a.end()
	}
	gauge.Finish()
	return nil
}

// pass reads an export. One that cannot be read to its end is left out, because
// what processes refer to is at the end. It returns only errors that end the
// import.
func (a *adapter) pass(ctx context.Context, e *source.Entry, gauge *source.Gauge, visit func(Header, Block) error) error {
	err := read(ctx, e, gauge, visit)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	a.failed = true
	at := a.at(0, "")
	var wrong *sheet.Error
	var damage *source.Damage
	switch {
	case errors.As(err, &wrong):
		at.Line = wrong.Line
		a.to.Unreadable("files", at, "%s", wrong.Message)
	case errors.As(err, &damage):
		at.Line = damage.Line
		a.to.Unreadable("files", at, "%s", damage.Message)
	default:
		return fmt.Errorf("read %s: %w", a.file, err)
	}
	return nil
}

func read(ctx context.Context, e *source.Entry, gauge *source.Gauge, visit func(Header, Block) error) error {
	in, err := e.Text()
	if err != nil {
		return err
	}
	defer in.Close()
	return Read(gauge.Reader(ctx, in), visit)
}
