package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cradle/internal/account"
	"cradle/internal/export"
	"cradle/internal/fault"
	"cradle/internal/gateway"
	"cradle/internal/rest"
	"cradle/internal/store"
)

type exportCommand struct {
	Path   string            `arg:"" help:"Where to: a file, or for a bundle a folder, too."`
	Format exportFormatValue `default:"bundle" placeholder:"bundle" help:"bundle, jsonld (openLCA), ecospold2, csv (flat tables) or xlsx (Brightway)."`
	Team   idValue           `placeholder:"TEAM" help:"Only what was revealed to this team with live credits."`
}

func (exportCommand) Help() string {
	return `Examples:

    cradle export library.zip
    cradle export openlca.zip --format jsonld
    cradle export brightway.xlsx --format xlsx
    cradle export pulled/ --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11`
}

func (c *exportCommand) Run(a *app) error {
	if err := checkFolder(filepath.Clean(c.Path)); err != nil { // a folder's slash may end it
		return fmt.Errorf("PATH: %w", err)
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	var counts export.Counts
	format, _ := export.Find(string(c.Format))
	write := func(from *store.Shelf) (err error) {
		counts, err = format.WriteFile(a.ctx, c.Path, from)
		return err
	}
	if team := c.Team.id(); team.IsZero() {
		err = o.Export(a.ctx, write)
	} else {
		err = o.ExportOwned(a.ctx, account.Wallet{Team: team, Mode: account.Live}, write)
	}
	if err != nil {
		return err
	}
	return a.print(counts, "Wrote %s: materials %d, properties %d, processes %d, exchanges %d, impacts %d, methods %d.",
		c.Path, counts.Materials, counts.Properties, counts.Processes, counts.Exchanges, counts.Impacts, counts.Methods)
}

// maxExports is how many exports are made at a time; others wait.
const maxExports = 2

var exporting = make(chan struct{}, maxExports)

// exportOwned makes a file of what was revealed to a wallet: what cannot be
// finished is not begun, and a slow client keeps no reader of the database.
func (o *office) exportOwned(ctx context.Context, wallet account.Wallet, name string) (*rest.Export, error) {
	format, ok := export.Find(name)
	if !ok {
		return nil, fault.Invalidf("format must be one of %s", strings.Join(export.Names(), ", "))
	}
	select {
	case exporting <- struct{}{}:
		defer func() { <-exporting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f, err := os.CreateTemp("", "cradle-export-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // it lives as long as it is open
	sum := sha256.New()
	err = o.ExportOwned(ctx, wallet, func(from *store.Shelf) error {
		_, err := format.Write(ctx, io.MultiWriter(f, sum), from)
		return err
	})
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &rest.Export{ReadCloser: f, MediaType: format.MediaType, Name: "cradle-" + format.Name + format.Extension, Sum: gateway.Sum(sum.Sum(nil)[:16])}, nil
}

// exporter gives a team its own data, through the API and in the portal. Where test keys see
// stand-ins for numbers, the numbers do not leave by this path either.
func (o *office) exporter(syntheticSandbox bool) rest.Exporter {
	return func(ctx context.Context, v account.Viewer, format string) (*rest.Export, error) {
		if syntheticSandbox && v.Mode == account.Sandbox {
			return nil, fault.New(fault.Conflict, "synthetic_values", "Test keys see stand-ins for the numbers here, and an export has none; use a live key")
		}
		return o.exportOwned(ctx, v.Wallet(), format)
	}
}
