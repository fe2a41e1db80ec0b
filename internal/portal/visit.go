package portal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/gateway"
	"cradle/internal/lci"
)

// visit is one request and its visitor.
type visit struct {
	*Portal
	request *http.Request
	writer  http.ResponseWriter
	id      string
	client  string
	route   string
	started time.Time

	visitor *account.Visitor // nil when nobody is signed in
	seat    account.Seat     // of the team selected, where the route needs a team
	viewer  account.Viewer
}

// mostForm is the largest accepted form.
const mostForm = 128 << 10

// handle returns the handler of a route: it identifies the visitor, checks
// access, and shows errors as a page.
func (p *Portal) handle(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx, cancel := context.WithTimeout(req.Context(), p.Timeout)
		defer cancel()
		v := &visit{Portal: p, request: req.WithContext(ctx), writer: w, id: lci.NewID().String(),
			client: gateway.ClientAddress(req, p.Proxies), route: r.pattern, started: p.Now()}
		defer v.recover()
		v.secureHeaders()
		err := v.admit(r.need)
		if err == nil {
			err = r.serve(v)
		}
		if err != nil {
			v.fail(err)
		}
	})
}

// policy lets a page load its own style, script and pictures, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func (v *visit) secureHeaders() {
	h := v.writer.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Svc-Request-Id", v.id)
}

// errSignIn redirects to the sign-in page, errNoTeam to the page for users
// without a team.
var (
	errSignIn = errors.New("not signed in")
	errNoTeam = errors.New("in no team")
)

func (v *visit) admit(n need) error {
	v.request.Body = http.MaxBytesReader(v.writer, v.request.Body, mostForm)
	var err error
	if v.visitor, err = v.Sessions.Visitor(v.context(), v.cookie()); err != nil {
		return err
	}
	if n == nothing {
		return nil
	}
	if v.visitor == nil {
		return errSignIn
	}
	if n == signedIn {
		return nil
	}
	if err := v.takeSeat(); err != nil {
		return err
	}
	if n == owner && v.seat.Role != account.Owner {
		return account.ErrOwnerOnly
	}
	return v.sameWorld()
}

// takeSeat sets the visitor's selected team and mode.
func (v *visit) takeSeat() error {
	seat, ok := v.visitor.Seat()
	if !ok {
		return errNoTeam
	}
	v.seat = seat
	at, err := v.Freshness.Now(v.context(), account.Wallet{Team: seat.Team.ID, Mode: v.visitor.Mode})
	if err != nil {
		return err
	}
	v.viewer = account.Viewer{User: v.visitor.User.ID, Team: seat.Team.ID, Mode: v.visitor.Mode, At: at}
	return nil
}

// sameWorld refuses a form that was made for another team or mode: the selection
// has since changed in another window, and the wrong team would pay.
func (v *visit) sameWorld() error {
	if v.request.Method != http.MethodPost {
		return nil
	}
	if err := v.request.ParseForm(); err != nil {
		return badForm(err)
	}
	made := v.request.PostForm.Get("world")
	if made != "" && made != v.viewer.Wallet().String() {
		return fault.New(fault.Conflict, "other_world",
			"You switched the team or the mode in another window after opening this page. Nothing was changed. You are now in %s, %s", v.seat.Team.Label, v.viewer.Mode)
	}
	return nil
}

func badForm(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return fault.New(fault.TooLarge, "form_too_large", "The form is too large")
	}
	return fault.Invalidf("The form could not be read. Reload the page and try again")
}

func (v *visit) context() context.Context { return v.request.Context() }

// field returns the trimmed value of a form's field.
func (v *visit) field(name string) string { return strings.TrimSpace(v.request.PostFormValue(name)) }

// asked returns a parameter of the URL.
func (v *visit) asked(name string) string { return strings.TrimSpace(v.request.URL.Query().Get(name)) }

// path returns a part of the path by its name in the pattern.
func (v *visit) path(name string) string { return v.request.PathValue(name) }

// pathID returns an id in the path, or the zero ID, which nothing has, if it is
// invalid.
func (v *visit) pathID(name string) lci.ID {
	id, _ := lci.ParseID(v.path(name))
	return id
}

// show renders a page.
func (v *visit) show(status int, name, title string, page any) error {
	return v.render(status, name, v.layout(name, title, page))
}

func (v *visit) render(status int, name string, data any) error {
	var out bytes.Buffer
	if err := v.pages[name].ExecuteTemplate(&out, "layout", data); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	v.write(status, out.Bytes())
	return nil
}

// fragment renders part of a page, for a script to insert.
func (v *visit) fragment(name, piece string, page any) error {
	var out bytes.Buffer
	if err := v.pages[name].ExecuteTemplate(&out, piece, page); err != nil {
		return fmt.Errorf("render %s of %s: %w", piece, name, err)
	}
	v.write(http.StatusOK, out.Bytes())
	return nil
}

func (v *visit) write(status int, body []byte) {
	v.writer.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.writer.WriteHeader(status)
	v.writer.Write(body)
}

// send redirects to another page after an action, with a notice.
func (v *visit) send(to, notice string) error {
	if notice != "" {
		to += "?done=" + url.QueryEscape(notice)
	}
	http.Redirect(v.writer, v.request, to, http.StatusSeeOther)
	return nil
}

func (v *visit) noPage() error { return fault.NotFoundf("There is no such page") }

func (v *visit) crossOrigin() error {
	return fault.New(fault.Forbidden, "cross_origin", "This request came from another site and was refused")
}

// fail shows an error. Only a fault's message is shown.
func (v *visit) fail(err error) {
	if errors.Is(err, errSignIn) {
		v.toSignIn()
		return
	}
	if errors.Is(err, errNoTeam) {
		v.report(v.noTeam())
		return
	}
	if errors.Is(err, context.Canceled) {
		return
	}
	f := fault.As(err)
	if f == nil {
		f = fault.New(fault.Internal, "internal", "Something went wrong on our side. If you report it, please include the request id %s", v.id)
	}
	if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
		v.Log.Error("page failed", "requestId", v.id, "route", v.route, "error", err)
	}
	v.writer.Header().Del("Content-Disposition")
	v.report(v.show(gateway.StatusOf(f), "error", headlines[f.Kind], f.Message))
}

// headlines are the titles of error pages.
var headlines = map[fault.Kind]string{
	fault.Internal:        "Something went wrong",
	fault.Invalid:         "Invalid request",
	fault.Unauthenticated: "Not signed in",
	fault.Forbidden:       "Not allowed",
	fault.NotFound:        "Not found",
	fault.Conflict:        "This action failed",
	fault.TooLarge:        "Too large",
	fault.RateLimited:     "Too many attempts",
	fault.Unavailable:     "Not available at the moment",
}

// report logs an error that can no longer be shown.
func (v *visit) report(err error) {
	if err == nil {
		return
	}
	v.Log.Error("page not shown", "requestId", v.id, "route", v.route, "error", err)
	http.Error(v.writer, "Something went wrong. If you report it, please include the request id "+v.id, http.StatusInternalServerError)
}

func (v *visit) recover() {
	if cause := recover(); cause != nil {
		if cause == http.ErrAbortHandler {
			panic(cause)
		}
		v.Log.Error("panic", "requestId", v.id, "route", v.route, "cause", cause, "stack", string(debug.Stack()))
		http.Error(v.writer, "Something went wrong. If you report it, please include the request id "+v.id, http.StatusInternalServerError)
	}
}
