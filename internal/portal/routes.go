package portal

import (
	"net/http"
)

// need is what a visitor must be to reach a page.
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

// table lists every page and action.
var table = []route{
	{"GET /portal/sign-in", nothing, (*visit).signInPage},
	{"POST /portal/sign-in", nothing, (*visit).signIn},
	{"POST /portal/sign-out", signedIn, (*visit).signOut},
	{"POST /portal/team", signedIn, (*visit).selectTeam},
	{"POST /portal/mode", signedIn, (*visit).selectMode},

	{"GET /portal/{$}", team, (*visit).overview},
	{"GET /portal", team, (*visit).overview},

	{"GET /portal/catalogue", team, (*visit).catalogue},
	{"GET /portal/catalogue/results", team, (*visit).catalogueResults},
	{"GET /portal/materials/{id}", team, (*visit).material},
	{"GET /portal/processes/{id}", team, (*visit).process},
	{"POST /portal/records/{id}/star", team, (*visit).star},
	{"POST /portal/materials/{id}/quote", team, (*visit).quote},
	{"POST /portal/processes/{id}/quote", team, (*visit).quote},
	{"POST /portal/materials/{id}/pull", team, (*visit).pull},
	{"POST /portal/processes/{id}/pull", team, (*visit).pull},
	{"GET /portal/owned/{file}", team, (*visit).downloadOwned},
	{"GET /portal/export/{format}", team, (*visit).downloadExport},
	{"GET /portal/materials/{id}/{file}", team, (*visit).downloadMaterial},
	{"GET /portal/processes/{id}/{file}", team, (*visit).downloadProcess},

	{"GET /portal/keys", team, (*visit).keys},
	{"POST /portal/keys", team, (*visit).createKey},
	{"POST /portal/keys/{id}/reveal", team, (*visit).revealKey},
	{"GET /portal/keys/{id}/revoke", team, (*visit).revokeKeyPage},
	{"POST /portal/keys/{id}/revoke", team, (*visit).revokeKey},

	{"GET /portal/webhooks", team, (*visit).webhooks},
	{"GET /portal/webhooks/new", owner, (*visit).newWebhook},
	{"POST /portal/webhooks", owner, (*visit).addWebhook},
	{"GET /portal/webhooks/{id}", team, (*visit).webhook},
	{"POST /portal/webhooks/{id}/test", owner, (*visit).testWebhook},
	{"POST /portal/webhooks/{id}/status", owner, (*visit).switchWebhook},
	{"POST /portal/webhooks/{id}/rotate", owner, (*visit).rotateWebhook},
	{"POST /portal/webhooks/{id}/resend", owner, (*visit).resendFailed},
	{"POST /portal/webhooks/{id}/advance", owner, (*visit).advanceWebhook},
	{"GET /portal/webhooks/{id}/remove", owner, (*visit).removeWebhookPage},
	{"POST /portal/webhooks/{id}/remove", owner, (*visit).removeWebhook},
	{"GET /portal/deliveries/{id}", team, (*visit).delivery},
	{"POST /portal/deliveries/{id}/resend", owner, (*visit).resend},

	{"GET /portal/logs", team, (*visit).logs},
	{"GET /portal/logs/tail", team, (*visit).logsTail},
	{"GET /portal/logs/{seq}", team, (*visit).logEntry},

	{"GET /portal/credits", team, (*visit).credits},
	{"GET /portal/credits/ledger.csv", team, (*visit).ledgerCSV},

	{"GET /portal/team", team, (*visit).teamPage},
	{"POST /portal/team/name", owner, (*visit).renameTeam},
	{"POST /portal/team/invitations", owner, (*visit).invite},
	{"POST /portal/team/invitations/{id}/withdraw", owner, (*visit).withdraw},
	{"POST /portal/team/members/{id}/role", owner, (*visit).setRole},
	{"GET /portal/team/members/{id}/remove", owner, (*visit).removeMemberPage},
	{"POST /portal/team/members/{id}/remove", owner, (*visit).removeMember},
	{"GET /portal/team/leave", team, (*visit).leavePage},
	{"POST /portal/team/leave", team, (*visit).leave},

	{"GET /portal/account", signedIn, (*visit).accountPage},
	{"POST /portal/account/password", signedIn, (*visit).changePassword},
	{"POST /portal/offers/{id}", signedIn, (*visit).answerOffer},
	{"GET /portal/invitation/{token}", nothing, (*visit).invitation},
	{"POST /portal/invitation/{token}/accept", signedIn, (*visit).acceptInvitation},
	{"POST /portal/invitation/{token}/sign-in", nothing, (*visit).acceptBySigningIn},
	{"POST /portal/invitation/{token}/new", nothing, (*visit).acceptAsNew},

	{"GET /portal/docs", team, (*visit).docs},
	{"GET /portal/docs/webhooks", team, (*visit).verifyDocs},
	{"GET /portal/graphql", team, (*visit).explorer},
	{"POST /portal/graphql", team, (*visit).explore},
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
