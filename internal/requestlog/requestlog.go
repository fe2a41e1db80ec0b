// Package requestlog defines the request log: its rows and how to search them.
// It never holds keys, bodies or query values.
package requestlog

import (
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// A Row is one request. Key, user and team are set once they are verified; a
// purchase through the portal has no key.
type Row struct {
	Seq       int64 // assigned by the store; increasing
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

// A Filter selects rows; zero fields match all.
type Filter struct {
	Team  lci.ID
	Key   lci.ID
	Since time.Time
	After int64 // only rows with a higher Seq
}

// A Search selects a page of one team's requests in one mode, newest first; zero
// fields match all.
type Search struct {
	Team   lci.ID
	Mode   account.Mode
	Key    lci.ID
	Portal bool // only requests without a key
	Method string
	Status Class
	Path   string // substring of the path
	Since  time.Time
	Before int64 // only rows with a lower Seq
	After  int64 // only rows with a higher Seq
	Limit  int
}

// Class is a class of statuses, such as 2 for 200 to 299, or one status.
type Class int

// Range returns the statuses of a class as a half-open range.
func (c Class) Range() (from, to int) {
	if c < 10 {
		return int(c) * 100, int(c)*100 + 100
	}
	return int(c), int(c) + 1
}

// Found is a page. A search looks through a limited number of rows; if it stops
// before the page is full, Next tells where to continue.
type Found struct {
	Rows []Row
	Next int64     // the Before of the next page, 0 at the end
	Back time.Time // how far back it looked, if it stopped early
}

// A Day sums up one key's requests on one day.
type Day struct {
	Day      int    // days since 1970, UTC
	Key      lci.ID // zero: through the portal
	Requests int64
	Errors   int64
	Pulls    int64 // requests that spent credits
	Credits  int64
}

// DayOf returns the day of a time.
func DayOf(at time.Time) int { return int(at.Unix() / 86400) }

// Start is when a day began.
func Start(day int) time.Time { return time.Unix(int64(day)*86400, 0).UTC() }
