package gateway

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

func TestBucketFillsAtItsRateUpToItsBurst(t *testing.T) {
	l := newLimiter[string](50)
	now := noon
	take := func(wait time.Duration) allowance {
		now = now.Add(wait)
		return l.take("a", now)
	}
	for i := range 100 {
		if a := take(0); !a.ok || a.limit != 100 || a.remaining != 99-i {
			t.Fatalf("request %d: %+v", i, a)
		}
	}
	a := take(0)
	if a.ok || a.remaining != 0 || a.retry != 20*time.Millisecond || !a.reset.Equal(now.Add(2*time.Second)) {
		t.Errorf("beyond the burst: %+v", a)
	}
	if a := take(19 * time.Millisecond); a.ok {
		t.Errorf("before the next token: %+v", a)
	}
	if a := take(time.Millisecond); !a.ok {
		t.Errorf("with the next token: %+v", a)
	}
	if a := take(time.Hour); !a.ok || a.remaining != 99 || !a.reset.Equal(now.Add(20*time.Millisecond)) {
		t.Errorf("after a long time: %+v", a)
	}
	if a := take(-time.Hour); !a.ok || a.remaining != 98 {
		t.Errorf("after the clock went back: %+v", a)
	}
	if a := l.take("b", now); a.remaining != 99 {
		t.Errorf("another's bucket: %+v", a)
	}
}

func TestSlowRateAdmitsOneAtATime(t *testing.T) {
	l := newLimiter[string](0.1)
	if a := l.take("a", noon); !a.ok || a.limit != 1 {
		t.Errorf("the first: %+v", a)
	}
	if a := l.take("a", noon); a.ok || a.retry != 10*time.Second {
		t.Errorf("the second: %+v", a)
	}
}

func TestNoRateIsNoLimit(t *testing.T) {
	if newLimiter[string](0) != nil || newLimiter[string](-1) != nil {
		t.Error("a limiter without a rate")
	}
}

func TestBucketsAreBounded(t *testing.T) {
	l := newLimiter[int](1)
	l.take(-1, noon.Add(time.Hour)) // not full yet when the others are
	for i := range mostBuckets - 1 {
		l.take(i, noon)
	}
	l.take(mostBuckets, noon.Add(time.Hour))
	if n := len(l.buckets); n != 2 {
		t.Errorf("%d buckets are left beside those that are full again", n)
	}
	for i := range 2 * mostBuckets {
		l.take(i, noon.Add(time.Hour))
	}
	if n := len(l.buckets); n > mostBuckets {
		t.Errorf("%d buckets", n)
	}
}
