package requestlog

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cradle/internal/fault"
)

// fakeStore keeps batches and fails as told.
type fakeStore struct {
	mu      sync.Mutex
	batches [][]string
	fails   []error       // of the next calls
	held    chan struct{} // if set and open, calls wait
}

func (s *fakeStore) LogRequests(_ context.Context, rows []Row) error {
	if s.held != nil {
		<-s.held
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.fails) > 0 {
		err := s.fails[0]
		s.fails = s.fails[1:]
		return err
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.RequestID
	}
	s.batches = append(s.batches, ids)
	return nil
}

func (s *fakeStore) rows() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.batches {
		ids = append(ids, b...)
	}
	return ids
}

var (
	quiet      = slog.New(slog.NewTextHandler(io.Discard, nil))
	errAway    = fault.New(fault.Unavailable, "unavailable", "away")
	errRefused = errors.New("refused")
)

func record(r *Recorder, from, to int) {
	for i := from; i < to; i++ {
		r.Record(Row{RequestID: strconv.Itoa(i)})
	}
}

// expectRows expects the rows from..to, each once, in order.
func expectRows(t *testing.T, s *fakeStore, from, to int) {
	t.Helper()
	rows := s.rows()
	if len(rows) != to-from {
		t.Fatalf("%d rows are written, want %d", len(rows), to-from)
	}
	for i, id := range rows {
		if id != strconv.Itoa(from+i) {
			t.Fatalf("row %d is %s", i, id)
		}
	}
}

func TestRowsAreWrittenInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{}
		r := NewRecorder(store, quiet)
		record(r, 0, 3)
		synctest.Wait()
		if len(store.rows()) != 0 {
			t.Error("a row was written at once")
		}
		time.Sleep(batchWait)
		synctest.Wait()
		expectRows(t, store, 0, 3)
		record(r, 3, 3+batchLength)
		synctest.Wait()
		expectRows(t, store, 0, 3+batchLength)
		if len(store.batches) != 2 || len(store.batches[1]) != batchLength {
			t.Errorf("%d batches", len(store.batches))
		}
		r.Close()
	})
}

func TestCloseWritesWhatIsLeft(t *testing.T) {
	store := &fakeStore{}
	r := NewRecorder(store, quiet)
	record(r, 0, 3*batchLength+7)
	r.Close()
	r.Close()
	expectRows(t, store, 0, 3*batchLength+7)
}

func TestBatchIsTriedAgainWhileTheDatabaseIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{fails: []error{errAway, errAway}}
		r := NewRecorder(store, quiet)
		record(r, 0, 10)
		time.Sleep(batchWait + 3*retryWait)
		synctest.Wait()
		expectRows(t, store, 0, 10)
		r.Close()
	})
}

func TestRefusedBatchDoesNotHoldUpTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{fails: []error{errRefused}}
		r := NewRecorder(store, quiet)
		record(r, 0, 10)
		time.Sleep(batchWait)
		synctest.Wait()
		if lost := r.lost.Load(); lost != 10 {
			t.Errorf("%d rows count as lost", lost)
		}
		record(r, 10, 20)
		time.Sleep(batchWait)
		synctest.Wait()
		expectRows(t, store, 10, 20)
		r.Close()
	})
}

func TestCloseDoesNotWaitForADatabaseThatIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{fails: []error{errAway, errAway, errAway}}
		r := NewRecorder(store, quiet)
		record(r, 0, 10)
		start := time.Now()
		r.Close()
		if took := time.Since(start); took != 0 {
			t.Errorf("it waited %v", took)
		}
		if rows := store.rows(); len(rows) != 0 {
			t.Errorf("%d rows", len(rows))
		}
	})
}

func TestRecordNeverWaitsAndCountsWhatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &fakeStore{held: make(chan struct{})}
		r := NewRecorder(store, quiet)
		record(r, 0, batchLength)
		synctest.Wait() // the recorder hangs in the store
		record(r, batchLength, batchLength+queueLength+25)
		if lost := r.lost.Load(); lost != 25 {
			t.Errorf("%d rows count as lost", lost)
		}
		close(store.held)
		synctest.Wait()
		time.Sleep(batchWait)
		synctest.Wait()
		expectRows(t, store, 0, batchLength+queueLength)
		if lost := r.lost.Load(); lost != 0 {
			t.Errorf("%d rows still count as lost after they were reported", lost)
		}
		r.Close()
	})
}
