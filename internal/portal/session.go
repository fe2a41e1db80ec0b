package portal

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

// cookieName has a prefix that binds the cookie to the host if the portal uses
// https.
func (p *Portal) cookieName() string {
	if p.secure {
		return "__Host-cradle_session"
	}
	return "cradle_session"
}

func (v *visit) cookie() string {
	c, err := v.request.Cookie(v.cookieName())
	if err != nil {
		return ""
	}
	return c.Value
}

// keep sets the session cookie, or deletes it for "".
func (v *visit) keep(token string) {
	c := &http.Cookie{Name: v.cookieName(), Value: token, Path: "/", HttpOnly: true, Secure: v.secure, SameSite: http.SameSiteLaxMode,
		MaxAge: int(account.SessionLife.Seconds())}
	if token == "" {
		c.MaxAge = -1
	}
	http.SetCookie(v.writer, c)
}

// toSignIn redirects to the sign-in page, which returns to the requested page.
func (v *visit) toSignIn() {
	to := "/portal/sign-in"
	if v.request.Method == http.MethodGet && v.request.URL.Path != "/portal" {
		to += "?next=" + url.QueryEscape(v.request.URL.RequestURI())
	}
	http.Redirect(v.writer, v.request, to, http.StatusSeeOther)
}

// local returns a path of the portal unchanged, and the first page for any other
// address.
func local(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || u.Path != "/portal" && !strings.HasPrefix(u.Path, "/portal/") || strings.ContainsAny(address, "\\\r\n") {
		return "/portal"
	}
	return (&url.URL{Path: u.Path, RawQuery: u.RawQuery}).String()
}

type signInForm struct {
	form
	Next string
}

func (v *visit) signInPage() error {
	if v.visitor != nil {
		return v.send(local(v.asked("next")), "")
	}
	return v.show(http.StatusOK, "signin", "Sign in", signInForm{Next: v.asked("next")})
}

func (v *visit) signIn() error {
	if err := v.request.ParseForm(); err != nil {
		return badForm(err)
	}
	page := signInForm{form: newForm("email"), Next: v.field("next")}
	page.read(v)
	token, err := v.Sessions.SignIn(v.context(), account.SignIn{Email: page.Value["email"], Password: v.request.PostFormValue("password"),
		Client: v.client, Agent: v.request.UserAgent()})
	if status := page.fail(err); status != 0 {
		return v.show(status, "signin", "Sign in", page)
	}
	if err != nil {
		return err
	}
	if v.visitor != nil {
		if err := v.Sessions.SignOut(v.context(), v.visitor); err != nil {
			return err
		}
	}
	v.keep(token)
	return v.send(local(page.Next), "")
}

func (v *visit) signOut() error {
	end := v.Sessions.SignOut
	if v.field("everywhere") != "" {
		end = v.Sessions.SignOutEverywhere
	}
	if err := end(v.context(), v.visitor); err != nil {
		return err
	}
	v.keep("")
	return v.send("/portal/sign-in", "signed-out")
}

// selectTeam makes a team the recent one, here and in the APIs.
func (v *visit) selectTeam() error {
	id, ok := lci.ParseID(v.field("team"))
	if !ok {
		return fault.Fieldf("team", "is no id")
	}
	if err := v.Accounts.SelectTeam(v.context(), v.visitor, id); err != nil {
		return err
	}
	return v.send("/portal", "")
}

func (v *visit) selectMode() error {
	if err := v.Sessions.SetMode(v.context(), v.visitor, account.Mode(v.field("mode"))); err != nil {
		return err
	}
	return v.send(local(v.field("back")), "")
}

// noTeam tells a user without a team how to join one.
func (v *visit) noTeam() error {
	offers, err := v.Accounts.Offers(v.context(), v.visitor.User.ID)
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "noteam", "Welcome", offers)
}

// errored returns the fault in err if a form can show it, or nil.
func errored(err error) *fault.Error {
	var f *fault.Error
	if errors.As(err, &f) && f.Kind != fault.Internal && f.Kind != fault.Unavailable && f.Kind != fault.NotFound {
		return f
	}
	return nil
}
