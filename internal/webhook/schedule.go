package webhook

import "time"

// delays are the times from the end of each failed attempt to the next. After
// the last attempt the delivery is dropped.
var delays = []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}

// Verdict is the consequence of an attempt.
type Verdict struct {
	State State
	Due   time.Time // of the next attempt, while waiting
}

// Judge decides what follows from an attempt, the nth of its schedule. A test
// has only one attempt.
func Judge(a Attempt, try int, test bool) Verdict {
	switch {
	case a.Succeeded():
		return Verdict{State: Delivered}
	case test || try > len(delays):
		return Verdict{State: Dropped}
	}
	return Verdict{State: Waiting, Due: a.Ended().Add(delays[try-1])}
}

// Failures returns an endpoint's number of consecutive failures after an
// attempt, and whether that is too many. Tests do not count.
func Failures(before int, a Attempt, test bool) (after int, tooMany bool) {
	switch {
	case test:
		return before, false
	case a.Succeeded():
		return 0, false
	}
	return before + 1, before+1 >= MostFailures
}
