package server

import (
	"context"
	"log/slog"
	"time"

	"cradle/internal/library"
	"cradle/internal/rest"
)

// warmEvery is how often the warmer looks for a new edition.
const warmEvery = time.Second

// warmer renders the rows of each new edition in the background.
type warmer struct {
	stop context.CancelFunc
	done chan struct{}
}

func keepWarm(lib *library.Library, api *rest.API, log *slog.Logger) *warmer {
	ctx, stop := context.WithCancel(context.Background())
	w := &warmer{stop: stop, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(warmEvery)
		defer tick.Stop()
		for warm := int64(0); ; {
			if edition := lib.Edition(); edition != warm && makeReady(ctx, lib, api, log) {
				warm = edition
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return w
}

func makeReady(ctx context.Context, lib *library.Library, api *rest.API, log *slog.Logger) bool {
	err := api.MakeReady(ctx)
	if err == nil {
		err = lib.WarmOrigins(ctx)
	}
	if err != nil && ctx.Err() == nil {
		log.Warn("lists not made ready", "error", err)
	}
	return err == nil
}

func (w *warmer) close() {
	w.stop()
	<-w.done
}
