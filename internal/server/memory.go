package server

import (
	"os"
	"runtime"
	"runtime/debug"
)

// How the caches share their memory, in per cent.
const (
	restShare       = 68 // rendered rows
	graphShare      = 10 // rendered rows, and documents
	compressedShare = 10 // answers
	libraryShare    = 10 // searches, and what wallets own
	accountShare    = 2  // the holders of keys
)

// lazyCollection is GOGC, the growth of the heap in per cent before the garbage
// collector runs, as long as there is memory.
const lazyCollection = 400

// FitMemory trades memory for speed: the garbage collector may let a small heap
// grow several times over, but not far beyond what the catalogue and the caches
// need. It leaves settings of the operator alone.
func FitMemory(cacheBytes int) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	needed := int64(now.HeapAlloc) + int64(cacheBytes)
	debug.SetGCPercent(lazyCollection)
	debug.SetMemoryLimit(needed + needed*2/3)
}
