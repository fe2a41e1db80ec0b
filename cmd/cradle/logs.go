package main

import (
	"fmt"
	"strconv"
	"time"

	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/requestlog"
)

// followEvery is how often a followed log is polled.
const followEvery = 500 * time.Millisecond

type logsCommand struct {
	Team   idValue       `placeholder:"TEAM" help:"Show only requests on behalf of this team."`
	Key    idValue       `placeholder:"ID" help:"Show only requests with this key."`
	Since  durationValue `placeholder:"TIME" help:"Show only requests of this period: 90s, 1h, 7d."`
	Follow bool          `help:"Keep showing new requests until you stop the command."`
}

func (logsCommand) Help() string {
	return `Examples:

    cradle logs --since 1h
    cradle logs --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 --follow`
}

func (c *logsCommand) Run(a *app) error {
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	filter, err := c.filter(a, o)
	if err != nil {
		return err
	}
	var show logWriter = &logTable{app: a}
	if a.global.JSON {
		show = &logArray{arrayWriter{out: a.out}}
	}
	if err := show.begin(); err != nil {
		return err
	}
	if err := c.show(a, o, filter, show.row); err != nil {
		return err
	}
	return show.end()
}

func (c *logsCommand) filter(a *app, o *backend) (requestlog.Filter, error) {
	f := requestlog.Filter{Team: c.Team.id(), Key: c.Key.id()}
	if c.Since > 0 {
		f.Since = time.Now().Add(-time.Duration(c.Since))
	}
	if !f.Team.IsZero() {
		if _, err := o.accounts.Team(a.ctx, f.Team); err != nil {
			return f, err
		}
	}
	if f.Key.IsZero() {
		return f, nil
	}
	key, err := o.Key(a.ctx, f.Key)
	if err == nil && key == nil {
		err = fault.NotFoundf("No key has the id %s", f.Key)
	}
	return f, err
}

// show calls take with the rows there are and, if following, with new ones until
// the command is interrupted, which is not an error.
func (c *logsCommand) show(a *app, o *backend, filter requestlog.Filter, take func(requestlog.Row) error) error {
	for {
		err := o.Requests(a.ctx, filter, func(r requestlog.Row) error {
			filter.After = r.Seq
			return take(r)
		})
		if c.Follow && a.ctx.Err() != nil {
			return nil
		}
		if err != nil || !c.Follow {
			return err
		}
		select {
		case <-time.After(followEvery):
		case <-a.ctx.Done():
			return nil
		}
	}
}

// logWriter prints rows as they arrive.
type logWriter interface {
	begin() error
	row(requestlog.Row) error
	end() error
}

type logDocument struct {
	Time       stamp   `json:"time"`
	RequestID  string  `json:"requestId"`
	KeyPrefix  *string `json:"keyPrefix"`
	UserID     *lci.ID `json:"userId"`
	TeamID     *lci.ID `json:"teamId"`
	Method     string  `json:"method"`
	Path       string  `json:"path"`
	Status     int     `json:"status"`
	DurationMs float64 `json:"durationMs"`
	Credits    int64   `json:"creditsDebited"`
	Client     string  `json:"client"`
}

// logArray prints one JSON array, row by row.
type logArray struct{ arrayWriter }

func (w *logArray) begin() error {
	_, err := fmt.Fprint(w.out, "[")
	return err
}

func (w *logArray) row(r requestlog.Row) error {
	return w.element(logDocument{
		Time: stamp(r.Time), RequestID: r.RequestID, KeyPrefix: textOrNull(r.KeyPrefix), UserID: idOrNull(r.UserID), TeamID: idOrNull(r.TeamID),
		Method: r.Method, Path: r.Path, Status: r.Status, DurationMs: milliseconds(r.Duration), Credits: r.Credits, Client: r.Client,
	})
}

func (w *logArray) end() error {
	_, err := fmt.Fprintln(w.out, "]")
	return err
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// logTable prints lines of fixed columns: it cannot wait to see the widest.
type logTable struct{ *app }

const logLine = "%-19s  %6s  %-4s  %9s  %7s  %-18s  %-36s  %-15s  %s\n"

func (w *logTable) begin() error {
	_, err := fmt.Fprintf(w.out, logLine, "TIME", "STATUS", "METH", "MS", "CREDITS", "KEY", "TEAM", "CLIENT", "PATH")
	return err
}

func (w *logTable) row(r requestlog.Row) error {
	_, err := fmt.Fprintf(w.out, logLine, clock(&r.Time), strconv.Itoa(r.Status), r.Method,
		strconv.FormatFloat(milliseconds(r.Duration), 'f', 3, 64), strconv.FormatInt(r.Credits, 10),
		orDash(r.KeyPrefix), orDash(r.TeamID.String()), r.Client, r.Path)
	return err
}

func (w *logTable) end() error { return nil }
