package webhook

import (
	"context"
	"time"

	"cradle/internal/account"
	"cradle/internal/event"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

// ServiceStore stores endpoints and deliveries.
type ServiceStore interface {
	WorkStore
	Team(ctx context.Context, id lci.ID) (*account.Team, error)
	AddEndpoint(ctx context.Context, e Endpoint, sealed []byte) error
	Endpoints(ctx context.Context, team lci.ID) ([]Endpoint, error)
	Endpoint(ctx context.Context, id string) (*Endpoint, error)
	SetEndpointStatus(ctx context.Context, id string, status Status, now time.Time) error
	RemoveEndpoint(ctx context.Context, id string, now time.Time) error
	RotateSecret(ctx context.Context, id string, sealed []byte, until time.Time) error
	KeepListening(ctx context.Context, id string, until time.Time) error
	AddTest(ctx context.Context, endpoint, delivery string, e event.Event, lease time.Time) (Job, error)
	Deliveries(ctx context.Context, f Filter) ([]Delivery, error)
	EventBody(ctx context.Context, id string) ([]byte, error)
	Resend(ctx context.Context, delivery string, now time.Time) (int64, error)
	ResendFailed(ctx context.Context, endpoint string, since, now time.Time) (int64, error)
	Advance(ctx context.Context, endpoint string, now time.Time) (int64, error)
}

// Filter selects deliveries; zero fields match all.
type Filter struct {
	Team     lci.ID
	Endpoint string
	ID       string
	State    State
	Since    time.Time
	Limit    int
}

// Service manages endpoints for the commands and the portal.
type Service struct {
	store  ServiceStore
	guard  *Guard
	sealer *account.Sealer
	sender *Sender
	now    func() time.Time
}

func NewService(store ServiceStore, guard *Guard, sealer *account.Sealer, now func() time.Time) *Service {
	return &Service{store: store, guard: guard, sealer: sealer, sender: NewSender(guard, now), now: now}
}

// New is an endpoint to be added.
type New struct {
	Team        lci.ID
	URL         string
	Description string
	Events      []string // empty: all types, including those of later versions
}

// mostDescription is the longest description an endpoint may have, in characters.
const mostDescription = 500

// Add adds an endpoint and returns its secret, which is not shown again.
func (s *Service) Add(ctx context.Context, n New) (Endpoint, string, error) {
	if err := s.guard.CheckURL(n.URL); err != nil {
		return Endpoint{}, "", err
	}
	var err error
	if n.Description, err = account.OneLine("description", n.Description, mostDescription); err != nil {
		return Endpoint{}, "", err
	}
	return s.add(ctx, n, nil)
}

func (s *Service) add(ctx context.Context, n New, listenUntil *time.Time) (Endpoint, string, error) {
	events, err := normalEvents(n.Events)
	if err != nil {
		return Endpoint{}, "", err
	}
	team, err := s.store.Team(ctx, n.Team)
	if err != nil {
		return Endpoint{}, "", err
	}
	if team == nil {
		return Endpoint{}, "", fault.NotFoundf("No team has the id %s", n.Team)
	}
	e := Endpoint{ID: NewEndpointID(), Team: n.Team, URL: n.URL, Description: n.Description, Events: events,
		Status: Enabled, CreatedAt: s.now(), ListenUntil: listenUntil}
	secret := NewSecret()
	return e, secret, s.store.AddEndpoint(ctx, e, s.sealer.Seal(Owner(e.ID), secret))
}

// List returns a team's endpoints.
func (s *Service) List(ctx context.Context, team lci.ID) ([]Endpoint, error) {
	return s.store.Endpoints(ctx, team)
}

// Endpoint returns an endpoint, or a NotFound fault.
func (s *Service) Endpoint(ctx context.Context, id string) (Endpoint, error) {
	e, err := s.store.Endpoint(ctx, id)
	if err != nil {
		return Endpoint{}, err
	}
	if e == nil {
		return Endpoint{}, fault.NotFoundf("No webhook endpoint has the id %s", shortened(id))
	}
	return *e, nil
}

// SetStatus enables or disables an endpoint.
func (s *Service) SetStatus(ctx context.Context, id string, status Status) (Endpoint, error) {
	if _, err := s.Endpoint(ctx, id); err != nil {
		return Endpoint{}, err
	}
	if err := s.store.SetEndpointStatus(ctx, id, status, s.now()); err != nil {
		return Endpoint{}, err
	}
	return s.Endpoint(ctx, id)
}

// Remove removes an endpoint and cancels its deliveries.
func (s *Service) Remove(ctx context.Context, id string) (Endpoint, error) {
	e, err := s.Endpoint(ctx, id)
	if err != nil {
		return Endpoint{}, err
	}
	return e, s.store.RemoveEndpoint(ctx, id, s.now())
}

// Rotate gives an endpoint a new secret; the old one also signs until the grace
// period ends.
func (s *Service) Rotate(ctx context.Context, id string, grace time.Duration) (Endpoint, string, error) {
	e, err := s.Endpoint(ctx, id)
	if err != nil {
		return Endpoint{}, "", err
	}
	secret := NewSecret()
	return e, secret, s.store.RotateSecret(ctx, id, s.sealer.Seal(Owner(id), secret), s.now().Add(grace))
}

// Test sends a test event to an endpoint, even a disabled one, and returns the
// delivery.
func (s *Service) Test(ctx context.Context, id string) (Delivery, error) {
	e, err := s.Endpoint(ctx, id)
	if err != nil {
		return Delivery{}, err
	}
	now := s.now()
	delivery := NewDeliveryID(now)
	test := event.New(event.WebhookTest, e.Team, false, now, map[string]any{"message": "This is a test of a webhook endpoint."})
	job, err := s.store.AddTest(ctx, id, delivery, test, now.Add(leaseTime))
	if err != nil {
		return Delivery{}, err
	}
	if err := s.store.Record(ctx, []Result{Deliver(ctx, s.sender, s.sealer, job)}); err != nil {
		return Delivery{}, err
	}
	return s.Delivery(ctx, delivery)
}

// Deliveries returns the deliveries that match the filter, newest first.
func (s *Service) Deliveries(ctx context.Context, f Filter) ([]Delivery, error) {
	return s.store.Deliveries(ctx, f)
}

// Delivery returns a delivery, or a NotFound fault.
func (s *Service) Delivery(ctx context.Context, id string) (Delivery, error) {
	found, err := s.store.Deliveries(ctx, Filter{ID: id, Limit: 1})
	if err != nil {
		return Delivery{}, err
	}
	if len(found) == 0 {
		return Delivery{}, fault.NotFoundf("No delivery has the id %s", shortened(id))
	}
	return found[0], nil
}

// Body returns the body of a delivery.
func (s *Service) Body(ctx context.Context, d Delivery) ([]byte, error) {
	return s.store.EventBody(ctx, d.EventID)
}

// Resend repeats a delivery with the same event id and the whole schedule.
func (s *Service) Resend(ctx context.Context, id string) (Delivery, error) {
	if _, err := s.Delivery(ctx, id); err != nil {
		return Delivery{}, err
	}
	n, err := s.store.Resend(ctx, id, s.now())
	if err != nil {
		return Delivery{}, err
	}
	if n == 0 {
		return Delivery{}, fault.New(fault.Conflict, "endpoint_removed", "The endpoint of delivery %s was removed, so it cannot be sent again", id)
	}
	return s.Delivery(ctx, id)
}

// ResendFailed repeats the deliveries dropped since a time and returns how many.
func (s *Service) ResendFailed(ctx context.Context, endpoint string, since time.Time) (int64, error) {
	if _, err := s.Endpoint(ctx, endpoint); err != nil {
		return 0, err
	}
	return s.store.ResendFailed(ctx, endpoint, since, s.now())
}

// Advance makes an endpoint's waiting sandbox deliveries due now, so that
// developers need not wait for the schedule.
func (s *Service) Advance(ctx context.Context, endpoint string) (int64, error) {
	if _, err := s.Endpoint(ctx, endpoint); err != nil {
		return 0, err
	}
	return s.store.Advance(ctx, endpoint, s.now())
}
