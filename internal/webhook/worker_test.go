package webhook

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"cradle/internal/event"
	"cradle/internal/lci"
)

// queue is a store that holds deliveries in memory.
type queue struct {
	mu       sync.Mutex
	waiting  []Job
	failing  int // how many calls of Record fail first
	recorded chan Result
}

func (q *queue) Claim(_ context.Context, c Claim) ([]Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var taken, left []Job
	per := map[string]int{}
	for _, j := range q.waiting {
		if slices.Contains(c.Except, j.Endpoint) || per[j.Endpoint] >= c.PerEndpoint || len(taken) >= c.Most {
			left = append(left, j)
			continue
		}
		per[j.Endpoint]++
		taken = append(taken, j)
	}
	q.waiting = left
	return taken, nil
}

func (q *queue) Record(_ context.Context, results []Result) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.failing > 0 {
		q.failing--
		return errors.New("the database is away")
	}
	for _, r := range results {
		q.recorded <- r
	}
	return nil
}

func (q *queue) add(endpoint, url string, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range n {
		q.waiting = append(q.waiting, Job{Delivery: endpoint + "/" + strconv.Itoa(i), Endpoint: endpoint, URL: url, EventID: "evt_1", EventType: event.DatapointPulled,
			Body: []byte("{}"), Sealed: [][]byte{[]byte("whsec_")}, Number: 1, Try: 1})
	}
}

// plainSealer does not encrypt.
type plainSealer struct{}

func (plainSealer) Open(_ lci.ID, sealed []byte) (string, error) { return string(sealed), nil }

func startWorker(t *testing.T, q *queue, wake <-chan struct{}) *Worker {
	t.Helper()
	w := NewWorker(q, localSender(t), plainSealer{}, wake, time.Now, slog.New(slog.DiscardHandler))
	w.Start()
	t.Cleanup(w.Stop)
	return w
}

// hangingReceiver does not answer until letGo is called, and signals each
// request.
func hangingReceiver(t *testing.T) (url string, arrived chan struct{}, letGo func()) {
	t.Helper()
	arrived = make(chan struct{}, 1000)
	gate := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-gate
	}))
	letGo = sync.OnceFunc(func() { close(gate) })
	t.Cleanup(func() { letGo(); s.Close() })
	return s.URL, arrived, letGo
}

func TestOneHangingEndpointDelaysNobody(t *testing.T) {
	const others = 200
	q := &queue{recorded: make(chan Result, 1000)}
	url, arrived, letGo := hangingReceiver(t)
	quick := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer quick.Close()
	q.add("wh_00000000-0000-4000-8000-000000000001", url, 100)
	q.add("wh_00000000-0000-4000-8000-000000000002", quick.URL, others)
	w := startWorker(t, q, nil)
	for range others {
		if r := <-q.recorded; r.Verdict.State != Delivered {
			t.Fatalf("%+v", r)
		}
	}
	for range perEndpoint {
		<-arrived
	}
	if n := len(arrived); n > 0 {
		t.Errorf("%d requests more than %d are under way", n, perEndpoint)
	}
	letGo()
	for range 100 {
		<-q.recorded
	}
	w.Stop()
}

func TestStopFinishesWhatIsUnderWay(t *testing.T) {
	q := &queue{recorded: make(chan Result, 10)}
	url, arrived, letGo := hangingReceiver(t)
	q.add("wh_00000000-0000-4000-8000-000000000001", url, 1)
	w := startWorker(t, q, nil)
	<-arrived
	stopped := make(chan struct{})
	go func() {
		w.Stop()
		close(stopped)
	}()
	<-w.stopping.Done()
	q.add("wh_00000000-0000-4000-8000-000000000002", url, 1)
	letGo()
	<-stopped
	if r := <-q.recorded; r.Verdict.State != Delivered {
		t.Errorf("%+v", r)
	}
	if len(q.recorded) > 0 || len(q.waiting) != 1 {
		t.Error("something was claimed after the stop")
	}
	w.Stop()
}

func TestRecordIsTriedAgain(t *testing.T) {
	q := &queue{recorded: make(chan Result, 10), failing: 1}
	quick := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer quick.Close()
	q.add("wh_00000000-0000-4000-8000-000000000001", quick.URL, 1)
	startWorker(t, q, nil)
	if r := <-q.recorded; r.Verdict.State != Delivered {
		t.Errorf("%+v", r)
	}
}
