// Package rest is the REST API: it translates between HTTP and the packages that
// decide.
package rest

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/gateway"
	"cradle/internal/library"
	"cradle/internal/purchase"
)

// Catalogue is what can be read; library.Library implements it.
type Catalogue interface {
	List(ctx context.Context, v account.Viewer, kind library.Kind, q library.Query) (library.Page, error)
	Find(ctx context.Context, v account.Viewer, kind library.Kind, id string) (library.Page, error)
	Methods(ctx context.Context, v account.Viewer) ([]library.Method, error)
	Sweep(ctx context.Context, kind library.Kind) iter.Seq2[library.Page, error]
}

// Purchases takes pulls; purchase.Service implements it.
type Purchases interface {
	Pull(ctx context.Context, r purchase.Request, o purchase.Order) (purchase.Answer, bool, error)
	Quote(ctx context.Context, v account.Viewer, o purchase.Order) (purchase.Quote, error)
	Balance(ctx context.Context, v account.Viewer) (int64, error)
}

// API serves the paths under /public.
type API struct {
	library   Catalogue
	purchases Purchases
	export    Exporter
	rows      *rowCache
}

// New returns an API that caches rendered rows in up to memory bytes.
func New(lib Catalogue, purchases Purchases, export Exporter, memory int) *API {
	return &API{library: lib, purchases: purchases, export: export, rows: newRowCache(memory)}
}

// route is a row of the route table. A segment in braces is a parameter.
type route struct {
	method, pattern string
	handle          func(*API, *gateway.Call, parameters) error
}

type parameters map[string]string

// routes lists every path. The first matching pattern wins, so pulls come before
// the rows where "pull" would be an id.
var routes = []route{
	{"GET", "/public/me", (*API).me},
	{"GET", "/public/teams", (*API).teams},
	{"GET", "/public/credits", (*API).credits},
	{"GET", "/public/materials", (*API).materials},
	{"GET", "/public/materials/pulled", (*API).pulledMaterials},
	{"GET", "/public/materials/{id}", (*API).material},
	{"POST", "/public/materials/{id}/properties/pull", (*API).pullProperties},
	{"GET", "/public/materials/{id}/properties/{propertyId}", (*API).property},
	{"GET", "/public/processes", (*API).processes},
	{"GET", "/public/processes/pulled", (*API).pulledProcesses},
	{"GET", "/public/processes/{id}", (*API).process},
	{"POST", "/public/processes/{id}/pull", (*API).pullProducts},
	{"POST", "/public/processes/{id}/impacts/pull", (*API).pullImpacts},
	{"GET", "/public/processes/{id}/impacts/{impactId}", (*API).impact},
	{"GET", "/public/impact-methods", (*API).methods},
	{"GET", "/public/export", (*API).exported},
	{"POST", "/public/datapoints/pull", (*API).pullDatapoints},
}

// Serve handles an admitted request.
func (a *API) Serve(c *gateway.Call) error {
	for i := range routes {
		r := &routes[i]
		found, ok := match(r.pattern, c.Request.URL.Path)
		if !ok {
			continue
		}
		if !slices.Contains(r.methods(), c.Request.Method) {
			allowed := strings.Join(r.methods(), ", ")
			c.Header().Set("Allow", allowed)
			return fault.New(fault.MethodNotAllowed, "method_not_allowed", "This path supports only %s", allowed)
		}
		c.Route = r.pattern
		return r.handle(a, c, found)
	}
	return fault.New(fault.NotFound, "unknown_path", "There is no such path; see /docs for all paths")
}

// methods returns the methods that a route answers. GET implies HEAD.
func (r *route) methods() []string {
	if r.method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{r.method}
}

// match compares a path with a pattern, segment by segment.
func match(pattern, path string) (parameters, bool) {
	var found parameters
	for pattern != "" {
		var want, got string
		want, pattern = cutSegment(pattern)
		got, path = cutSegment(path)
		switch {
		case strings.HasPrefix(want, "{"):
			if got == "" {
				return nil, false
			}
			if found == nil {
				found = parameters{}
			}
			found[want[1:len(want)-1]] = got
		case want != got:
			return nil, false
		}
	}
	return found, path == ""
}

// cutSegment cuts the first segment, with its slash, off a path.
func cutSegment(path string) (segment, rest string) {
	if path == "" || path[0] != '/' {
		return "", path
	}
	end := strings.IndexByte(path[1:], '/')
	if end < 0 {
		return path[1:], ""
	}
	return path[1 : end+1], path[end+1:]
}
