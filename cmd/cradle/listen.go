package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"cradle/internal/webhook"
)

type listenCommand struct {
	Team      idValue      `required:"" placeholder:"TEAM" help:"The team whose events to forward."`
	ForwardTo forwardValue `required:"" placeholder:"URL" help:"The address to forward to, usually a local one."`
	Event     []eventValue `placeholder:"T" help:"Forward only events of this type (${event_types}). Can be repeated. Default: all types."`
}

func (listenCommand) Help() string {
	return `Examples:

    cradle listen --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 --forward-to http://127.0.0.1:9000/hooks
    cradle listen --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 --forward-to http://127.0.0.1:9000/hooks --json

For development, next to a running service on the same database. It acts as an endpoint until you stop it: events are
signed with a temporary secret, which is printed at the start, and retried on the usual schedule. You can resend them
with cradle webhook resend. The command prints one line per attempt. With --json it prints one document, with one line
per attempt: {"endpointId","secret","attempts":[…]}.`
}

func (c *listenCommand) Run(a *app) error {
	o, err := a.openEndpoints()
	if err != nil {
		return err
	}
	defer o.Close()
	l, err := o.webhooks.Listen(a.ctx, c.Team.id(), string(c.ForwardTo), typesOf(c.Event))
	if err != nil {
		return err
	}
	var show forwardWriter = &forwardTable{a}
	if a.global.JSON {
		show = &forwardDocument{arrayWriter{out: a.out}}
	}
	if err := show.begin(l); err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(a.ctx)
	defer stop(nil)
	err = l.Run(ctx, func(r webhook.Result) {
		if err := show.row(r); err != nil {
			stop(err)
		}
	})
	if err == nil && a.ctx.Err() == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	return show.end()
}

// forwardWriter prints attempts as they happen.
type forwardWriter interface {
	begin(*webhook.Listener) error
	row(webhook.Result) error
	end() error
}

// forwardTable prints lines of fixed columns.
type forwardTable struct{ *app }

const forwardLine = "%-19s  %6s  %9s  %3s  %-16s  %-40s  %-40s  %s\n"

func (w *forwardTable) begin(l *webhook.Listener) error {
	w.hint("Forwarding events to %s until Ctrl-C, signed with the secret %s", l.Endpoint.URL, l.Secret)
	_, err := fmt.Fprintf(w.out, forwardLine, "TIME", "STATUS", "MS", "TRY", "TYPE", "EVENT", "DELIVERY", "ERROR")
	return err
}

func (w *forwardTable) row(r webhook.Result) error {
	status := "-"
	if r.Attempt.Status != 0 {
		status = strconv.Itoa(r.Attempt.Status)
	}
	_, err := fmt.Fprintf(w.out, forwardLine, clock(&r.Attempt.Time), status,
		strconv.FormatFloat(milliseconds(r.Attempt.Duration), 'f', 3, 64), strconv.Itoa(r.Attempt.Number),
		r.Job.EventType, r.Job.EventID, r.Job.Delivery, orDash(r.Attempt.Error))
	return err
}

func (w *forwardTable) end() error { return nil }

// forwardDocument prints one JSON document, row by row.
type forwardDocument struct{ arrayWriter }

func (w *forwardDocument) begin(l *webhook.Listener) error {
	_, err := fmt.Fprintf(w.out, "{\"endpointId\":%q,\"secret\":%q,\"attempts\":[", l.Endpoint.ID, l.Secret)
	return err
}

func (w *forwardDocument) row(r webhook.Result) error {
	return w.element(struct {
		DeliveryID string          `json:"deliveryId"`
		EventID    string          `json:"eventId"`
		Type       string          `json:"type"`
		Event      json.RawMessage `json:"event"`
		attemptDocument
	}{r.Job.Delivery, r.Job.EventID, r.Job.EventType, r.Job.Body, attemptDocumentOf(r.Attempt)})
}

func (w *forwardDocument) end() error {
	_, err := fmt.Fprintln(w.out, "]}")
	return err
}
