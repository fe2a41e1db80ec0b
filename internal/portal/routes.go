package portal

import (
	"net/http"
)

// need is what somebody must be to reach a page.
type need int

const (
	nothing  need = iota
	signedIn      // as anybody
	team          // as an active member of the team selected
	owner         // as its owner
)

// route is a row of the route table.
type route struct {
	pattern string
	need    need
	serve   func(*visit) error
}

// table is every page and every action there is.
var table = []route{
	{"GET /portal/sign-in", nothing, (*visit).signInPage},
	{"POST /portal/sign-in", nothing, (*visit).signIn},
	{"POST /portal/sign-out", signedIn, (*visit).signOut},
	{"POST /portal/team", signedIn, (*visit).selectTeam},
	{"POST /portal/mode", signedIn, (*visit).selectMode},

	{"GET /portal/{$}", team, (*visit).overview},
	{"GET /portal", team, (*visit).overview},
}

func (p *Portal) routes() http.Handler {
	mux := http.NewServeMux()
	for _, r := range table {
		mux.Handle(r.pattern, p.handle(r))
	}
	mux.Handle("GET /portal/static/", http.HandlerFunc(serveAsset))
	mux.Handle("/", p.handle(route{need: nothing, serve: (*visit).noPage}))
	return mux
}
