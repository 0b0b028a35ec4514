// Package signin lets browsers in to the dashboard: a one-time link logs one in, a cookie has its session, and every request is
// checked before a page sees it. What all requests have to fulfil is in guard.go, the pages are in pages.templ.
package signin

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"familiar/memory/login"
	"familiar/web/layout"
	"familiar/web/visitor"
)

// Options are what a Guard needs.
type Options struct {
	Logins *login.Store
	// Address is the address under which browsers reach the dashboard through a proxy, such as https://familiar.example.org, "" for
	// none.
	Address string
	// Random is the source of sessions' tokens.
	Random io.Reader
	Now    func() time.Time
	Log    *slog.Logger
}

// Guard answers the requests of browsers that are logged in with the pages of the dashboard, and lets others log in.
type Guard struct {
	Options
	pages  http.Handler
	shell  *layout.Shell
	own    *http.CrossOriginProtection
	tries  *tries
	secure bool
}

// New returns a Guard before pages.
func New(o Options, pages http.Handler) (*Guard, error) {
	g := &Guard{Options: o, pages: pages, own: http.NewCrossOriginProtection(), tries: newTries(o.Now)}
	if o.Address != "" {
		if err := g.own.AddTrustedOrigin(o.Address); err != nil {
			return nil, err
		}
	}
	g.secure = strings.HasPrefix(o.Address, "https://")
	g.shell = &layout.Shell{Personas: func() []layout.Persona { return nil }, Now: o.Now, Log: o.Log}
	return g, nil
}

// The addresses of what the guard answers itself.
const (
	loginPath = "/login"
	// ownPath is where the pages of people about themselves begin.
	ownPath = "/me"
)

// logoutPaths are where the session of the dashboard ends, and that of a person's own pages.
var logoutPaths = []string{"/logout", ownPath + "/logout"}

// Path returns the path of the link with a token. What has it in its log or history can use it once.
func Path(token string) string { return loginPath + "/" + url.PathEscape(token) }

// maxLogin is how long the form may be that logs in, in bytes, and maxToken how long the token in a link.
const (
	maxLogin = 4 << 10
	maxToken = 200
)

// offer answers GET /login/TOKEN: with a button, because chat networks open links to show what is behind them, and because a
// cookie that is SameSite=Strict needs a request from a page of this site.
func (g *Guard) offer(w http.ResponseWriter, r *http.Request, token string) {
	if len(token) > maxToken || strings.ContainsRune(token, '/') {
		g.refuse(w, r, http.StatusNotFound, wrongLink())
		return
	}
	g.write(w, r, http.StatusOK, "Sign in", offerPage(token))
}

// logIn answers POST /login.
func (g *Guard) logIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxLogin)
	token, session, err := g.Logins.Redeem(r.Context(), g.Random, r.PostFormValue("token"), r.UserAgent())
	switch {
	case errors.Is(err, login.ErrLink):
		g.wrongToken(w, r)
		return
	case err != nil:
		g.fail(w, r, "log a browser in", err)
		return
	}
	was, _ := g.cookie(r, isOwn(session))
	if old, err := g.Logins.Session(r.Context(), was); err == nil { // its cookie is replaced
		_, err = g.Logins.End(r.Context(), old.ID)
		g.note("end the session that another one replaces", err)
	}
	g.setCookie(w, r, token, session)
	g.Log.Info("a browser was logged in to the dashboard", "session", session.ID, "role", string(session.Role))
	first := "/"
	if isOwn(session) {
		first = ownPath
	}
	http.Redirect(w, r, first, http.StatusSeeOther)
}

// wrongToken answers a login with a token that is not valid. A valid one is never refused for the wrong ones of others: nobody can
// lock an operator out, and nobody guesses 256 bits.
func (g *Guard) wrongToken(w http.ResponseWriter, r *http.Request) {
	if wait := g.tries.note(r.RemoteAddr); wait > 0 {
		setRetryAfter(w, wait)
		g.refuse(w, r, http.StatusTooManyRequests, tooMany())
		return
	}
	g.refuse(w, r, http.StatusUnauthorized, wrongLink())
}

// logOut answers POST /logout.
func (g *Guard) logOut(w http.ResponseWriter, r *http.Request, s login.Session) {
	if _, err := g.Logins.End(r.Context(), s.ID); err != nil {
		g.fail(w, r, "end the session of a browser", err)
		return
	}
	g.setCookie(w, r, "", s)
	http.Redirect(w, r, loginPath, http.StatusSeeOther)
}

// roles are the roles of visitors by those of sessions.
var roles = map[login.Role]visitor.Role{login.Operator: visitor.Operator, login.Viewer: visitor.Viewer, login.Person: visitor.Person}

// visitorOf returns who looks with a session whose token is given.
func visitorOf(s login.Session, token string) visitor.Visitor {
	return visitor.Visitor{Role: roles[s.Role], Persona: s.Persona, PersonID: s.PersonID, CSRF: csrf(token)}
}

// write answers with a page.
func (g *Guard) write(w http.ResponseWriter, r *http.Request, status int, title string, body templ.Component) {
	if err := g.shell.WriteAs(w, r, status, layout.Page{Title: title, Section: layout.Own, Body: body}); err != nil {
		g.Log.Error("show a page of the dashboard", "error", err)
		http.Error(w, title, http.StatusInternalServerError)
	}
}

// refusal is a page that says why a request is refused and what to do.
type refusal struct {
	Title string
	Help  []string
	// Again offers the page that was asked for once more.
	Again string
}

func (g *Guard) refuse(w http.ResponseWriter, r *http.Request, status int, why refusal) {
	g.write(w, r, status, why.Title, refusalPage(why))
}

// fail answers a request that could not be checked.
func (g *Guard) fail(w http.ResponseWriter, r *http.Request, what string, err error) {
	if r.Context().Err() != nil {
		return // nobody waits for it
	}
	g.note(what, err)
	w.Header().Set("Retry-After", "5")
	g.refuse(w, r, http.StatusServiceUnavailable, refusal{Title: "Try again in a moment", Help: []string{"The memory could not be asked. Nothing was changed. The log of familiar says more."}})
}

func (g *Guard) note(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		g.Log.Warn(what, "error", err)
	}
}
