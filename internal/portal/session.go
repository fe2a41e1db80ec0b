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

// cookieName is bound to the host by its prefix where the portal is reached over
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

// keep gives the browser a session's token, or with "" takes it away.
func (v *visit) keep(token string) {
	c := &http.Cookie{Name: v.cookieName(), Value: token, Path: "/", HttpOnly: true, Secure: v.secure, SameSite: http.SameSiteLaxMode,
		MaxAge: int(account.SessionLife.Seconds())}
	if token == "" {
		c.MaxAge = -1
	}
	http.SetCookie(v.writer, c)
}

// toSignIn sends somebody to the page for it, and back afterwards to a page that
// they asked for.
func (v *visit) toSignIn() {
	to := "/portal/sign-in"
	if v.request.Method == http.MethodGet && v.request.URL.Path != "/portal" {
		to += "?next=" + url.QueryEscape(v.request.URL.RequestURI())
	}
	http.Redirect(v.writer, v.request, to, http.StatusSeeOther)
}

// local returns an address of the portal, or its first page for any other.
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

// noTeam tells somebody who is in no team how to get into one.
func (v *visit) noTeam() error {
	offers, err := v.Accounts.Offers(v.context(), v.visitor.User.ID)
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "noteam", "Welcome", offers)
}

// errored says whether an error is one that a form can show.
func errored(err error) *fault.Error {
	var f *fault.Error
	if errors.As(err, &f) && f.Kind != fault.Internal && f.Kind != fault.Unavailable && f.Kind != fault.NotFound {
		return f
	}
	return nil
}
