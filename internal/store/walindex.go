package store

import (
	"context"
	"database/sql"
	"os"
	"sync"

	"cradle/internal/account"
)

// walIndex tells cheaply whether any process has committed to an embedded
// database: the header of the "-shm" file changes with every commit
// (https://www.sqlite.org/walformat.html#the_wal_index_header).
type walIndex struct {
	db   *sql.DB
	path string

	mu   sync.RWMutex
	file *os.File
	held *sql.Conn // while a connection is open, SQLite keeps the file
}

// head is the two copies of the header.
type head [96]byte

// read returns the current header, or false if it is not available.
func (w *walIndex) read() (h head, ok bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.file == nil {
		return h, false
	}
	n, err := w.file.ReadAt(h[:], 0)
	return h, err == nil && n == len(h) && h != head{}
}

// open opens the file if it is not open yet.
func (w *walIndex) open(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file != nil {
		return
	}
	held, err := w.db.Conn(ctx)
	if err != nil {
		return
	}
	var tables int // SQLite creates the file when the database is first read
	if err := held.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_schema").Scan(&tables); err != nil {
		held.Close()
		return
	}
	if w.file, err = os.Open(w.path); err != nil {
		held.Close()
		return
	}
	w.held = held
}

func (w *walIndex) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file != nil {
		w.file.Close()
		w.held.Close()
		w.file = nil
	}
}

// versionMemory is the last answer about versions, and the WAL index header from
// before the query: as long as the header is the same, nothing has changed.
type versionMemory struct {
	mu       sync.RWMutex
	at       head
	versions account.Versions
	reveals  map[account.Wallet]int64
}

func (m *versionMemory) recall(at head, wallet account.Wallet) (account.Versions, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	reveals, known := m.reveals[wallet]
	if !known || m.at != at {
		return account.Versions{}, false
	}
	v := m.versions
	v.Reveals = reveals
	return v, true
}

func (m *versionMemory) keep(at head, wallets []account.Wallet, v account.Versions, reveals map[account.Wallet]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reveals == nil || m.at != at {
		m.at, m.versions, m.reveals = at, v, map[account.Wallet]int64{}
	}
	for _, w := range wallets {
		m.reveals[w] = reveals[w]
	}
}
