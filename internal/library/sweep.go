package library

import (
	"context"
	"iter"

	"cradle/internal/account"
)

// sweepChunk is how many records a sweep reads at a time.
const sweepChunk = 500

// Edition numbers the catalogue that was read last, 0 before the first.
func (l *Library) Edition() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.edition == nil {
		return 0
	}
	return l.edition.generation
}

// Sweep goes through every record of a kind of which all viewers see the same,
// so that an API can make ready what it will be asked for. It reads in the order
// of ids, which is the order in which records are stored and the cheapest.
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

// nobodys is the mask of one who belongs to no team.
func nobodys(e *edition) *mask {
	return &mask{viewer: account.Viewer{}, edition: e, holdings: owned{holdings: newHoldings()}}
}
