package store

import (
	"context"
	"database/sql"

	"cradle/internal/account"
)

// Unchanged implements freshness.Store.
func (s *Store) Unchanged(wallet account.Wallet) (account.Versions, bool) {
	if s.walIndex == nil {
		return account.Versions{}, false
	}
	at, told := s.walIndex.read()
	if !told {
		return account.Versions{}, false
	}
	return s.remembered.recall(at, wallet)
}

// Versions implements freshness.Store.
func (s *Store) Versions(ctx context.Context, wallets []account.Wallet) (account.Versions, map[account.Wallet]int64, error) {
	if s.walIndex == nil {
		return s.readVersions(ctx, wallets)
	}
	s.walIndex.open(ctx)
	at, told := s.walIndex.read()
	v, reveals, err := s.readVersions(ctx, wallets)
	if err == nil && told {
		s.remembered.keep(at, wallets, v, reveals)
	}
	return v, reveals, err
}

func (s *Store) readVersions(ctx context.Context, wallets []account.Wallet) (account.Versions, map[account.Wallet]int64, error) {
	var v account.Versions
	byName := make(map[string]account.Wallet, len(wallets))
	names := make([]string, 0, len(wallets))
	for _, w := range wallets {
		name := w.String()
		byName[name] = w
		names = append(names, name)
	}
	reveals := make(map[account.Wallet]int64, len(wallets))
	rows, err := s.reader.query(ctx, `
		SELECT s.accounts, s.catalogue, s.favourites, w.id, w.reveals
		FROM state s LEFT JOIN wallets w ON `+s.dialect.among("w.id", "$1"), s.dialect.list(names))
	err = each(rows, err, func(rows *sql.Rows) error {
		var id sql.NullString
		var count sql.NullInt64
		if err := rows.Scan(&v.Accounts, &v.Catalogue, &v.Favourites, &id, &count); err != nil {
			return err
		}
		if id.Valid {
			reveals[byName[id.String]] = count.Int64
		}
		return nil
	})
	return v, reveals, err
}

// Generation implements library.Store.
func (s *Store) Generation(ctx context.Context) (int64, error) {
	var n int64
	err := s.reader.row(ctx, "SELECT catalogue FROM state").Scan(&n)
	return n, err
}
