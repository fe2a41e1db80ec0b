package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cradle/internal/account"
	"cradle/internal/store"
)

// shortSecret is the length below which a given secret causes a warning.
const shortSecret = 16

// backend is an open database and its services.
type backend struct {
	*store.Store
	accounts *account.Service
	secret   []byte
	testKeys *account.Sealer
	// webhookSecrets seals and opens the signing secrets of endpoints.
	webhookSecrets *account.Sealer
}

// open opens the database that the flags name, with the current schema.
func (a *app) open() (*backend, error) {
	return a.openWith(account.DefaultSandboxQuota)
}

func (a *app) openWith(sandboxQuota int64) (*backend, error) {
	dsn := cmp.Or(a.global.DB, "cradle.db")
	if err := checkDatabase(dsn); err != nil {
		return nil, fmt.Errorf("%s: %w", a.named("db"), err)
	}
	s, err := store.Open(a.ctx, dsn)
	if err != nil {
		return nil, err
	}
	o, err := a.furnish(s, sandboxQuota)
	if err != nil {
		s.Close()
		return nil, err
	}
	return o, nil
}

func (a *app) furnish(s *store.Store, sandboxQuota int64) (*backend, error) {
	secret, err := a.secret(s)
	if err != nil {
		return nil, err
	}
	sealer, err := account.NewSealer(secret, "test keys")
	if err != nil {
		return nil, err
	}
	webhooks, err := account.NewSealer(secret, "webhooks")
	if err != nil {
		return nil, err
	}
	accounts := account.NewService(s, account.Options{Sealer: sealer, SandboxQuota: sandboxQuota})
	return &backend{Store: s, accounts: accounts, secret: secret, testKeys: sealer, webhookSecrets: webhooks}, nil
}

func (a *app) secret(s *store.Store) ([]byte, error) {
	if given := a.global.Secret; given != "" {
		if len(given) < shortSecret {
			a.hint("warning: the server's secret is short; use at least %d random characters", shortSecret)
		}
		return []byte(given), nil
	}
	secret, _, err := s.Secret(a.ctx)
	if err == nil && !s.Embedded() {
		a.hint("warning: the server's secret is stored in the database; set CRADLE_SECRET to keep it elsewhere")
	}
	return []byte(secret), err
}

// checkDatabase refuses what cannot be a database before anything is created.
func checkDatabase(dsn string) error {
	if strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://") {
		return nil
	}
	if scheme, _, found := strings.Cut(dsn, "://"); found {
		return fmt.Errorf("unknown kind of database %q; use a file path, sqlite:PATH or postgres://…", scheme)
	}
	path := strings.TrimPrefix(dsn, "sqlite:")
	if path == "" || path == ":memory:" {
		return fmt.Errorf("%q does not name a file", dsn)
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return checkFolder(path)
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a folder", path)
	}
	return checkSQLite(path)
}

// checkFolder refuses a path in a folder that does not exist.
func checkFolder(path string) error {
	folder := filepath.Dir(path)
	info, err := os.Stat(folder)
	if err != nil {
		return fmt.Errorf("the folder of %s does not exist: %w", path, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", folder)
	}
	return nil
}

func checkSQLite(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	magic := []byte("SQLite format 3\x00")
	start, err := io.ReadAll(io.LimitReader(f, int64(len(magic))))
	if err != nil {
		return err
	}
	if len(start) > 0 && !bytes.Equal(start, magic) {
		return fmt.Errorf("%s is not a database", path)
	}
	return nil
}
