package source

import (
	"context"
	"io"
	"sync"

	"cradle/internal/ingest"
)

// A Gauge reports how much of a source was read in one pass, about two hundred
// times in total. It is safe for concurrent use.
type Gauge struct {
	mu                sync.Mutex
	done, total, told int64
	tell              ingest.Progress
}

// NewGauge returns the gauge of a pass over total bytes; tell may be nil.
func NewGauge(total int64, tell ingest.Progress) *Gauge {
	if tell == nil {
		tell = func(int64, int64) {}
	}
	return &Gauge{total: total, tell: tell}
}

// Add counts n bytes as read.
func (g *Gauge) Add(n int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done += n
	if g.done-g.told > g.total/200 && g.done < g.total {
		g.told = g.done
		g.tell(g.done, g.total)
	}
}

// Finish reports that everything was read.
func (g *Gauge) Finish() { g.tell(g.total, g.total) }

// Reader reads from in under the gauge until the context ends.
func (g *Gauge) Reader(ctx context.Context, in io.Reader) io.Reader {
	return &gauged{withContext(ctx, in), g}
}

type gauged struct {
	in    io.Reader
	gauge *Gauge
}

func (r *gauged) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.gauge.Add(int64(n))
	return n, err
}

func withContext(ctx context.Context, in io.Reader) io.Reader { return &cancellable{ctx, in} }

type cancellable struct {
	ctx context.Context
	in  io.Reader
}

func (r *cancellable) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}
