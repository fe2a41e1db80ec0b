package webhook

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"cradle/internal/lci"
)

// WorkStore hands out deliveries and takes what became of them.
type WorkStore interface {
	// Claim takes deliveries that are due. Nobody else gets them until the
	// lease ends.
	Claim(ctx context.Context, c Claim) ([]Job, error)
	// Record writes attempts and what follows from them.
	Record(ctx context.Context, results []Result) error
}

// Claim says which deliveries a worker can take.
type Claim struct {
	Now         time.Time
	Lease       time.Time
	Most        int
	PerEndpoint int
	Except      []string // endpoints that have enough under way
	Only        string   // one endpoint that somebody listens for
}

// Result is an attempt and whose it was.
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
	perEndpoint  = 32   // deliveries that one endpoint may have under way
	perClaim     = 16   // of which so many are taken at a time
	underWay     = 1024 // and all together, so that it takes many dead endpoints to keep the others waiting
	leaseTime    = time.Minute
	pollInterval = 500 * time.Millisecond
	wakePause    = 20 * time.Millisecond // between two looks that commits ask for, so that a run of pulls is not slowed by its own wakes
	recordBatch  = 200
	recordRetry  = time.Second
)

// Worker delivers what is due, until it is stopped. Any number of workers, on
// any number of servers, share the work.
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
	nothing  map[string]bool // nothing else than what is due at these endpoints was due when last looked; nil when not known

	stop     context.CancelFunc
	stopping context.Context
	done     chan struct{}
}

// NewWorker returns a worker. wake tells it that something new may be due; what
// it is not told it finds by looking twice a second.
func NewWorker(store WorkStore, sender *Sender, sealer Sealer, wake <-chan struct{}, now func() time.Time, log *slog.Logger) *Worker {
	w := &Worker{store: store, sender: sender, sealer: sealer, wake: wake, now: now, log: log,
		results: make(chan Result, underWay), assigned: map[string]int{}, done: make(chan struct{})}
	w.stopping, w.stop = context.WithCancel(context.Background())
	return w
}

// Start begins the work.
func (w *Worker) Start() { go w.run() }

// Stop claims nothing more, waits for what is under way and records it. Calling
// it again does nothing.
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

// claim takes what there is room for, begins to send it and returns how much.
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

// inVain says whether a claim would look only where nothing was due, past all
// that is due at endpoints that have enough under way.
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

// deliver makes one attempt. It goes on while the worker is being stopped.
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

// record writes results, those that are there together, until there are no more.
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

// write keeps trying while the lease lasts: beyond it another worker has the
// delivery, and sends it again.
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
