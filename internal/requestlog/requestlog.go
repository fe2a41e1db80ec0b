// Package requestlog has the words of the request log: what is kept of a
// request, and how what was kept is asked for. Never a key, a body or the
// values of a query.
package requestlog

import (
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// A Row is one request. Key, user and team are there once they were verified;
// what was bought through the portal has no key.
type Row struct {
	Seq       int64 // given by the store; later rows have higher ones
	Time      time.Time
	RequestID string
	KeyID     lci.ID
	KeyPrefix string
	UserID    lci.ID
	TeamID    lci.ID
	Mode      account.Mode
	Method    string
	Path      string
	Status    int
	Duration  time.Duration
	Credits   int64
	Client    string
}

// A Filter says which rows are asked for; its zero fields ask for all.
type Filter struct {
	Team  lci.ID
	Key   lci.ID
	Since time.Time
	After int64 // only rows with a higher Seq
}

// A Search asks for a page of one team's requests in one mode, newest first; its
// zero fields ask for all.
type Search struct {
	Team   lci.ID
	Mode   account.Mode
	Key    lci.ID
	Portal bool // only what has no key
	Method string
	Status Class
	Path   string // found in paths
	Since  time.Time
	Before int64 // only rows with a lower Seq
	After  int64 // only rows with a higher Seq
	Limit  int
}

// Class is a kind of status: 2 for all of 200 to 299, or one status.
type Class int

// Range returns the statuses of a class, the last excluded.
func (c Class) Range() (from, to int) {
	if c < 10 {
		return int(c) * 100, int(c)*100 + 100
	}
	return int(c), int(c) + 1
}

// Found is a page. A search looks through so many rows at a time: where it
// stopped before the page was full, Next says from where to go on.
type Found struct {
	Rows []Row
	Next int64     // the Before of the next page, 0 at the end
	Back time.Time // how far back it looked, where it stopped early
}

// A Day is what was asked with one key on one day.
type Day struct {
	Day      int    // counted from 1970, UTC
	Key      lci.ID // zero: through the portal
	Requests int64
	Errors   int64
	Pulls    int64 // requests that spent credits
	Credits  int64
}

// DayOf returns the day of a moment.
func DayOf(at time.Time) int { return int(at.Unix() / 86400) }

// Start is when a day began.
func Start(day int) time.Time { return time.Unix(int64(day)*86400, 0).UTC() }
