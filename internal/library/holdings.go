package library

import (
	"context"
	"slices"
	"sync"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// holdings is what one wallet has bought, as far as it still exists in one
// generation. It grows as the wallet buys; every reveal is kept with its number,
// so that a reader sees no reveals later than its own snapshot.
type holdings struct {
	mu      sync.RWMutex
	reveals int64 // how many of the wallet's reveals have been read
	items   map[Item]int64
	records map[record]int64 // the number of the record's first reveal
}

// record identifies a record: a material and a process may share an id.
type record struct {
	kind Kind
	id   lci.ID
}

// Item is one thing that can be revealed.
type Item struct {
	Kind   RevealKind
	Record lci.ID
	ID     lci.ID
}

func newHoldings() *holdings {
	return &holdings{items: map[Item]int64{}, records: map[record]int64{}}
}

// refresh reads the reveals since the last refresh and reports whether there were
// any; count is the wallet's total number of reveals.
func (h *holdings) refresh(ctx context.Context, store Store, wallet account.Wallet, count int64) (grown bool, err error) {
	h.mu.RLock()
	current := h.reveals >= count
	h.mu.RUnlock()
	if current {
		return false, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	reveals, err := store.Reveals(ctx, wallet, h.reveals)
	if err != nil {
		return false, err
	}
	for _, r := range reveals {
		h.items[Item{r.Kind, r.Record, r.Item}] = r.Seq
		of := record{r.Kind.of(), r.Record}
		if _, known := h.records[of]; !known {
			h.records[of] = r.Seq
		}
		h.reveals = max(h.reveals, r.Seq)
	}
	h.reveals = max(h.reveals, count)
	return true, nil
}

// size is the approximate size of the holdings in bytes.
func (h *holdings) size() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return 96*len(h.items) + 64*len(h.records)
}

// owned is a wallet's holdings up to one reveal.
type owned struct {
	*holdings
	upTo int64 // the number of the last reveal that counts
}

func (o owned) has(kind RevealKind, record, item lci.ID) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	seq, ok := o.items[Item{kind, record, item}]
	return ok && seq <= o.upTo
}

// hasRecord reports whether anything of the record with the id was bought.
func (o owned) hasRecord(id lci.ID) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	for kind := range kinds {
		if seq, ok := o.records[record{kind, id}]; ok && seq <= o.upTo {
			return true
		}
	}
	return false
}

// positions returns where the bought records of a kind stand among names, in order.
func (o owned) positions(names *nameIndex, kind Kind) []uint32 {
	o.mu.RLock()
	defer o.mu.RUnlock()
	var at []uint32
	for of, seq := range o.records {
		if p, ok := names.position(of.id); ok && of.kind == kind && seq <= o.upTo {
			at = append(at, p)
		}
	}
	slices.Sort(at)
	return at
}
