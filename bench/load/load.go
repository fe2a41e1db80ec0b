package load

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Source returns the requests of one connection, one after the other. It is
// called by one goroutine.
type Source func() []byte

// Repeat is a source of the same request.
func Repeat(request []byte) Source { return func() []byte { return request } }

// Result is the result of a run.
type Result struct {
	Requests int
	Bytes    int // of bodies
	Elapsed  time.Duration
	times    []time.Duration // sorted
}

// Rate is how many requests a second were answered.
func (r Result) Rate() float64 { return float64(r.Requests) / r.Elapsed.Seconds() }

// Quantile returns the time that a share of the requests stayed within.
func (r Result) Quantile(share float64) time.Duration {
	if len(r.times) == 0 {
		return 0
	}
	return r.times[min(len(r.times)-1, int(share*float64(len(r.times))))]
}

// Work does one unit of what is measured and returns how many bytes it read.
type Work func() (int, error)

// Run sends requests over one connection per source for some time. Any error
// ends it.
func Run(ctx context.Context, address string, sources []Source, duration time.Duration) (Result, error) {
	work := make([]Work, len(sources))
	for i, next := range sources {
		conn, err := Dial(address)
		if err != nil {
			return Result{}, err
		}
		defer conn.Close()
		work[i] = func() (int, error) { return conn.Do(next()) }
	}
	return Drive(ctx, work, duration)
}

// Drive repeats each of the works concurrently for some time.
func Drive(ctx context.Context, works []Work, duration time.Duration) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	results, errs := make([]Result, len(works)), make([]error, len(works))
	began := time.Now()
	var wg sync.WaitGroup
	for i, work := range works {
		wg.Go(func() {
			results[i], errs[i] = drive(ctx, work)
			if errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	total := Result{Elapsed: time.Since(began)}
	for _, r := range results {
		total.Requests += r.Requests
		total.Bytes += r.Bytes
		total.times = append(total.times, r.times...)
	}
	slices.Sort(total.times)
	for _, err := range errs {
		if err != nil {
			return total, err // the others mostly say the same
		}
	}
	return total, nil
}

func drive(ctx context.Context, work Work) (Result, error) {
	var r Result
	for at := time.Now(); ctx.Err() == nil; {
		n, err := work()
		if err != nil {
			return r, err
		}
		now := time.Now()
		r.Requests++
		r.Bytes += n
		r.times = append(r.times, now.Sub(at))
		at = now
	}
	return r, nil
}
