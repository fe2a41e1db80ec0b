package webhook

import "time"

// delays are how long after the end of each failed attempt the next is made.
// After the last the delivery is dropped.
var delays = []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}

// Verdict is what follows from an attempt.
type Verdict struct {
	State State
	Due   time.Time // of the next attempt, while waiting
}

// Judge decides what follows from an attempt, the nth try of its schedule. A
// test is tried once.
func Judge(a Attempt, try int, test bool) Verdict {
	switch {
	case a.Succeeded():
		return Verdict{State: Delivered}
	case test || try > len(delays):
		return Verdict{State: Dropped}
	}
	return Verdict{State: Waiting, Due: a.Ended().Add(delays[try-1])}
}

// Failures counts an endpoint's failures in a row after an attempt, and says
// whether they are too many. A test counts neither way.
func Failures(before int, a Attempt, test bool) (after int, tooMany bool) {
	switch {
	case test:
		return before, false
	case a.Succeeded():
		return 0, false
	}
	return before + 1, before+1 >= MostFailures
}
