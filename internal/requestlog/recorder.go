package requestlog

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"cradle/internal/fault"
)

// Store stores rows.
type Store interface {
	LogRequests(ctx context.Context, rows []Row) error
}

const (
	queueLength = 1 << 16
	batchLength = 500
	batchWait   = 200 * time.Millisecond
	retryWait   = time.Second
)

// Recorder writes rows in batches, in the background. If the database cannot
// keep up for long, it drops rows rather than slow down requests, and logs the
// loss.
type Recorder struct {
	store Store
	log   *slog.Logger
	queue chan Row
	lost  atomic.Int64
	stop  chan struct{}
	done  chan struct{}
	once  sync.Once
}

// NewRecorder returns a recorder that runs until Close.
func NewRecorder(store Store, log *slog.Logger) *Recorder {
	r := &Recorder{store: store, log: log, queue: make(chan Row, queueLength), stop: make(chan struct{}), done: make(chan struct{})}
	go r.run()
	return r
}

// Record adds a row. It never blocks.
func (r *Recorder) Record(row Row) {
	select {
	case r.queue <- row:
	default:
		r.lost.Add(1)
	}
}

// Close writes the remaining rows and stops. Calling it again does nothing.
func (r *Recorder) Close() {
	r.once.Do(func() { close(r.stop) })
	<-r.done
}

func (r *Recorder) run() {
	defer close(r.done)
	batch := make([]Row, 0, batchLength)
	timer := time.NewTicker(batchWait)
	defer timer.Stop()
	for {
		select {
		case row := <-r.queue:
			if batch = append(batch, row); len(batch) < batchLength {
				continue
			}
		case <-timer.C:
		case <-r.stop:
			r.drain(batch)
			return
		}
		batch = r.write(batch)
	}
}

// write returns the batch emptied, or unchanged if it has to be retried. It
// gives up a batch that an available database refuses: it would refuse it
// forever, and hold up all later rows.
func (r *Recorder) write(batch []Row) []Row {
	if len(batch) == 0 {
		return batch
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := r.store.LogRequests(ctx, batch)
	if err != nil {
		r.log.Error("request log not written", "rows", len(batch), "error", err)
	}
	if fault.KindOf(err) == fault.Unavailable {
		r.pause()
		return batch
	}
	if err != nil {
		r.lost.Add(int64(len(batch)))
		return batch[:0]
	}
	if lost := r.lost.Swap(0); lost > 0 {
		r.log.Error("request log rows lost: the database could not follow", "rows", lost)
	}
	return batch[:0]
}

// pause waits before a retry, but not beyond Close.
func (r *Recorder) pause() {
	select {
	case <-time.After(retryWait):
	case <-r.stop:
	}
}

// drain writes the rows recorded before Close, with one attempt per batch.
func (r *Recorder) drain(batch []Row) {
	for {
		for len(batch) < batchLength && len(r.queue) > 0 {
			batch = append(batch, <-r.queue)
		}
		if len(batch) == 0 {
			return
		}
		if batch = r.write(batch); len(batch) > 0 {
			r.log.Error("request log rows lost at the end", "rows", len(batch)+len(r.queue))
			return
		}
	}
}
