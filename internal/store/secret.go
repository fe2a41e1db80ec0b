package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// secretBytes is the length of a generated secret.
const secretBytes = 32

// Secret returns the server's secret. The first call generates it: for an
// embedded database in a file beside it, else in the database. kept describes
// where it is.
func (s *Store) Secret(ctx context.Context) (secret, kept string, err error) {
	if s.dialect.postgres {
		secret, err = s.secretRow(ctx)
		return secret, "the database", err
	}
	kept = s.path + ".secret"
	secret, err = secretFile(kept)
	return secret, kept, err
}

func newSecret() string {
	b := make([]byte, secretBytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}

func (s *Store) secretRow(ctx context.Context) (string, error) {
	const read = `SELECT value FROM settings WHERE name = 'secret'`
	var secret string
	err := s.reader.row(ctx, read).Scan(&secret)
	if !errors.Is(err, errNoRow) {
		return secret, err
	}
	err = s.write(ctx, func(t *tx) error {
		if _, err := t.exec(ctx, `INSERT INTO settings (name, value) VALUES ('secret', $1) ON CONFLICT (name) DO NOTHING`, newSecret()); err != nil {
			return err
		}
		return t.row(ctx, read).Scan(&secret)
	})
	return secret, err
}

func secretFile(name string) (string, error) {
	secret, err := readSecret(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	if err := makeSecretFile(name); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("make the server's secret: %w", err)
	}
	return readSecret(name)
}

func readSecret(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("read the server's secret: %w", err)
	}
	if len(b) < 2*secretBytes {
		return "", fmt.Errorf("read the server's secret: %s is too short", name)
	}
	if _, err := hex.DecodeString(string(b[:2*secretBytes])); err != nil {
		return "", fmt.Errorf("read the server's secret: %s does not contain a secret", name)
	}
	return string(b[:2*secretBytes]), nil
}

// makeSecretFile creates the file atomically; if several processes try at once,
// one wins and the others get fs.ErrExist.
func makeSecretFile(name string) error {
	draft := name + "." + rand.Text()
	f, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(draft)
	_, err = f.WriteString(newSecret() + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return publish(draft, name)
}
