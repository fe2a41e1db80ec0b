package library

import (
	"context"
	"slices"
	"sync"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// holdings is what one wallet has bought, as far as it still exists in one
// generation. It grows as the wallet buys.
type holdings struct {
	mu      sync.RWMutex
	reveals int64 // how many of the wallet's reveals were read
	items   map[Item]struct{}
	records map[lci.ID]struct{}
}

// Item is one thing that can be revealed.
type Item struct {
	Kind   RevealKind
	Record lci.ID
	ID     lci.ID
}

func newHoldings() *holdings {
	return &holdings{items: map[Item]struct{}{}, records: map[lci.ID]struct{}{}}
}

// refresh reads what was bought since; count is how many reveals there are.
func (h *holdings) refresh(ctx context.Context, store Store, wallet account.Wallet, count int64) error {
	h.mu.RLock()
	current := h.reveals >= count
	h.mu.RUnlock()
	if current {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	reveals, err := store.Reveals(ctx, wallet, h.reveals)
	if err != nil {
		return err
	}
	for _, r := range reveals {
		h.items[Item{r.Kind, r.Record, r.Item}] = struct{}{}
		h.records[r.Record] = struct{}{}
		h.reveals = max(h.reveals, r.Seq)
	}
	h.reveals = max(h.reveals, count)
	return nil
}

func (h *holdings) has(kind RevealKind, record, item lci.ID) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	_, ok := h.items[Item{kind, record, item}]
	return ok
}

func (h *holdings) hasRecord(record lci.ID) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	_, ok := h.records[record]
	return ok
}

// positions returns where the bought records stand on a shelf, in order.
func (h *holdings) positions(s *shelf) []uint32 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	var at []uint32
	for id := range h.records {
		if p, ok := s.position(id); ok {
			at = append(at, p)
		}
	}
	slices.Sort(at)
	return at
}
