// Package server assembles a running server over a store.
package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"cradle/internal/account"
	"cradle/internal/freshness"
	"cradle/internal/gateway"
	"cradle/internal/graph"
	"cradle/internal/library"
	"cradle/internal/portal"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
	"cradle/internal/rest"
	"cradle/internal/webhook"
)

// Store is everything that a server needs from its database.
type Store interface {
	account.HolderStore
	account.Store
	account.SessionStore
	account.InvitationStore
	library.Store
	purchase.Store
	freshness.Store
	requestlog.Store
	webhook.ServiceStore
	portal.Books
	portal.Log
	housekeeping
	Ping(ctx context.Context) error
	Statements() int64
	// Wakes signals when a delivery may be waiting, until ctx ends.
	Wakes(ctx context.Context, log *slog.Logger) <-chan struct{}
}

// Options of a server. Zero values are not defaults.
type Options struct {
	BaseURL          string // as clients reach it
	RateLimit        float64
	Proxies          []netip.Prefix
	SyntheticSandbox bool
	LogRetention     time.Duration // of requests
	EventRetention   time.Duration // of events and deliveries
	CacheBytes       int
	TestKeys         *account.Sealer
	WebhookSecrets   *account.Sealer
	WebhookGuard     *webhook.Guard
	Mail             portal.Mailer // nil without a mail server
	Log              *slog.Logger
}

// requestTimeout bounds one request, including waits for the database.
const requestTimeout = 30 * time.Second

// Server is a server without its listener.
type Server struct {
	store    Store
	library  *library.Library
	recorder *requestlog.Recorder
	keeper   *housekeeper
	warmer   *warmer
	worker   *webhook.Worker
	silence  context.CancelFunc // stops listening for deliveries
	metrics  *metrics
	handler  http.Handler
	closing  sync.Once
}

// New loads the catalogue and starts the workers. Close stops them.
func New(ctx context.Context, store Store, o Options) (*Server, error) {
	lib := library.New(store, library.Options{SyntheticSandbox: o.SyntheticSandbox, Memory: o.memory(libraryShare)})
	if err := lib.Warm(ctx); err != nil {
		return nil, err
	}
	s := &Server{store: store, library: lib, metrics: newMetrics(store.Statements), recorder: requestlog.NewRecorder(store, o.Log)}
	served, err := s.serve(o)
	if err != nil {
		s.recorder.Close()
		return nil, err
	}
	pages, err := portal.New(s.portal(served, o))
	if err != nil {
		s.recorder.Close()
		return nil, err
	}
	s.handler = s.routes(served.edge.Serve(served.rest.Serve), served.edge.ServeAs(graph.LoggedMethod, graph.LoggedPath, served.graphQL.Serve), pages, o.BaseURL)
	s.startWorkers(served.rest, o)
	return s, nil
}

// memory is a cache's share of the memory of all.
func (o Options) memory(percent int) int { return o.CacheBytes / 100 * percent }

// served is what answers requests.
type served struct {
	purchases *purchase.Service
	exports   *exporter
	rest      *rest.API
	graphQL   *graph.API
	fresh     *freshness.Checker
	edge      *gateway.Gateway
}

func (s *Server) serve(o Options) (v served, err error) {
	v.purchases, v.exports, v.fresh = purchase.NewService(s.store, time.Now), newExporter(s.library), freshness.New(s.store)
	v.rest = rest.New(s.library, v.purchases, v.exports.export, o.memory(restShare))
	if v.graphQL, err = graph.New(s.library, v.purchases, v.rest, o.memory(graphShare)); err != nil {
		return v, err
	}
	v.edge = gateway.New(gateway.Config{
		Freshness: v.fresh,
		Directory: account.NewDirectory(s.store, o.memory(accountShare)),
		Recorder:  s.recorder,
		Observe:   s.metrics.observe,
		Log:       o.Log,
		Now:       time.Now,
		RateLimit: o.RateLimit,
		Proxies:   o.Proxies,
		Timeout:   requestTimeout,
		Memory:    o.memory(compressedShare),
	})
	return v, nil
}

func (s *Server) portal(v served, o Options) portal.Config {
	sessions := account.NewSessions(s.store, time.Now)
	return portal.Config{
		Accounts:    account.NewService(s.store, account.Options{Sealer: o.TestKeys, SandboxQuota: account.DefaultSandboxQuota}),
		Sessions:    sessions,
		Invitations: account.NewInvitations(s.store, sessions, time.Now),
		Webhooks:    webhook.NewService(s.store, o.WebhookGuard, o.WebhookSecrets, time.Now),
		Library:     s.library,
		Purchases:   v.purchases,
		Books:       s.store,
		Requests:    s.store,
		Recorder:    s.recorder,
		Freshness:   v.fresh,
		Mail:        o.Mail,
		Reference:   rest.OpenAPI(),
		GraphQL: func(by account.Viewer, holder *account.Holder) http.Handler {
			return v.edge.ServeFor(by, holder, graph.LoggedMethod, graph.LoggedPath, v.graphQL.Serve)
		},
		Export: func(ctx context.Context, by account.Viewer, format string) (portal.File, error) {
			made, err := v.exports.export(ctx, by, format)
			if err != nil {
				return portal.File{}, err
			}
			return portal.File{ReadCloser: made, MediaType: made.MediaType, Name: made.Name}, nil
		},
		BaseURL: o.BaseURL,
		Proxies: o.Proxies,
		Log:     o.Log,
		Now:     time.Now,
		Timeout: requestTimeout,
	}
}

// startWorkers starts what works beside the requests.
func (s *Server) startWorkers(api *rest.API, o Options) {
	s.keeper = keepHouse(s.store, o.LogRetention, o.EventRetention, o.Log)
	listening, silence := context.WithCancel(context.Background())
	s.silence = silence
	s.worker = webhook.NewWorker(s.store, webhook.NewSender(o.WebhookGuard, time.Now), o.WebhookSecrets, s.store.Wakes(listening, o.Log), time.Now, o.Log)
	s.worker.Start()
	s.warmer = keepWarm(s.library, api, o.Log)
}

func (s *Server) routes(public, graphQL, pages http.Handler, baseURL string) http.Handler {
	mux := http.NewServeMux()
	docs := rest.Docs(baseURL)
	mux.HandleFunc("GET /healthz", s.healthy)
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("GET /openapi.json", docs)
	mux.Handle("GET /docs", docs)
	mux.Handle("GET /docs/", docs)
	mux.Handle("GET /{$}", http.RedirectHandler("/docs", http.StatusFound))
	return split("/public", public, split(graph.Path, graph.WithSchema(graphQL), split("/portal", pages, mux)))
}

// split passes every path at or below prefix unchanged to one handler, and all
// others to another. A ServeMux would answer some of them itself.
func split(prefix string, below, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if len(path) >= len(prefix) && path[:len(prefix)] == prefix && (len(path) == len(prefix) || path[len(prefix)] == '/') {
			below.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}

// Handler serves the public address.
func (s *Server) Handler() http.Handler { return s.handler }

// Close stops the workers and writes what they still hold. Call it after the
// last request.
func (s *Server) Close() {
	s.closing.Do(func() {
		s.warmer.close()
		s.worker.Stop()
		s.silence()
		s.recorder.Close()
		s.keeper.close()
	})
}

// healthy reports that the process answers.
func (s *Server) healthy(w http.ResponseWriter, _ *http.Request) {
	writeStatus(w, http.StatusOK, "ok")
}

// ready reports whether the database answers, so that requests can be served.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := s.store.Ping(ctx); err != nil {
		writeStatus(w, http.StatusServiceUnavailable, "the database does not answer")
		return
	}
	writeStatus(w, http.StatusOK, "ok")
}

func writeStatus(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write([]byte(`{"status":"` + text + `"}`))
}
