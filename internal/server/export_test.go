package server

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/gateway"
	"cradle/internal/library"
	"cradle/internal/store"
)

// rowsFunc is a source of rows made of a function.
type rowsFunc func(ctx context.Context, v account.Viewer, write func(*library.Pulled) error) error

func (f rowsFunc) Export(ctx context.Context, v account.Viewer, write func(*library.Pulled) error) error {
	return f(ctx, v, write)
}

func emptyLibrary(t *testing.T) *library.Library {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cradle.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return library.New(s, library.Options{})
}

// Nothing written before an import came in between remains in the file.
func TestAnExportThatBeginsAgainIsWhole(t *testing.T) {
	lib := emptyLibrary(t)
	again := rowsFunc(func(ctx context.Context, v account.Viewer, write func(*library.Pulled) error) error {
		return errors.Join(lib.Export(ctx, v, write), lib.Export(ctx, v, write))
	})
	var contents [2][]byte
	for i, rows := range []pulledRows{lib, again} {
		made, err := newExporter(rows).export(t.Context(), account.Viewer{}, "bundle")
		if err != nil {
			t.Fatal(err)
		}
		defer made.Close()
		contents[i], err = io.ReadAll(made)
		if err != nil || made.Sum != gateway.SumOf(contents[i]) {
			t.Errorf("%d bytes do not have the sum %x, %v", len(contents[i]), made.Sum, err)
		}
	}
	if _, err := zip.NewReader(bytes.NewReader(contents[0]), int64(len(contents[0]))); err != nil || !bytes.Equal(contents[0], contents[1]) {
		t.Errorf("%d bytes at once, %d at the second try: %v", len(contents[0]), len(contents[1]), err)
	}
}

func TestExportsWaitForOneAnother(t *testing.T) {
	begun, release := make(chan struct{}, maxExports+1), make(chan struct{})
	lib := emptyLibrary(t)
	e := newExporter(rowsFunc(func(ctx context.Context, v account.Viewer, write func(*library.Pulled) error) error {
		begun <- struct{}{}
		<-release
		return lib.Export(ctx, v, write)
	}))
	done := make(chan error, maxExports+1)
	for range maxExports + 1 {
		go func() {
			made, err := e.export(t.Context(), account.Viewer{}, "csv")
			if err == nil {
				err = made.Close()
			}
			done <- err
		}()
	}
	for range maxExports {
		<-begun
	}
	select {
	case <-begun:
		t.Errorf("more than %d exports are made at a time", maxExports)
	case <-time.After(50 * time.Millisecond):
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.export(over, account.Viewer{}, "csv"); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that ended while it waited: %v", err)
	}
	close(release)
	for range maxExports + 1 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
