// Package account manages users, teams, memberships and API keys: it turns a key
// and a team id into the Viewer that a request acts for.
package account

import (
	"time"

	"cradle/internal/lci"
)

// Mode is live or test. A team has separate credits and reveals in each.
type Mode string

const (
	Live    Mode = "live"
	Sandbox Mode = "sandbox"
)

// Role is what a member may do in a team.
type Role string

const (
	Owner  Role = "owner"
	Member Role = "member"
)

// Status is the state of a membership.
type Status string

const (
	Active  Status = "active"
	Pending Status = "pending" // invited, not accepted
)

// A User may sign in and own keys.
type User struct {
	ID         lci.ID
	Email      string
	Firstname  string
	Lastname   string
	CreatedAt  time.Time
	DisabledAt *time.Time
}

// A Team owns credits and what was bought with them.
type Team struct {
	ID          lci.ID
	Label       string
	Description *string
}

// A Membership ties a user to a team.
type Membership struct {
	TeamID lci.ID
	UserID lci.ID
	Role   Role
	Status Status
}

// A Key is an API key as stored, without its text.
type Key struct {
	ID         lci.ID
	UserID     lci.ID
	Mode       Mode
	Label      string
	Prefix     string
	CreatedAt  time.Time
	RevokedAt  *time.Time
	LastUsedAt *time.Time
}

// A Seat is an active membership as its user sees it.
type Seat struct {
	Team   Team
	Role   Role
	Recent bool // true for exactly one of a user's seats
}

// A Holder is the owner of a valid key.
type Holder struct {
	Key   Key
	User  User
	Seats []Seat
}

// Seat returns the holder's seat in a team.
func (h *Holder) Seat(team lci.ID) (Seat, bool) {
	for _, s := range h.Seats {
		if s.Team.ID == team {
			return s, true
		}
	}
	return Seat{}, false
}

// RecentTeam returns the team the user selected last, or the zero ID if the user
// has no team.
func (h *Holder) RecentTeam() lci.ID {
	for _, s := range h.Seats {
		if s.Recent {
			return s.Team.ID
		}
	}
	return lci.ID{}
}

// Wallet identifies a team's credits and reveals in one mode.
type Wallet struct {
	Team lci.ID
	Mode Mode
}

func (w Wallet) String() string { return w.Team.String() + "/" + string(w.Mode) }

// Versions are the versions of everything that is cached, in one snapshot: a
// copy made at the same version is still current.
type Versions struct {
	Accounts   int64
	Catalogue  int64
	Favourites int64
	Reveals    int64 // of the wallet in question
}

// A Viewer is who a request acts for.
type Viewer struct {
	User lci.ID
	Team lci.ID
	Mode Mode
	Key  lci.ID
	At   Versions
}

// Wallet returns the wallet that the viewer pays with.
func (v Viewer) Wallet() Wallet { return Wallet{Team: v.Team, Mode: v.Mode} }
