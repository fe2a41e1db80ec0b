package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/netip"
	"runtime"
	"time"
	"unicode/utf8"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// SessionLife is how long a session lasts.
const SessionLife = 7 * 24 * time.Hour

// ErrSignIn is the answer to every failed sign-in, whatever the reason.
var ErrSignIn = fault.New(fault.Unauthenticated, "wrong_password", "The e-mail address or the password is wrong")

// A Visitor is a signed-in user.
type Visitor struct {
	User    User
	Seats   []Seat
	Mode    Mode   // last chosen in this session
	Session string // the hash of its token
}

// Seat returns the visitor's seat in the team last selected, or false if there
// is no team.
func (v *Visitor) Seat() (Seat, bool) {
	for _, s := range v.Seats {
		if s.Recent {
			return s, true
		}
	}
	return Seat{}, false
}

// A Session is one sign-in.
type Session struct {
	ID        string // the hash of its token
	User      lci.ID
	Mode      Mode
	Client    string // the address it was opened from
	Agent     string // the browser's User-Agent
	CreatedAt time.Time
	ExpiresAt time.Time
}

// SessionStore stores sessions and failed sign-ins.
type SessionStore interface {
	// Credentials returns the user with an e-mail address and the stored form of
	// their password; nil if there is none or they are disabled.
	Credentials(ctx context.Context, emailFold string) (*User, string, error)
	AddSession(ctx context.Context, s Session) error
	// Visitor returns the owner of a session; nil if it has ended or the user is
	// disabled.
	Visitor(ctx context.Context, session string, now time.Time) (*Visitor, error)
	// Sessions returns a user's open sessions, newest first.
	Sessions(ctx context.Context, user lci.ID, now time.Time) ([]Session, error)
	SetSessionMode(ctx context.Context, session string, mode Mode) error
	EndSession(ctx context.Context, session string) error
	EndSessions(ctx context.Context, user lci.ID) error
	// SetPassword stores a password, ends every session of the user and opens
	// the given one.
	SetPassword(ctx context.Context, user lci.ID, passwordHash string, s Session) error
	// Attempt passes the failures of each subject to judge, while no one else
	// can make an attempt for any of them, and stores what judge changed.
	Attempt(ctx context.Context, subjects []string, judge func([]Failures) error) error
}

// Sessions opens and ends sessions.
type Sessions struct {
	store   SessionStore
	now     func() time.Time
	hashing chan struct{} // bounds the memory used to hash passwords
}

func NewSessions(store SessionStore, now func() time.Time) *Sessions {
	return &Sessions{store: store, now: now, hashing: make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))}
}

// A SignIn is an attempt to sign in.
type SignIn struct {
	Email    string
	Password string
	Client   string
	Agent    string
}

// SignIn opens a session and returns its token. It returns ErrSignIn, or a
// RateLimited fault after too many failures.
func (s *Sessions) SignIn(ctx context.Context, in SignIn) (string, error) {
	email, err := normalEmail(in.Email)
	if err != nil {
		return "", err
	}
	user, err := s.verify(ctx, foldEmail(email), in.Password, in.Client)
	if err != nil {
		return "", err
	}
	return s.open(ctx, user.ID, in.Client, in.Agent)
}

// open adds a session under a new token. It never reuses one from before the
// sign-in, which prevents session fixation.
func (s *Sessions) open(ctx context.Context, user lci.ID, client, agent string) (string, error) {
	token, session := s.session(user, client, agent)
	if err := s.store.AddSession(ctx, session); err != nil {
		return "", fmt.Errorf("open session: %w", err)
	}
	return token, nil
}

func (s *Sessions) session(user lci.ID, client, agent string) (string, Session) {
	token, now := newToken(), s.now()
	return token, Session{ID: hashToken(token), User: user, Mode: Live, Client: client, Agent: shortAgent(agent),
		CreatedAt: now, ExpiresAt: now.Add(SessionLife)}
}

// mostAgent is how much of a browser's User-Agent is stored.
const mostAgent = 200

func shortAgent(agent string) string {
	clean := make([]rune, 0, mostAgent)
	for _, r := range agent {
		if r >= ' ' && r != 0x7f && r != utf8.RuneError && len(clean) < mostAgent {
			clean = append(clean, r)
		}
	}
	return string(clean)
}

// newToken returns 256 random bits as text.
func newToken() string {
	var random [32]byte
	rand.Read(random[:])
	return base64.RawURLEncoding.EncodeToString(random[:])
}

func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// verify returns the user with the password. Every attempt counts as a failure
// until it has succeeded, so that parallel attempts cannot evade the pauses.
func (s *Sessions) verify(ctx context.Context, emailFold, password, client string) (*User, error) {
	subjects := []string{accountSubject(emailFold), addressSubject(client)}
	if err := s.store.Attempt(ctx, subjects, func(f []Failures) error { return count(f, s.now()) }); err != nil {
		return nil, err
	}
	user, stored, err := s.store.Credentials(ctx, emailFold)
	if err != nil {
		return nil, fmt.Errorf("read credentials: %w", err)
	}
	if !s.matches(stored, password) || user == nil {
		return nil, ErrSignIn
	}
	return user, s.store.Attempt(ctx, subjects, func(f []Failures) error { forgive(f, s.now()); return nil })
}

func (s *Sessions) matches(stored, password string) bool {
	s.hashing <- struct{}{}
	defer func() { <-s.hashing }()
	return VerifyPassword(stored, password)
}

// Visitor returns the visitor with a token; nil if the session has ended.
func (s *Sessions) Visitor(ctx context.Context, token string) (*Visitor, error) {
	if token == "" {
		return nil, nil
	}
	return s.store.Visitor(ctx, hashToken(token), s.now())
}

// Open returns a user's open sessions, newest first.
func (s *Sessions) Open(ctx context.Context, user lci.ID) ([]Session, error) {
	return s.store.Sessions(ctx, user, s.now())
}

// SetMode sets the mode that a session shows.
func (s *Sessions) SetMode(ctx context.Context, v *Visitor, mode Mode) error {
	if mode != Live && mode != Sandbox {
		return fault.Fieldf("mode", "%q is neither %q nor %q", mode, Live, Sandbox)
	}
	return s.store.SetSessionMode(ctx, v.Session, mode)
}

// SignOut ends a session.
func (s *Sessions) SignOut(ctx context.Context, v *Visitor) error {
	return s.store.EndSession(ctx, v.Session)
}

// SignOutEverywhere ends every session of the visitor.
func (s *Sessions) SignOutEverywhere(ctx context.Context, v *Visitor) error {
	return s.store.EndSessions(ctx, v.User.ID)
}

// NewPassword is a change of password.
type NewPassword struct {
	Current string
	Next    string
	Client  string
	Agent   string
}

// ChangePassword ends every session of the visitor and returns the token of a
// new one.
func (s *Sessions) ChangePassword(ctx context.Context, v *Visitor, n NewPassword) (string, error) {
	if err := CheckPassword(n.Next); err != nil {
		return "", err
	}
	_, err := s.verify(ctx, foldEmail(v.User.Email), n.Current, n.Client)
	if err == ErrSignIn {
		return "", fault.Invalidf("The current password is wrong").In("current")
	}
	if err != nil {
		return "", err
	}
	token, session := s.session(v.User.ID, n.Client, n.Agent)
	session.Mode = v.Mode
	if err := s.store.SetPassword(ctx, v.User.ID, s.hash(n.Next), session); err != nil {
		return "", fmt.Errorf("set password: %w", err)
	}
	return token, nil
}

func (s *Sessions) hash(password string) string {
	s.hashing <- struct{}{}
	defer func() { <-s.hashing }()
	return HashPassword(password)
}

// accountSubject and addressSubject identify who must wait. The account need not
// exist, so that a pause does not reveal whether it does.
func accountSubject(emailFold string) string { return "account:" + hashToken(emailFold) }

// addressSubject treats neighbouring IPv6 addresses as one: a single client has
// them all.
func addressSubject(client string) string {
	address, err := netip.ParseAddr(client)
	if err == nil && address.Is6() && !address.Is4In6() {
		if network, err := address.WithZone("").Prefix(64); err == nil {
			return "address:" + network.String()
		}
	}
	return "address:" + client
}
