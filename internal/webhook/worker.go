package webhook

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"cradle/internal/lci"
)

// WorkStore hands out deliveries and records attempts.
type WorkStore interface {
	// Claim claims due deliveries. No one else gets them until the lease ends.
	Claim(ctx context.Context, c Claim) ([]Job, error)
	// Record writes attempts and their consequences.
	Record(ctx context.Context, results []Result) error
}

// Claim selects the deliveries that a worker can take.
type Claim struct {
	Now         time.Time
	Lease       time.Time
	Most        int
	PerEndpoint int
	Except      []string // endpoints with enough deliveries in flight
	Only        string   // the endpoint of a listener
}

// Result is an attempt and its delivery.
type Result struct {
	Job     Job
	Attempt Attempt
	Verdict Verdict
}

// Sealer opens secrets.
type Sealer interface {
	Open(owner lci.ID, sealed []byte) (string, error)
}

const (
	perEndpoint  = 32   // deliveries in flight to one endpoint
	perClaim     = 16   // deliveries to one endpoint in a claim
	underWay     = 1024 // deliveries in flight in total; it takes many dead endpoints to hold up the others
	leaseTime    = time.Minute
	pollInterval = 500 * time.Millisecond
	wakePause    = 20 * time.Millisecond // between two claims prompted by commits, so that a series of pulls is not slowed by its own wakes
	recordBatch  = 200
	recordRetry  = time.Second
)

// Worker makes due deliveries until it is stopped. Any number of workers, on any
// number of servers, share the work.
type Worker struct {
	store  WorkStore
	sender *Sender
	sealer Sealer
	wake   <-chan struct{}
	now    func() time.Time
	log    *slog.Logger

	results  chan Result
	assigned map[string]int // per endpoint, until recorded
	total    int
	mu       sync.Mutex
	nothing  map[string]bool // the endpoints skipped when the last claim found nothing else due; nil if unknown

	stop     context.CancelFunc
	stopping context.Context
	done     chan struct{}
}

// NewWorker returns a worker. wake tells it that something new may be due; it
// also looks twice a second by itself.
func NewWorker(store WorkStore, sender *Sender, sealer Sealer, wake <-chan struct{}, now func() time.Time, log *slog.Logger) *Worker {
	w := &Worker{store: store, sender: sender, sealer: sealer, wake: wake, now: now, log: log,
		results: make(chan Result, underWay), assigned: map[string]int{}, done: make(chan struct{})}
	w.stopping, w.stop = context.WithCancel(context.Background())
	return w
}

// Start starts the worker.
func (w *Worker) Start() { go w.run() }

// Stop claims nothing more, waits for the deliveries in flight and records them.
// Calling it again does nothing.
func (w *Worker) Stop() {
	w.stop()
	<-w.done
}

func (w *Worker) run() {
	defer close(w.done)
	recorded := make(chan struct{}, 1)
	var recorder, senders sync.WaitGroup
	recorder.Go(func() { w.record(recorded) })
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for w.stopping.Err() == nil {
		if w.claim(&senders) > 0 {
			continue
		}
		looked := time.Now()
		select {
		case <-w.stopping.Done():
		case <-w.wake:
			w.pause(wakePause - time.Since(looked))
			w.nothing = nil
		case <-recorded:
		case <-poll.C:
			w.nothing = nil
		}
	}
	senders.Wait()
	close(w.results)
	recorder.Wait()
}

func (w *Worker) pause(d time.Duration) {
	select {
	case <-w.stopping.Done():
	case <-time.After(d):
	}
}

// claim claims as much as there is room for, starts sending it and returns how
// much.
func (w *Worker) claim(senders *sync.WaitGroup) int {
	c, room := w.room()
	if !room || w.inVain(c) {
		return 0
	}
	jobs, err := w.store.Claim(w.stopping, c)
	if err != nil {
		if w.stopping.Err() == nil {
			w.log.Error("deliveries not claimed", "error", err)
		}
		return 0
	}
	if len(jobs) == 0 && len(c.Except) > 0 {
		w.nothing = make(map[string]bool, len(c.Except))
		for _, endpoint := range c.Except {
			w.nothing[endpoint] = true
		}
	}
	for _, job := range jobs {
		w.assign(job.Endpoint, 1)
		senders.Go(func() { w.results <- w.deliver(job) })
	}
	return len(jobs)
}

// inVain reports whether a claim is bound to find nothing: it would skip
// everything due at busy endpoints, and nothing else was due.
func (w *Worker) inVain(c Claim) bool {
	if w.nothing == nil {
		return false
	}
	excepted := 0
	for _, endpoint := range c.Except {
		if w.nothing[endpoint] {
			excepted++
		}
	}
	return excepted == len(w.nothing)
}

func (w *Worker) room() (Claim, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := Claim{Now: w.now(), Lease: w.now().Add(leaseTime), Most: underWay - w.total, PerEndpoint: perClaim}
	for endpoint, n := range w.assigned {
		if n > perEndpoint-perClaim {
			c.Except = append(c.Except, endpoint)
		}
	}
	return c, c.Most > 0
}

func (w *Worker) assign(endpoint string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.total += n
	if w.assigned[endpoint] += n; w.assigned[endpoint] == 0 {
		delete(w.assigned, endpoint)
	}
}

// deliver makes one attempt, which is not cut short when the worker is stopped.
func (w *Worker) deliver(job Job) Result {
	return Deliver(context.WithoutCancel(w.stopping), w.sender, w.sealer, job)
}

// Deliver makes one attempt and judges it.
func Deliver(ctx context.Context, sender *Sender, sealer Sealer, job Job) Result {
	for _, sealed := range job.Sealed {
		if secret, err := sealer.Open(Owner(job.Endpoint), sealed); err == nil {
			job.Secrets = append(job.Secrets, secret)
		}
	}
	a := sender.Send(ctx, job)
	return Result{Job: job, Attempt: a, Verdict: Judge(a, job.Try, job.IsTest())}
}

// Owner is the id that an endpoint's secrets are sealed for.
func Owner(endpoint string) lci.ID {
	id, _ := lci.ParseID(endpoint[len("wh_"):])
	return id
}

// record writes results, in batches of those that are ready, until there are no
// more.
func (w *Worker) record(recorded chan<- struct{}) {
	for first := range w.results {
		batch := w.gather([]Result{first})
		w.write(batch)
		for _, r := range batch {
			w.assign(r.Job.Endpoint, -1)
		}
		select {
		case recorded <- struct{}{}:
		default:
		}
	}
}

func (w *Worker) gather(batch []Result) []Result {
	for len(batch) < recordBatch {
		select {
		case r, open := <-w.results:
			if !open {
				return batch
			}
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// write retries while the lease lasts: after that another worker sends the
// delivery again.
func (w *Worker) write(batch []Result) {
	for began := w.now(); ; {
		err := w.store.Record(context.Background(), batch)
		if err == nil {
			return
		}
		w.log.Error("attempts not recorded", "attempts", len(batch), "error", err)
		if w.now().Sub(began) >= w.patience() {
			return
		}
		time.Sleep(recordRetry)
	}
}

func (w *Worker) patience() time.Duration {
	if w.stopping.Err() != nil {
		return 5 * recordRetry
	}
	return leaseTime / 2
}
