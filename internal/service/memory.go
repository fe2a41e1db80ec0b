package service

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	lazyCollection = 400      // per cent of growth before the garbage collector runs…
	spareMemory    = 32 << 20 // …and what it may leave beside catalogue and cache
)

// FitMemory trades memory for speed: the garbage collector may let a small heap
// grow several times over, but not beyond what the catalogue in memory and the
// cache need. It leaves alone what an operator has set.
func FitMemory(cacheBytes int) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	needed := int64(now.HeapAlloc) + int64(cacheBytes)
	debug.SetGCPercent(lazyCollection)
	debug.SetMemoryLimit(needed + needed/6 + spareMemory)
}
