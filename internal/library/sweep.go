package library

import (
	"context"
	"iter"

	"cradle/internal/account"
)

// sweepChunk is how many records a sweep reads at a time.
const sweepChunk = 500

// Edition returns the number of the edition loaded last, 0 if none is loaded.
func (l *Library) Edition() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.edition == nil {
		return 0
	}
	return l.edition.generation
}

// Sweep iterates over the records of a kind that all viewers see alike, so that an
// API can render them ahead of requests. It goes in the order of ids, in which
// records are stored, because that is cheapest to read.
func (l *Library) Sweep(ctx context.Context, kind Kind) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		e, err := l.at(ctx, 0)
		if err != nil {
			yield(Page{}, err)
			return
		}
		byID, nobody := e.names[kind].byID, nobodys(e)
		for from := 0; from < len(byID); from += sweepChunk {
			page := l.page(nobody, kind)
			for _, place := range byID[from:min(from+sweepChunk, len(byID))] {
				if r := nobody.ref(kind, place); r.Shared() {
					page.Refs = append(page.Refs, r)
				}
			}
			if !yield(page, nil) {
				return
			}
		}
	}
}

// nobodys is the mask of a viewer without a team.
func nobodys(e *edition) *mask {
	return &mask{viewer: account.Viewer{}, edition: e, holdings: owned{holdings: newHoldings()}}
}
