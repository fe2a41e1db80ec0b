package server

import (
	"context"
	"log/slog"
	"time"
)

// housekeeping removes rows past their retention.
type housekeeping interface {
	PruneRequests(ctx context.Context, before time.Time) (int64, error)
	ForgetAnswers(ctx context.Context, before time.Time) error
	PruneDeliveries(ctx context.Context, before time.Time) error
	PruneSignIns(ctx context.Context, now time.Time) error
	PruneUsage(ctx context.Context, before time.Time) error
}

const (
	keepingHouseEvery = time.Hour
	answersKept       = 25 * time.Hour
	usageKept         = 400 * 24 * time.Hour
)

type housekeeper struct {
	stop context.CancelFunc
	done chan struct{}
}

// keepHouse cleans up now and every hour until close.
func keepHouse(store housekeeping, logRetention, eventRetention time.Duration, log *slog.Logger) *housekeeper {
	ctx, stop := context.WithCancel(context.Background())
	h := &housekeeper{stop: stop, done: make(chan struct{})}
	go func() {
		defer close(h.done)
		tick := time.NewTicker(keepingHouseEvery)
		defer tick.Stop()
		for {
			tidy(ctx, store, logRetention, eventRetention, log)
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return h
}

func tidy(ctx context.Context, store housekeeping, logRetention, eventRetention time.Duration, log *slog.Logger) {
	if _, err := store.PruneRequests(ctx, time.Now().Add(-logRetention)); err != nil && ctx.Err() == nil {
		log.Error("request log not pruned", "error", err)
	}
	if err := store.PruneDeliveries(ctx, time.Now().Add(-eventRetention)); err != nil && ctx.Err() == nil {
		log.Error("deliveries not pruned", "error", err)
	}
	if err := store.ForgetAnswers(ctx, time.Now().Add(-answersKept)); err != nil && ctx.Err() == nil {
		log.Error("stored answers not pruned", "error", err)
	}
	if err := store.PruneSignIns(ctx, time.Now()); err != nil && ctx.Err() == nil {
		log.Error("sessions and invitations not pruned", "error", err)
	}
	if err := store.PruneUsage(ctx, time.Now().Add(-usageKept)); err != nil && ctx.Err() == nil {
		log.Error("usage not pruned", "error", err)
	}
}

func (h *housekeeper) close() {
	h.stop()
	<-h.done
}
