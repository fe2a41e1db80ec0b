package server

import (
	"context"
	"crypto/sha256"
	"io"
	"os"
	"strings"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/formats"
	"cradle/internal/gateway"
	"cradle/internal/library"
	"cradle/internal/rest"
)

// maxExports is how many exports run at a time; others wait.
const maxExports = 2

// pulledRows is the source of exports.
type pulledRows interface {
	Export(ctx context.Context, v account.Viewer, write func(*library.Pulled) error) error
}

// exporter writes what teams have pulled to files.
type exporter struct {
	rows  pulledRows
	slots chan struct{}
}

func newExporter(rows pulledRows) *exporter {
	return &exporter{rows: rows, slots: make(chan struct{}, maxExports)}
}

// export implements rest.Exporter. It finishes the file before sending it, so
// that it can start over when an import comes in between.
func (e *exporter) export(ctx context.Context, v account.Viewer, name string) (*rest.Export, error) {
	format, ok := formats.FindExport(name)
	if !ok {
		return nil, fault.Fieldf("format", "must be one of %s", strings.Join(formats.ExportNames(), ", "))
	}
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f, err := os.CreateTemp("", "cradle-export-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // it lives as long as it is open
	sum, err := e.fill(ctx, f, v, format)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &rest.Export{ReadCloser: f, MediaType: format.MediaType, Name: "cradle-" + format.Name + format.Extension, Sum: sum}, nil
}

// fill writes an export to a file and rewinds it.
func (e *exporter) fill(ctx context.Context, f *os.File, v account.Viewer, format formats.Export) (gateway.Sum, error) {
	sum := sha256.New()
	err := e.rows.Export(ctx, v, func(from *library.Pulled) error {
		sum.Reset()
		if err := empty(f); err != nil {
			return err
		}
		_, err := format.Write(ctx, io.MultiWriter(f, sum), from, nil)
		return err
	})
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	return gateway.Sum(sum.Sum(nil)[:16]), err
}

func empty(f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return f.Truncate(0)
}
