package account

import (
	"strings"
	"time"

	"cradle/internal/fault"
)

// Failures are the wrong passwords that were given for an account or from an
// address.
type Failures struct {
	Subject string
	Count   int
	Until   time.Time // nobody may try before
	Last    time.Time
}

const (
	freeOfAccount = 5  // wrong passwords before one has to wait
	freeOfAddress = 20 // many people may share an address
	longestWait   = 15 * time.Minute
	// FailuresKept is after what time without another a failure is forgotten.
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
				"Too many attempts failed. Wait %s and try again", wait.Round(time.Second)+time.Second)
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

// pause is how long one has to wait after so many failures too many: twice as
// long each time.
func pause(tooMany int) time.Duration {
	if tooMany < 0 {
		return 0
	}
	wait := time.Second << min(tooMany, 20)
	return min(wait, longestWait)
}

// forgive takes back what count did for an attempt that has succeeded. An
// account starts anew; an address does not, or one's own account would open the
// way to guess at others.
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
