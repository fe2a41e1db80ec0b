package portal

import (
	"strings"

	"cradle/internal/account"
)

// layout is what every page has around it.
type layout struct {
	Title   string
	Section string
	Notice  string
	Back    string // the address of the page, to come back to
	Visitor *account.Visitor
	Seat    account.Seat
	Mode    account.Mode
	World   string // team and mode, for forms to say what they were made for
	Owner   bool
	Page    any
}

func (v *visit) layout(name, title string, page any) layout {
	l := layout{Title: title, Section: sections[name], Notice: notices[v.asked("done")], Back: v.request.URL.RequestURI(), Visitor: v.visitor, Page: page}
	if strings.HasPrefix(v.route, "POST ") {
		l.Back = "/portal"
	}
	if v.visitor == nil {
		return l
	}
	l.Mode = v.visitor.Mode
	if seat, ok := v.visitor.Seat(); ok {
		l.Seat, l.Owner = seat, seat.Role == account.Owner
		l.World = account.Wallet{Team: seat.Team.ID, Mode: l.Mode}.String()
	}
	return l
}

// Sandbox says whether the page shows the sandbox.
func (l layout) Sandbox() bool { return l.Mode == account.Sandbox }

// HasTeam says whether there is a team to show anything of.
func (l layout) HasTeam() bool { return l.World != "" }

// sections say which entry of the navigation a page belongs to.
var sections = map[string]string{
	"overview":  "overview",
	"catalogue": "catalogue", "material": "catalogue", "process": "catalogue", "pull": "catalogue",
	"keys":     "keys",
	"webhooks": "webhooks", "newwebhook": "webhooks", "webhook": "webhooks", "delivery": "webhooks",
	"logs": "logs", "request": "logs",
	"credits": "credits",
	"team":    "team",
	"docs":    "docs", "verify": "docs", "graphql": "docs",
}

// notices are what a page may say about what was just done. The address has only
// the name of one.
var notices = map[string]string{
	"signed-out":  "You are signed out.",
	"pulled":      "Pulled: the values are shown below and are yours for good.",
	"key-revoked": "The key is revoked. The next request with it is refused.",
	"enabled":     "The endpoint is enabled; what waited for it is sent now.",
	"disabled":    "The endpoint is disabled; its events wait until it is enabled.",
	"removed":     "The endpoint is removed.",
	"taken":       "The test was answered with a 2xx.",
	"not-taken":   "The test was not taken; the attempt below says why.",
	"resent":      "It is sent again.",
	"advanced":    "Sandbox deliveries that waited are due now.",
	"renamed":     "The team's name and description are changed.",
	"withdrawn":   "The invitation is withdrawn; its link does not work any more.",
	"role":        "The role is changed.",
	"member-gone": "The membership has ended.",
	"left":        "You have left the team.",
	"password":    "The password is changed. Every other session has ended.",
	"joined":      "Welcome to the team.",
	"declined":    "You have declined.",
}
