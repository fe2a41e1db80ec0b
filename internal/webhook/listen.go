package webhook

import (
	"context"
	"net/url"
	"sync"
	"time"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

const (
	listenPoll  = 300 * time.Millisecond
	listenGrace = 10 * time.Second // how long a silent listener is waited for
)

// Listener forwards a team's events to a developer's own address. It has an
// endpoint that exists only while it listens.
type Listener struct {
	Endpoint Endpoint
	Secret   string
	office   *Service
	sender   *Sender
}

// Listen adds an endpoint for a listener. The developer may forward to any
// address.
func (s *Service) Listen(ctx context.Context, team lci.ID, forwardTo string, events []string) (*Listener, error) {
	u, err := url.Parse(forwardTo)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, fault.Fieldf("forward-to", "must be an http address, not %q", shortened(forwardTo))
	}
	guard, err := NewGuard([]string{u.Hostname()})
	if err != nil {
		return nil, fault.Fieldf("forward-to", "is not accepted: %s", err)
	}
	if err := guard.CheckURL(forwardTo); err != nil {
		return nil, err
	}
	until := s.now().Add(listenGrace)
	e, secret, err := s.add(ctx, New{Team: team, URL: forwardTo, Description: "cradle listen", Events: events}, &until)
	if err != nil {
		return nil, err
	}
	return &Listener{Endpoint: e, Secret: secret, office: s, sender: NewSender(guard, s.now)}, nil
}

// Run forwards events until ctx ends, calls tell for each attempt and then
// removes the endpoint.
func (l *Listener) Run(ctx context.Context, tell func(Result)) error {
	defer func() { _ = l.office.store.RemoveEndpoint(context.WithoutCancel(ctx), l.Endpoint.ID, l.office.now()) }()
	keeping, stop := context.WithCancel(ctx)
	var keeper sync.WaitGroup
	keeper.Go(func() { l.keep(keeping) })
	defer keeper.Wait()
	defer stop()
	poll := time.NewTicker(listenPoll)
	defer poll.Stop()
	for {
		if err := l.round(ctx, tell); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-poll.C:
		}
	}
}

// keep keeps the endpoint alive, however long a receiver takes to answer. It
// ignores errors: the next round will fail as well.
func (l *Listener) keep(ctx context.Context) {
	again := time.NewTicker(listenGrace / 4)
	defer again.Stop()
	for ctx.Err() == nil {
		_ = l.office.store.KeepListening(ctx, l.Endpoint.ID, l.office.now().Add(listenGrace))
		select {
		case <-ctx.Done():
		case <-again.C:
		}
	}
}

func (l *Listener) round(ctx context.Context, tell func(Result)) error {
	o := l.office
	now := o.now()
	jobs, err := o.store.Claim(ctx, Claim{Now: now, Lease: now.Add(leaseTime), Most: perClaim, PerEndpoint: perClaim, Only: l.Endpoint.ID})
	if err != nil {
		return err
	}
	for _, job := range jobs {
		r := Deliver(ctx, l.sender, o.sealer, job)
		if ctx.Err() != nil && r.Attempt.Status == 0 {
			return nil // cancelled because the listener stops
		}
		tell(r)
		if err := o.store.Record(context.WithoutCancel(ctx), []Result{r}); err != nil {
			return err
		}
	}
	return nil
}
