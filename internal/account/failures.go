package account

import (
	"strings"
	"time"

	"cradle/internal/fault"
)

// Failures are the failed sign-ins to an account or from an address.
type Failures struct {
	Subject string
	Count   int
	Until   time.Time // no attempts are accepted before
	Last    time.Time
}

const (
	freeOfAccount = 5  // wrong passwords before the first pause
	freeOfAddress = 20 // many people may share an address
	longestWait   = 15 * time.Minute
	// FailuresKept is how long after the last failure they are forgotten.
	FailuresKept = 24 * time.Hour
)

func (f *Failures) free() int {
	if strings.HasPrefix(f.Subject, "address:") {
		return freeOfAddress
	}
	return freeOfAccount
}

// count counts an attempt against every subject, or refuses it.
func count(all []Failures, now time.Time) error {
	for i := range all {
		if wait := all[i].Until.Sub(now); wait > 0 {
			return fault.New(fault.RateLimited, "too_many_attempts",
				"Too many failed attempts. Wait %s and try again", wait.Round(time.Second)+time.Second)
		}
	}
	for i := range all {
		f := &all[i]
		if now.Sub(f.Last) > FailuresKept {
			f.Count = 0
		}
		f.Count++
		f.Last = now
		f.Until = now.Add(pause(f.Count - f.free()))
	}
	return nil
}

// pause is the waiting time after a number of failures beyond the free ones. It
// doubles with each.
func pause(tooMany int) time.Duration {
	if tooMany < 0 {
		return 0
	}
	wait := time.Second << min(tooMany, 20)
	return min(wait, longestWait)
}

// forgive undoes count for an attempt that succeeded. An account's failures are
// reset; an address's are not, or an attacker could reset them by signing in to
// an account of their own.
func forgive(all []Failures, now time.Time) {
	for i := range all {
		f := &all[i]
		if f.free() == freeOfAccount {
			f.Count = 0
		}
		f.Count = max(0, f.Count-1)
		f.Until = now
	}
}
