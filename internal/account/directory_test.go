package account

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"cradle/internal/lci"
)

// fakeHolders finds holders in a map and counts the lookups.
type fakeHolders struct {
	holders map[string]*Holder
	asked   atomic.Int64
	err     error
	during  func() // runs once, after a holder is read and before it is returned
}

func (f *fakeHolders) Holder(_ context.Context, hash string) (*Holder, error) {
	f.asked.Add(1)
	h := f.holders[hash]
	if run := f.during; run != nil {
		f.during = nil
		run()
	}
	return h, f.err
}

func oneHolder() (store *fakeHolders, secret string) {
	secret = NewSecret(Live)
	return &fakeHolders{holders: map[string]*Holder{HashSecret(secret): {User: User{ID: lci.NewID()}}}}, secret
}

func TestDirectoryAsksOncePerVersion(t *testing.T) {
	store, secret := oneHolder()
	d := NewDirectory(store, 1<<20)
	for i, step := range []struct{ version, asked int64 }{{1, 1}, {1, 1}, {2, 2}, {2, 2}, {5, 3}} {
		if h, err := d.Holder(t.Context(), step.version, secret); err != nil || h == nil {
			t.Fatal(h, err)
		}
		if asked := store.asked.Load(); asked != step.asked {
			t.Errorf("step %d: asked %d times, want %d", i, asked, step.asked)
		}
	}
}

func TestDirectoryForgetsARevokedKeyWithTheNextVersion(t *testing.T) {
	store, secret := oneHolder()
	d := NewDirectory(store, 1<<20)
	if _, err := d.Holder(t.Context(), 1, secret); err != nil {
		t.Fatal(err)
	}
	clear(store.holders)
	if _, err := d.Holder(t.Context(), 2, secret); !errors.Is(err, ErrKey) {
		t.Errorf("after the revocation: %v", err)
	}
}

func TestOvertakenReaderStoresNothing(t *testing.T) {
	store, secret := oneHolder()
	d := NewDirectory(store, 1<<20)
	other := NewSecret(Live)
	store.holders[HashSecret(other)] = &Holder{}
	store.during = func() { // a request with a later version arrives in between
		clear(store.holders)
		store.holders[HashSecret(other)] = &Holder{}
		if _, err := d.Holder(t.Context(), 2, other); err != nil {
			t.Error(err)
		}
	}
	if _, err := d.Holder(t.Context(), 1, secret); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Holder(t.Context(), 2, secret); !errors.Is(err, ErrKey) {
		t.Errorf("what was read before the revocation is remembered: %v", err)
	}
}

func TestReaderOfAnEarlierVersionIsNotAnsweredFromALaterOne(t *testing.T) {
	store, secret := oneHolder()
	d := NewDirectory(store, 1<<20)
	for _, version := range []int64{2, 1, 2} {
		if _, err := d.Holder(t.Context(), version, secret); err != nil {
			t.Fatal(err)
		}
	}
	if asked := store.asked.Load(); asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

func TestKeysThatOpenNothing(t *testing.T) {
	store, secret := oneHolder()
	for name, c := range map[string]struct {
		secret string
		asked  int64
	}{
		"empty":                {"", 0},
		"another prefix":       {"svc_prod_" + secret[9:], 0},
		"too short":            {secret[:40], 0},
		"too long":             {secret + "a", 0},
		"outside the alphabet": {secret[:40] + "-", 0},
		"another case":         {strings.ToUpper(secret[:4]) + secret[4:], 0},
		"well formed, unknown": {NewSecret(Live), 1},
		"the other mode":       {testPrefix + secret[9:], 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := NewDirectory(store, 1<<20)
			store.asked.Store(0)
			for range 2 {
				if h, err := d.Holder(t.Context(), 1, c.secret); !errors.Is(err, ErrKey) || h != nil {
					t.Errorf("%v, %v", h, err)
				}
			}
			if asked := store.asked.Load(); asked != 2*c.asked {
				t.Errorf("the store was asked %d times", asked)
			}
		})
	}
}

func TestFailureIsNotRemembered(t *testing.T) {
	store, secret := oneHolder()
	d := NewDirectory(store, 1<<20)
	store.err = errors.New("broken")
	if _, err := d.Holder(t.Context(), 1, secret); !errors.Is(err, store.err) {
		t.Errorf("got %v", err)
	}
	store.err = nil
	if _, err := d.Holder(t.Context(), 1, secret); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
