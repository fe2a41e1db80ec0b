package main

import (
	"fmt"
	"os"
)

type backupCommand struct {
	Path string `arg:"" help:"The file to write. It must not exist yet."`
}

func (backupCommand) Help() string {
	return `Example:

    cradle backup backups/cradle-2026-05-11.db

Also back up the server's secret (<db>.secret). Without it, test keys cannot be shown again. For PostgreSQL, use pg_dump.`
}

func (c *backupCommand) Run(a *app) error {
	if _, err := os.Lstat(c.Path); err == nil {
		return fmt.Errorf("the file %s already exists; choose another path", c.Path)
	}
	if err := checkFolder(c.Path); err != nil {
		return fmt.Errorf("PATH: %w", err)
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	size, err := o.Backup(a.ctx, c.Path)
	if err != nil {
		return err
	}
	document := struct {
		Path  string `json:"path"`
		Bytes int64  `json:"bytes"`
	}{c.Path, size}
	return a.print(document, "Wrote %s, %d bytes.", c.Path, size)
}
