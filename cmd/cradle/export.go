package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cradle/internal/ingest/bundle"
	"cradle/internal/lci"
	"cradle/internal/store"
)

type exportCommand struct {
	Path string  `arg:"" help:"Where to: a zip where it ends in .zip, else a folder."`
	Team idValue `placeholder:"TEAM" help:"Only what was revealed to this team with live credits."`
}

func (exportCommand) Help() string {
	return `Examples:

    cradle export library.zip
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
	var counts bundle.Counts
	write := func(from *store.Shelf) (err error) {
		counts, err = bundle.Write(a.ctx, c.Path, from)
		return err
	}
	if team := c.Team.id(); team.IsZero() {
		err = o.Export(a.ctx, write)
	} else {
		err = o.ExportOwned(a.ctx, team, write)
	}
	if err != nil {
		return err
	}
	return a.print(counts, "Wrote %s: materials %d, properties %d, processes %d, exchanges %d, impacts %d, methods %d.",
		c.Path, counts.Materials, counts.Properties, counts.Processes, counts.Exchanges, counts.Impacts, counts.Methods)
}

// writeOwned writes what was revealed to a team as a zipped bundle. It is made in
// a file first: what cannot be finished is not begun.
func (o *office) writeOwned(ctx context.Context, team lci.ID, to io.Writer) error {
	dir, err := os.MkdirTemp("", "cradle-bundle-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "bundle.zip")
	err = o.ExportOwned(ctx, team, func(from *store.Shelf) error {
		_, err := bundle.Write(ctx, path, from)
		return err
	})
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, f)
	return err
}
