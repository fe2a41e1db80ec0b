// Package purchase prices pulls and carries them out. Every pull of every API
// takes one path: plan, then apply, in one transaction with the wallet locked. A
// pull happens completely, with its ledger entry, its event and its idempotent
// answer, or not at all.
package purchase

import (
	"context"
	"fmt"
	"sync"
	"time"

	"cradle/internal/account"
	"cradle/internal/event"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

// Store gives access to a wallet and to what can be bought.
type Store interface {
	// Trade runs do in one transaction that locks the wallet, and commits when do
	// returns nil. A claim other than "" marks a request as running on every
	// replica until the transaction ends: Trade returns ErrRunning when another
	// request holds it.
	Trade(ctx context.Context, wallet account.Wallet, claim string, do func(Transaction) error) error
	// Look runs do on a read-only snapshot. Its Transaction cannot settle.
	Look(ctx context.Context, wallet account.Wallet, do func(Transaction) error) error
}

// Offers are what a team can buy.
type Offers interface {
	// Properties returns the offers on those of the materials that the team can
	// see, and which these are.
	Properties(ctx context.Context, materials []lci.ID) (offers []Offer, found map[lci.ID]bool, err error)
	// Products returns the reference products of a process, and whether the
	// team can see it.
	Products(ctx context.Context, process lci.ID) (offers []Offer, found bool, err error)
	// Impacts returns the rows of a process under the methods, like Products.
	Impacts(ctx context.Context, process lci.ID, methods []lci.ID) (offers []Offer, found bool, err error)
	// Methods returns which of the methods exist.
	Methods(ctx context.Context, ids []lci.ID) (map[lci.ID]bool, error)
}

// Transaction is one wallet and what its team can buy, in one snapshot.
type Transaction interface {
	Offers
	Balance() int64
	// Answered returns the answer stored under an idempotency key after since, or
	// nil.
	Answered(ctx context.Context, key Idempotency, since time.Time) (*Stored, error)
	// Settle writes the changes of a pull.
	Settle(ctx context.Context, s Settlement) error
}

// Idempotency is the name that a client gave a pull.
type Idempotency struct {
	Key    lci.ID // the API key
	Team   lci.ID
	Value  string
	Digest string // of the request
}

func (i Idempotency) String() string { return i.Key.String() + "/" + i.Team.String() + "/" + i.Value }

// answersKept is how long an idempotent answer can be replayed.
const answersKept = 24 * time.Hour

// Stored is an answer kept under an idempotency key.
type Stored struct {
	Digest string
	Answer Answer
}

// Answer is what a pull did.
type Answer struct {
	Record   lci.ID   `json:"record"`
	Items    []lci.ID `json:"items"` // as requested, without duplicates and unknown ids
	Credits  int64    `json:"credits"`
	Revealed int      `json:"revealed"`
}

// Request is who makes an order, and under which request id and idempotency key.
type Request struct {
	Viewer      account.Viewer
	ID          string
	Idempotency *Idempotency
}

// Settlement is everything that a pull writes. Entry is nil when nothing new is
// revealed.
type Settlement struct {
	Kind        Kind
	Entry       *Draft
	Reveals     []Reveal
	Event       event.Event
	Idempotency *Idempotency
	Answer      Answer
	Time        time.Time
}

// Draft is a ledger entry before it has its place in the chain.
type Draft struct {
	Amount    int64
	Reason    string
	UserID    lci.ID
	RequestID string
}

// ErrRunning refuses a request while an earlier one with the same idempotency key
// is still running.
var ErrRunning = fault.New(fault.Conflict, "idempotency_in_flight",
	"A request with this Idempotency-Key is still running; try again when it has finished")

// Service carries out and quotes orders.
type Service struct {
	store Store
	now   func() time.Time

	mu      sync.Mutex
	running map[string]struct{} // idempotent requests of this process
}

func NewService(store Store, now func() time.Time) *Service {
	return &Service{store: store, now: now, running: map[string]struct{}{}}
}

// Pull carries out an order. replayed reports that the answer is that of an
// earlier request with the same idempotency key.
func (s *Service) Pull(ctx context.Context, r Request, o Order) (answer Answer, replayed bool, err error) {
	claim := ""
	if r.Idempotency != nil {
		claim = r.Idempotency.String()
		if !s.start(claim) {
			return Answer{}, false, ErrRunning
		}
		defer s.end(claim)
	}
	err = s.store.Trade(ctx, r.Viewer.Wallet(), claim, func(t Transaction) error {
		stored, err := s.answered(ctx, t, r.Idempotency)
		if err != nil || stored != nil {
			if stored != nil {
				answer, replayed = *stored, true
			}
			return err
		}
		answer, err = s.carryOut(ctx, t, r, o)
		return err
	})
	return answer, replayed, err
}

func (s *Service) start(claim string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.running[claim]; taken {
		return false
	}
	s.running[claim] = struct{}{}
	return true
}

func (s *Service) end(claim string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, claim)
}

func (s *Service) answered(ctx context.Context, t Transaction, key *Idempotency) (*Answer, error) {
	if key == nil {
		return nil, nil
	}
	stored, err := t.Answered(ctx, *key, s.now().Add(-answersKept))
	if err != nil || stored == nil {
		return nil, err
	}
	if stored.Digest != key.Digest {
		return nil, fault.New(fault.Unprocessable, "idempotency_key_reused",
			"This Idempotency-Key was used for another request; use a new key for a new request")
	}
	return &stored.Answer, nil
}

func (s *Service) carryOut(ctx context.Context, t Transaction, r Request, o Order) (Answer, error) {
	p, err := planned(ctx, t, o)
	if err != nil {
		return Answer{}, err
	}
	if err := refused(p, o, t.Balance()); err != nil {
		return Answer{}, err
	}
	answer := Answer{Record: o.Record, Items: p.answered, Credits: p.credits, Revealed: len(p.reveals)}
	now := s.now()
	written := Settlement{Kind: o.Kind, Reveals: p.reveals, Event: pulled(r.Viewer, o.Kind, answer, now),
		Idempotency: r.Idempotency, Answer: answer, Time: now}
	if len(p.reveals) > 0 {
		written.Entry = &Draft{Amount: -p.credits, Reason: reason(o, p), UserID: r.Viewer.User, RequestID: r.ID}
	}
	return answer, t.Settle(ctx, written)
}

// refused returns why a planned pull must not happen, or nil.
func refused(p plan, o Order, balance int64) error {
	if len(p.reveals) == 0 && (o.Kind == Products || o.Kind == Impacts) {
		return fault.New(fault.Conflict, "already_revealed", "Everything requested is already revealed to this team; nothing was debited")
	}
	if o.MaxCredits != nil && p.credits > *o.MaxCredits {
		return fault.New(fault.Forbidden, "max_credits_exceeded",
			"This pull costs %s, more than maxCredits allows (%d); nothing was debited", cost(p.credits), *o.MaxCredits).In("maxCredits")
	}
	if p.credits > balance {
		kind := fault.Forbidden
		if o.Kind == Datapoints {
			kind = fault.Conflict
		}
		return fault.New(kind, "insufficient_credits",
			"Insufficient credits: this pull costs %s and the team has %d; nothing was debited", cost(p.credits), balance)
	}
	return nil
}

func cost(n int64) string {
	if n > MaxBalance {
		return "more credits than a team can hold"
	}
	return Credits(n)
}

// Credits formats an amount for people.
func Credits(n int64) string {
	if n == 1 {
		return "1 credit"
	}
	return fmt.Sprintf("%d credits", n)
}

func reason(o Order, p plan) string {
	what := map[Kind]string{Properties: "properties", Products: "reference products", Impacts: "impact rows", Datapoints: "properties"}[o.Kind]
	pull := fmt.Sprintf("pull of %s:", o.Record)
	if o.Kind == Datapoints {
		pull = fmt.Sprintf("pull: materials %d,", len(p.answered))
	}
	return fmt.Sprintf("%s %s %d, users %d", pull, what, len(p.reveals), o.UserCount)
}

// Quote is what a pull would cost, and the balance before and after.
type Quote struct {
	Credits      int64
	NewItems     int
	OwnedItems   int
	Balance      int64
	BalanceAfter int64
}

// Quote prices an order and changes nothing.
func (s *Service) Quote(ctx context.Context, v account.Viewer, o Order) (q Quote, err error) {
	err = s.store.Look(ctx, v.Wallet(), func(t Transaction) error {
		p, err := planned(ctx, t, o)
		if err != nil {
			return err
		}
		if p.credits > MaxBalance {
			return fault.New(fault.Forbidden, "insufficient_credits", "This pull costs more credits than a team can hold (%d)", MaxBalance)
		}
		q = Quote{Credits: p.credits, NewItems: len(p.reveals), OwnedItems: p.owned, Balance: t.Balance(), BalanceAfter: t.Balance() - p.credits}
		return nil
	})
	return q, err
}

// Balance returns the credits that the viewer's team has in the viewer's mode.
func (s *Service) Balance(ctx context.Context, v account.Viewer) (balance int64, err error) {
	err = s.store.Look(ctx, v.Wallet(), func(t Transaction) error {
		balance = t.Balance()
		return nil
	})
	return balance, err
}
