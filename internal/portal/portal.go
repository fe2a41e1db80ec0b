// Package portal is the developer portal: pages rendered by the server, under
// /portal, for signed-in users. Like the APIs it only translates and leaves
// decisions to other packages.
package portal

import (
	"context"
	"html/template"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/library"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
	"cradle/internal/webhook"
)

// Freshness returns current versions; freshness.Checker implements it.
type Freshness interface {
	Now(ctx context.Context, wallet account.Wallet) (account.Versions, error)
}

// Catalogue is what can be read; library.Library implements it.
type Catalogue interface {
	List(ctx context.Context, v account.Viewer, kind library.Kind, q library.Query) (library.Page, error)
	Find(ctx context.Context, v account.Viewer, kind library.Kind, id string) (library.Page, error)
	Choices(ctx context.Context, v account.Viewer, kind library.Kind) (library.Choices, error)
	Star(ctx context.Context, v account.Viewer, id string, on bool) error
}

// Purchases takes pulls; purchase.Service implements it.
type Purchases interface {
	Pull(ctx context.Context, r purchase.Request, o purchase.Order) (purchase.Answer, bool, error)
	Quote(ctx context.Context, v account.Viewer, o purchase.Order) (purchase.Quote, error)
}

// Books are the teams' ledgers.
type Books interface {
	Balance(ctx context.Context, wallet account.Wallet) (int64, error)
	// LedgerPage returns entries before a number, newest first.
	LedgerPage(ctx context.Context, wallet account.Wallet, before int64, most int) ([]purchase.Entry, error)
}

// Log is a team's view of the request log.
type Log interface {
	SearchRequests(ctx context.Context, q requestlog.Search) (requestlog.Found, error)
	Request(ctx context.Context, team lci.ID, seq int64) (*requestlog.Row, error)
	Usage(ctx context.Context, wallet account.Wallet, from int) ([]requestlog.Day, error)
}

// Recorder records rows of the request log; requestlog.Recorder implements it.
type Recorder interface {
	Record(requestlog.Row)
}

// Config configures a portal.
type Config struct {
	Accounts    *account.Service
	Sessions    *account.Sessions
	Invitations *account.Invitations
	Webhooks    *webhook.Service
	Library     Catalogue
	Purchases   Purchases
	Books       Books
	Requests    Log
	Recorder    Recorder
	Freshness   Freshness
	Mail        Mailer // nil without a mail server
	Reference   []byte // the OpenAPI document
	// GraphQL serves a request of a signed-in user.
	GraphQL func(v account.Viewer, holder *account.Holder) http.Handler
	// Export writes what the viewer's team has pulled to a file in an export
	// format.
	Export  func(ctx context.Context, v account.Viewer, format string) (File, error)
	BaseURL string // the service's public address
	Proxies []netip.Prefix
	Log     *slog.Logger
	Now     func() time.Time
	Timeout time.Duration // for one request
}

// A File is a finished download.
type File struct {
	io.ReadCloser
	MediaType string
	Name      string
}

// Portal serves the paths at and under /portal.
type Portal struct {
	Config
	secure     bool // reached over https only
	pages      map[string]*template.Template
	operations []operation
	schema     atomic.Pointer[schemaDoc] // cached on first use
	handler    http.Handler
}

// New returns an error if the reference is invalid.
func New(c Config) (*Portal, error) {
	p := &Portal{Config: c, pages: readPages(), secure: strings.HasPrefix(c.BaseURL, "https://")}
	var err error
	if p.operations, err = operationsOf(c.Reference); err != nil {
		return nil, err
	}
	origin := http.NewCrossOriginProtection()
	if base := originOf(c.BaseURL); base != "" {
		_ = origin.AddTrustedOrigin(base) // an invalid origin is trusted by no one
	}
	origin.SetDenyHandler(p.handle(route{need: nothing, serve: (*visit).crossOrigin}))
	p.handler = origin.Handler(p.routes())
	return p, nil
}

// originOf cuts the path off an address.
func originOf(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

func (p *Portal) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.handler.ServeHTTP(w, r) }
