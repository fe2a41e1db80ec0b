package cache

import "testing"

func TestCacheStaysWithinItsMemory(t *testing.T) {
	const memory, size = 100_000, 1_000
	c := New(memory, func(int, []byte) int { return size })
	for i := range 10_000 {
		c.Put(i, make([]byte, size))
	}
	c.entries.CleanUp()
	kept := 0
	for i := range 10_000 {
		if _, known := c.Get(i); known {
			kept++
		}
	}
	if most := memory / (size + overhead); kept == 0 || kept > most {
		t.Errorf("%d entries are kept, at most %d fit", kept, most)
	}
}

func TestAnEntryThatGrewTakesItsNewSize(t *testing.T) {
	type list struct{ items int }
	c := New(100_000, func(_ string, l *list) int { return l.items })
	one := &list{items: 1}
	c.Put("one", one)
	one.items = 200_000
	c.Put("one", one)
	c.entries.CleanUp()
	if _, known := c.Get("one"); known {
		t.Error("more is kept than there is memory for")
	}
}

func TestWithoutMemoryNothingIsKept(t *testing.T) {
	c := New(0, func(string, string) int { return 1 })
	c.Put("a", "b")
	c.entries.CleanUp()
	if _, known := c.Get("a"); known {
		t.Error("something is kept")
	}
}
