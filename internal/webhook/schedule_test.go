package webhook

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

func TestJudge(t *testing.T) {
	const took = 15 * time.Second
	failed := func(status int) Attempt { return Attempt{Time: noon, Duration: took, Status: status} }
	for _, c := range []struct {
		name    string
		attempt Attempt
		try     int
		test    bool
		state   State
		after   time.Duration // of the attempt's end
	}{
		{"200", failed(200), 1, false, Delivered, 0},
		{"204", failed(204), 7, false, Delivered, 0},
		{"299", failed(299), 3, false, Delivered, 0},
		{"199", failed(199), 1, false, Waiting, 30 * time.Second},
		{"a redirect", failed(302), 1, false, Waiting, 30 * time.Second},
		{"not modified", failed(304), 1, false, Waiting, 30 * time.Second},
		{"gone", failed(410), 1, false, Waiting, 30 * time.Second},
		{"no answer, first try", failed(0), 1, false, Waiting, 30 * time.Second},
		{"second try", failed(500), 2, false, Waiting, 2 * time.Minute},
		{"third try", failed(500), 3, false, Waiting, 10 * time.Minute},
		{"fourth try", failed(500), 4, false, Waiting, time.Hour},
		{"fifth try", failed(500), 5, false, Waiting, 6 * time.Hour},
		{"sixth try", failed(500), 6, false, Waiting, 24 * time.Hour},
		{"seventh try", failed(500), 7, false, Dropped, 0},
		{"a test that is taken", failed(200), 1, true, Delivered, 0},
		{"a test that is not", failed(500), 1, true, Dropped, 0},
	} {
		want := Verdict{State: c.state}
		if c.state == Waiting {
			want.Due = noon.Add(took + c.after)
		}
		if got := Judge(c.attempt, c.try, c.test); got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
}

func TestDelaysAddUp(t *testing.T) {
	var sum time.Duration
	for _, d := range delays {
		sum += d
	}
	if want := 31*time.Hour + 12*time.Minute + 30*time.Second; len(delays) != 6 || sum != want {
		t.Errorf("%d delays of %s together, want 6 of %s", len(delays), sum, want)
	}
}

func TestFailures(t *testing.T) {
	ok, failed := Attempt{Status: 200}, Attempt{Status: 500}
	for _, c := range []struct {
		name    string
		before  int
		attempt Attempt
		test    bool
		after   int
		tooMany bool
	}{
		{"the first", 0, failed, false, 1, false},
		{"the nineteenth", 18, failed, false, 19, false},
		{"the twentieth", 19, failed, false, 20, true},
		{"one that was under way", 20, failed, false, 21, true},
		{"a success starts anew", 19, ok, false, 0, false},
		{"a test that fails", 19, failed, true, 19, false},
		{"a test that succeeds", 19, ok, true, 19, false},
	} {
		after, tooMany := Failures(c.before, c.attempt, c.test)
		if after != c.after || tooMany != c.tooMany {
			t.Errorf("%s: %d, %t, want %d, %t", c.name, after, tooMany, c.after, c.tooMany)
		}
	}
}
