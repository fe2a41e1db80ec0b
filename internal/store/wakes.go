package store

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
)

// wakes notifies waiting workers of possible deliveries.
type wakes struct {
	mu      sync.Mutex
	waiting []chan struct{}
}

func (w *wakes) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.waiting {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

func (w *wakes) channel() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := make(chan struct{}, 1)
	w.waiting = append(w.waiting, c)
	return c
}

// listenRetry is the pause before a lost connection is reopened.
const listenRetry = time.Second

// Wakes returns a channel that signals when a delivery may be waiting: after
// commits of this process and, on PostgreSQL, of every other process until ctx
// ends.
func (s *Store) Wakes(ctx context.Context, log *slog.Logger) <-chan struct{} {
	if s.dialect.postgres {
		go s.keepListening(ctx, log)
	}
	return s.wakes.channel()
}

func (s *Store) keepListening(ctx context.Context, log *slog.Logger) {
	for ctx.Err() == nil {
		if err := s.listen(ctx); err != nil && ctx.Err() == nil {
			log.Warn("not told of new deliveries, looking for them instead", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(listenRetry):
		}
	}
}

// listen holds one connection and passes on its notifications.
func (s *Store) listen(ctx context.Context) error {
	c, err := s.reader.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer c.Close()
	return c.Raw(func(driver any) error {
		connection := driver.(*stdlib.Conn).Conn()
		// Closed, not returned to the pool, because it is still listening.
		defer connection.Close(context.Background())
		if _, err := connection.Exec(ctx, "LISTEN "+deliveriesChannel); err != nil {
			return fmt.Errorf("listen: %w", err)
		}
		for {
			if _, err := connection.WaitForNotification(ctx); err != nil {
				return fmt.Errorf("listen: %w", err)
			}
			s.wakes.wake()
		}
	})
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
