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
	Back    string // the URL of the page, to return to
	Visitor *account.Visitor
	Seat    account.Seat
	Mode    account.Mode
	World   string // team and mode that the page's forms are for
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

// Sandbox reports whether the page shows the sandbox.
func (l layout) Sandbox() bool { return l.Mode == account.Sandbox }

// HasTeam reports whether a team is selected.
func (l layout) HasTeam() bool { return l.World != "" }

// sections map pages to entries of the navigation.
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

// notices are messages about the last action. The URL has only the name of one.
var notices = map[string]string{
	"signed-out":  "You have signed out.",
	"pulled":      "Pull complete. The values are shown below and stay visible to your team.",
	"key-revoked": "Key revoked. Requests with it fail from now on.",
	"enabled":     "Endpoint enabled. Queued events are being sent.",
	"disabled":    "Endpoint disabled. Its events are queued until you enable it.",
	"removed":     "Endpoint removed.",
	"taken":       "The test was delivered.",
	"not-taken":   "The test failed. See the attempt below.",
	"resent":      "The delivery is being sent again.",
	"advanced":    "Waiting sandbox deliveries are being sent.",
	"renamed":     "Team name and description saved.",
	"withdrawn":   "Invitation withdrawn. Its link no longer works.",
	"role":        "Role changed.",
	"member-gone": "Member removed.",
	"left":        "You have left the team.",
	"password":    "Password changed. All other sessions have ended.",
	"joined":      "Welcome to the team.",
	"declined":    "Invitation declined.",
}
