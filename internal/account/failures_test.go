package account

import (
	"testing"
	"time"

	"cradle/internal/fault"
)

func TestWaitingGrowsAndIsForgotten(t *testing.T) {
	now := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	f := []Failures{{Subject: "account:x"}, {Subject: "address:y"}}
	for range freeOfAccount {
		if err := count(f, now); err != nil {
			t.Fatal(err)
		}
	}
	var before time.Duration
	for range 14 {
		err := count(f, now)
		if fault.KindOf(err) != fault.RateLimited {
			t.Fatalf("nobody has to wait after %d failures: %v", f[0].Count, err)
		}
		wait := f[0].Until.Sub(now)
		if wait < before || wait > longestWait {
			t.Errorf("the wait is %v after %v", wait, before)
		}
		before, now = wait, f[0].Until
		if err := count(f, now); err != nil {
			t.Fatal(err)
		}
	}
	forgive(f, now)
	if f[0].Count != 0 || f[1].Count == 0 {
		t.Errorf("after a success: %+v", f)
	}
	f[1].Count, f[1].Until = 100, now
	if err := count(f, now.Add(FailuresKept+time.Minute)); err != nil || f[1].Count != 1 {
		t.Errorf("failures of long ago count: %+v, %v", f, err)
	}
}

func TestNeighboursOfAnAddressCountTogether(t *testing.T) {
	if addressSubject("2001:db8::1") != addressSubject("2001:db8::ffff:1") || addressSubject("2001:db8::1") == addressSubject("2001:db8:0:1::1") {
		t.Error("an IPv6 client is not its network")
	}
	if addressSubject("192.0.2.1") == addressSubject("192.0.2.2") {
		t.Error("two IPv4 clients are one")
	}
}
