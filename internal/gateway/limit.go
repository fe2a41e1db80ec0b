package gateway

import (
	"math"
	"sync"
	"time"
)

// burstSeconds is how many seconds' worth of requests may arrive at once.
const burstSeconds = 2

// mostBuckets bounds how many buckets are kept; full ones are dropped first.
const mostBuckets = 100_000

// limiter is a token bucket per name: rate tokens a second, up to a burst.
type limiter[K comparable] struct {
	rate, burst float64
	mu          sync.Mutex
	buckets     map[K]*bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

// allowance is the state of a bucket after a request.
type allowance struct {
	ok        bool
	limit     int
	remaining int
	reset     time.Time     // when the bucket is full again
	retry     time.Duration // until the next token, when refused
}

// newLimiter returns nil, which limits nothing, for a rate of 0.
func newLimiter[K comparable](rate float64) *limiter[K] {
	if rate <= 0 {
		return nil
	}
	return &limiter[K]{rate: rate, burst: math.Max(1, math.Ceil(rate*burstSeconds)), buckets: map[K]*bucket{}}
}

// take takes a token from name's bucket.
func (l *limiter[K]) take(name K, now time.Time) allowance {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[name]
	if b == nil {
		l.makeRoom(now)
		b = &bucket{tokens: l.burst, at: now}
		l.buckets[name] = b
	}
	b.tokens = l.filled(b, now)
	b.at = now
	a := allowance{limit: int(l.burst)}
	if b.tokens >= 1 {
		b.tokens--
		a.ok = true
	} else {
		a.retry = l.duration(1 - b.tokens)
	}
	a.remaining = int(b.tokens)
	a.reset = now.Add(l.duration(l.burst - b.tokens))
	return a
}

func (l *limiter[K]) filled(b *bucket, now time.Time) float64 {
	return math.Min(l.burst, b.tokens+math.Max(0, now.Sub(b.at).Seconds())*l.rate)
}

func (l *limiter[K]) duration(tokens float64) time.Duration {
	return time.Duration(tokens / l.rate * float64(time.Second))
}

func (l *limiter[K]) makeRoom(now time.Time) {
	if len(l.buckets) < mostBuckets {
		return
	}
	for name, b := range l.buckets {
		if l.filled(b, now) >= l.burst {
			delete(l.buckets, name)
		}
	}
	if len(l.buckets) >= mostBuckets {
		clear(l.buckets)
	}
}
