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

// SweepMaterials goes through every material of which all viewers see the same,
// so that a face can make ready what it will be asked for. It reads in the order
// of ids, which is the order in which records are stored and the cheapest.
func (l *Library) SweepMaterials(ctx context.Context) iter.Seq2[Page, error] {
	return l.sweep(ctx, func(e *edition) *nameIndex { return &e.materials })
}

// SweepProcesses does the same for processes.
func (l *Library) SweepProcesses(ctx context.Context) iter.Seq2[Page, error] {
	return l.sweep(ctx, func(e *edition) *nameIndex { return &e.processes })
}

func (l *Library) sweep(ctx context.Context, of func(*edition) *nameIndex) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		e, err := l.at(ctx, 0)
		if err != nil {
			yield(Page{}, err)
			return
		}
		s, nobody := of(e), nobodys(e)
		for from := 0; from < len(s.byID); from += sweepChunk {
			page := Page{Edition: e.generation, Size: len(s.ids), mask: nobody}
			for _, place := range s.byID[from:min(from+sweepChunk, len(s.byID))] {
				if r := nobody.ref(s, place); r.Shared() {
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
