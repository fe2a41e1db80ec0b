package library

import (
	"bytes"
	"runtime"
	"slices"
	"sync"

	"cradle/internal/lci"
)

// nameEnd separates names; it cannot occur in a name or a search.
const nameEnd = 0xFF

// nameIndex holds every record of one kind in list order: ids, and the folded
// names in one byte slice so that a search is a single scan.
type nameIndex struct {
	ids   []lci.ID
	names []byte
	ends  []uint32 // ends[i] is the offset of the i-th name's separator
	byID  []uint32 // positions, ordered by id
}

func (s *nameIndex) add(id lci.ID, fold []byte) {
	s.ids = append(s.ids, id)
	s.names = append(append(s.names, fold...), nameEnd)
	s.ends = append(s.ends, uint32(len(s.names)-1))
}

// finish prepares the index for use.
func (s *nameIndex) finish() {
	s.byID = make([]uint32, len(s.ids))
	for i := range s.byID {
		s.byID[i] = uint32(i)
	}
	slices.SortFunc(s.byID, func(a, b uint32) int { return s.ids[a].Compare(s.ids[b]) })
}

// position returns a record's position, or false if the index does not have it.
func (s *nameIndex) position(id lci.ID) (uint32, bool) {
	i, ok := slices.BinarySearchFunc(s.byID, id, func(at uint32, id lci.ID) int { return s.ids[at].Compare(id) })
	if !ok {
		return 0, false
	}
	return s.byID[i], true
}

func (s *nameIndex) name(at uint32) []byte {
	start := uint32(0)
	if at > 0 {
		start = s.ends[at-1] + 1
	}
	return s.names[start:s.ends[at]]
}

// chunkNames is the fewest names worth a goroutine of their own.
const chunkNames = 50_000

// search returns the positions of the names that contain needle, in order.
func (s *nameIndex) search(needle []byte) []uint32 {
	chunks := max(1, min(runtime.GOMAXPROCS(0), len(s.ids)/chunkNames))
	found := make([][]uint32, chunks)
	var searching sync.WaitGroup
	for i := range chunks {
		searching.Go(func() {
			found[i] = s.searchPart(needle, len(s.ids)*i/chunks, len(s.ids)*(i+1)/chunks)
		})
	}
	searching.Wait()
	return slices.Concat(found...)
}

// searchPart searches the names in positions first up to end.
func (s *nameIndex) searchPart(needle []byte, first, end int) []uint32 {
	if first == end {
		return nil
	}
	var hits []uint32
	at, from, to := uint32(first), 0, int(s.ends[end-1])+1
	if first > 0 {
		from = int(s.ends[first-1]) + 1
	}
	for from < to {
		hit := bytes.Index(s.names[from:to], needle)
		if hit < 0 {
			break
		}
		at = s.nameAt(uint32(from+hit), at)
		hits = append(hits, at)
		from = int(s.ends[at]) + 1
		at++
	}
	return hits
}

// nameAt returns which name the byte at offset belongs to, starting from the name
// after the last hit. It doubles its step, so that near hits cost little and far
// ones not much more.
func (s *nameIndex) nameAt(offset, from uint32) uint32 {
	low, step := from, uint32(1)
	for low+step < uint32(len(s.ends)) && s.ends[low+step-1] < offset {
		low += step
		step *= 2
	}
	high := min(low+step, uint32(len(s.ends)))
	i, _ := slices.BinarySearch(s.ends[low:high], offset)
	return low + uint32(i)
}
