// Package requestlog has the words of the request log: what is kept of a
// request, and how what was kept is asked for. Never a key, a body or the
// values of a query.
package requestlog

import (
	"time"

	"cradle/internal/lci"
)

// A Row is one request. Key, user and team are there once they were verified.
type Row struct {
	Seq       int64 // given by the store; later rows have higher ones
	Time      time.Time
	RequestID string
	KeyID     lci.ID
	KeyPrefix string
	UserID    lci.ID
	TeamID    lci.ID
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
