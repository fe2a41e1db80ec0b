// Package gateway is the HTTP edge that the APIs share: request id, key,
// version, team and rate are checked here, in this order; answers get their
// headers, ETag and compression here; every request is logged here.
package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/requestlog"
)

// Freshness returns current versions; freshness.Checker implements it.
type Freshness interface {
	Now(ctx context.Context, wallet account.Wallet) (account.Versions, error)
}

// Directory finds the holder of a key; account.Directory implements it.
type Directory interface {
	Holder(ctx context.Context, version int64, secret string) (*account.Holder, error)
}

// Recorder records rows of the request log. It never blocks.
type Recorder interface {
	Record(requestlog.Row)
}

// Observer receives the outcome of each request, for metrics.
type Observer func(method, route string, status int, took time.Duration)

// Config configures a gateway.
type Config struct {
	Freshness Freshness
	Directory Directory
	Recorder  Recorder
	Observe   Observer
	Log       *slog.Logger
	Now       func() time.Time
	RateLimit float64 // requests a second per key, 0 for none
	Proxies   []netip.Prefix
	Timeout   time.Duration // for one request
	Memory    int           // bytes of compressed answers to cache
}

// Gateway admits requests to a handler.
type Gateway struct {
	Config
	keys       *limiter[lci.ID]
	unknown    *limiter[string] // refused keys, per client address
	compressed *compressor
}

func New(c Config) *Gateway {
	return &Gateway{Config: c, keys: newLimiter[lci.ID](c.RateLimit), unknown: newLimiter[string](c.RateLimit), compressed: newCompressor(c.Memory)}
}

// Handler handles an admitted request. An error that it returns is written as
// the error envelope.
type Handler func(*Call) error

// Call is an admitted request.
type Call struct {
	Request   *http.Request
	Viewer    account.Viewer
	Holder    *account.Holder
	Version   Version
	RequestID string
	// Route is the matched route's pattern, for metrics; Credits what the
	// request debited, for the log. The handler sets them.
	Route   string
	Credits int64
	// Method and Path are what the log shows for the request.
	Method, Path string

	gateway *Gateway
	writer  http.ResponseWriter
	started time.Time
	client  string
	status  int
}

// Serve returns an http.Handler that admits requests to handle.
func (g *Gateway) Serve(handle Handler) http.Handler {
	return g.serve(handle, func(r *http.Request) (method, path string) { return r.Method, r.URL.Path })
}

// ServeAs is like Serve, but logs requests under the given method and path.
func (g *Gateway) ServeAs(method, path string, handle Handler) http.Handler {
	return g.serve(handle, func(*http.Request) (string, string) { return method, path })
}

// ServeFor is like ServeAs, for a viewer who is signed in instead of sending a
// key.
func (g *Gateway) ServeFor(v account.Viewer, holder *account.Holder, method, path string, handle Handler) http.Handler {
	return g.serveAdmitted(func(c *Call) error { return c.admitAs(v, holder) }, handle, func(*http.Request) (string, string) { return method, path })
}

func (g *Gateway) serve(handle Handler, logged func(*http.Request) (method, path string)) http.Handler {
	return g.serveAdmitted((*Call).admit, handle, logged)
}

func (g *Gateway) serveAdmitted(admit, handle Handler, logged func(*http.Request) (method, path string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), g.Timeout)
		defer cancel()
		c := &Call{
			Request: r.WithContext(ctx), Version: Current, RequestID: lci.NewID().String(),
			gateway: g, writer: w, started: g.Now(), client: ClientAddress(r, g.Proxies),
		}
		c.Method, c.Path = logged(r)
		defer c.finish()
		defer c.recover()
		c.commonHeaders()
		err := admit(c)
		if err == nil {
			err = handle(c)
		}
		if err != nil {
			c.refuse(err)
		}
	})
}

// admit makes the checks that come before the handler.
func (c *Call) admit() error {
	err := c.checkKey()
	versionErr := c.checkVersion()
	if err != nil {
		return err
	}
	if versionErr != nil {
		return versionErr
	}
	if err := c.checkTeam(); err != nil {
		return err
	}
	return c.checkRate()
}

// admitAs makes the checks that remain once the viewer is known.
func (c *Call) admitAs(v account.Viewer, holder *account.Holder) error {
	c.Viewer, c.Holder = v, holder
	if err := c.checkVersion(); err != nil {
		return err
	}
	return c.checkRate()
}

// single returns a header that may be sent only once; once is false if it was
// repeated. An empty header counts as omitted.
func (c *Call) single(name string) (value string, once bool) {
	for _, sent := range c.Request.Header.Values(name) {
		if sent != "" && value != "" {
			return "", false
		}
		value += sent
	}
	return value, true
}

func repeated(name string) error { return fault.Fieldf(name, "is sent more than once") }

func (c *Call) checkVersion() (err error) {
	sent, once := c.single("Svc-Version")
	if c.Version, err = parseVersion(sent); !once {
		err = repeated("Svc-Version")
	}
	c.writer.Header()["Svc-Version"] = []string{string(c.Version)}
	return err
}

func (c *Call) checkKey() error {
	secret, _ := c.single("x-api-key")
	mode, ok := account.ParseSecret(secret)
	if !ok {
		return c.refusedKey()
	}
	sent, _ := c.single("x-team-id")
	team, _ := lci.ParseID(sent)
	at, err := c.gateway.Freshness.Now(c.Request.Context(), account.Wallet{Team: team, Mode: mode})
	if err != nil {
		return err
	}
	holder, err := c.gateway.Directory.Holder(c.Request.Context(), at.Accounts, secret)
	if errors.Is(err, account.ErrKey) {
		return c.refusedKey()
	}
	if err != nil {
		return err
	}
	c.Holder = holder
	c.Viewer = account.Viewer{User: holder.User.ID, Mode: holder.Key.Mode, Key: holder.Key.ID, At: at}
	return nil
}

// refusedKey is the answer to an invalid key. It slows down clients that try
// many.
func (c *Call) refusedKey() error {
	if c.gateway.unknown == nil {
		return account.ErrKey
	}
	a := c.gateway.unknown.take(c.client, c.gateway.Now())
	if a.ok {
		return account.ErrKey
	}
	c.writer.Header().Set("Retry-After", seconds(a.retry))
	return fault.New(fault.RateLimited, "rate_limited", "Too many requests with an invalid API key from this address; wait %s s", seconds(a.retry))
}

func (c *Call) checkTeam() error {
	sent, once := c.single("x-team-id")
	if !once {
		return repeated("x-team-id")
	}
	if sent == "" {
		return fault.New(fault.Invalid, "missing_team",
			"The required header x-team-id is missing: pass the id of a team the key owner belongs to (GET /public/teams lists them)")
	}
	team, ok := lci.ParseID(sent)
	if ok {
		_, ok = c.Holder.Seat(team)
	}
	if !ok {
		return fault.New(fault.Forbidden, "not_a_member", "The key owner is not a member of team %s", printable(sent))
	}
	c.Viewer.Team = team
	return nil
}

func (c *Call) checkRate() error {
	if c.gateway.keys == nil {
		return nil
	}
	who := c.Viewer.Key
	if who.IsZero() {
		who = c.Viewer.User
	}
	a := c.gateway.keys.take(who, c.gateway.Now())
	h := c.writer.Header()
	h["X-Ratelimit-Limit"] = []string{itoa(a.limit)}
	h["X-Ratelimit-Remaining"] = []string{itoa(a.remaining)}
	h["X-Ratelimit-Reset"] = []string{itoa(int(a.reset.Add(time.Second - 1).Unix()))}
	if a.ok {
		return nil
	}
	h.Set("Retry-After", seconds(a.retry))
	return fault.New(fault.RateLimited, "rate_limited", "Too many requests with this key; wait %s s", seconds(a.retry))
}

func (c *Call) recover() {
	if cause := recover(); cause != nil {
		if cause == http.ErrAbortHandler {
			panic(cause)
		}
		c.gateway.Log.Error("panic", "requestId", c.RequestID, "cause", cause, "stack", string(debug.Stack()))
		c.refuse(errors.New("panic"))
	}
}

// finish logs the request.
func (c *Call) finish() {
	took := c.gateway.Now().Sub(c.started)
	row := requestlog.Row{
		Time: c.started, RequestID: c.RequestID, Method: c.Method, Path: printable(c.Path),
		Status: c.status, Duration: took, Credits: c.Credits, Client: c.client,
	}
	if c.Holder != nil {
		row.KeyID, row.KeyPrefix, row.UserID = c.Viewer.Key, c.Holder.Key.Prefix, c.Viewer.User
		row.TeamID, row.Mode = c.Viewer.Team, c.Viewer.Mode
	}
	c.gateway.Recorder.Record(row)
	c.gateway.Observe(c.Request.Method, c.Route, c.status, took)
}
