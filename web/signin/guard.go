package signin

import (
	"context"
	"crypto/hmac"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"familiar/memory/login"
	"familiar/web/assets"
	"familiar/web/visitor"
)

// ServeHTTP checks a request and answers it: with headers that confine the page, for the own pages only, for a session, and for a
// change with the session's token.
func (g *Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	confine(w.Header())
	if !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, r.Method) {
		w.Header().Set("Allow", "GET, HEAD, POST")
		g.refuse(w, r, http.StatusMethodNotAllowed, refusal{Title: "That is not done here"})
		return
	}
	if g.own.Check(r) != nil {
		g.refuse(w, r, http.StatusForbidden, foreignPage())
		return
	}
	switch token, isLink := strings.CutPrefix(r.URL.Path, loginPath+"/"); {
	case strings.HasPrefix(r.URL.Path, assets.Prefix):
		g.pages.ServeHTTP(w, r)
	case isLink && r.Method != http.MethodPost:
		g.offer(w, r, token)
	case r.URL.Path == loginPath && r.Method != http.MethodPost:
		g.write(w, r, http.StatusOK, "Sign in", refusalPage(g.notSignedIn("")))
	case r.URL.Path == loginPath:
		g.logIn(w, r)
	default:
		g.admit(w, r)
	}
}

// admit answers the request of a browser that is logged in.
func (g *Guard) admit(w http.ResponseWriter, r *http.Request) {
	session, token, err := g.session(r)
	switch {
	case errors.Is(err, login.ErrSession):
		again := ""
		if r.Method != http.MethodPost {
			again = r.URL.RequestURI()
		}
		g.refuse(w, r, http.StatusUnauthorized, g.notSignedIn(again))
		return
	case err != nil:
		g.fail(w, r, "look up the session of a browser", err)
		return
	}
	ctx, end := context.WithCancel(visitor.With(r.Context(), visitorOf(session, token)))
	defer end()
	go g.endWith(ctx, end, token)
	r = r.WithContext(ctx)
	if r.Method == http.MethodPost && !g.mayPost(w, r, session) {
		return
	}
	if slices.Contains(logoutPaths, r.URL.Path) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			g.refuse(w, r, http.StatusMethodNotAllowed, refusal{Title: "Use the button to sign out"})
			return
		}
		g.logOut(w, r, session)
		return
	}
	g.pages.ServeHTTP(w, r)
}

// harmless is what a viewer may post: it changes nothing that others see.
var harmless = append([]string{"/theme"}, logoutPaths...)

// mayPost reports whether a session may make a change with a request. It has answered otherwise.
func (g *Guard) mayPost(w http.ResponseWriter, r *http.Request, s login.Session) bool {
	if s.Role == login.Viewer && !slices.Contains(harmless, r.URL.Path) {
		g.refuse(w, r, http.StatusForbidden, onlyViews())
		return false
	}
	sent, err := formToken(r)
	if long, ok := errors.AsType[*http.MaxBytesError](err); ok {
		g.refuse(w, r, http.StatusRequestEntityTooLarge, tooLong(long.Limit))
		return false
	}
	if err != nil || !hmac.Equal([]byte(sent), []byte(visitor.From(r.Context()).CSRF)) {
		g.refuse(w, r, http.StatusForbidden, foreignPage())
		return false
	}
	return true
}

// formMemory is how much of an upload is kept in memory, in bytes. The rest is in a temporary file while the request lasts.
const formMemory = 1 << 20

// formToken returns the token that a form, or a script of the page, sent with a request.
func formToken(r *http.Request) (string, error) {
	if sent := r.Header.Get("X-CSRF-Token"); sent != "" {
		return sent, nil
	}
	if err := r.ParseForm(); err != nil {
		return "", err
	}
	if err := r.ParseMultipartForm(formMemory); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return "", err
	}
	return r.PostForm.Get("csrf"), nil
}

// lookAgain is how long a stream may outlive its session.
const lookAgain = 15 * time.Second

// endWith ends a request that lasts, such as a stream, when its session ends.
func (g *Guard) endWith(ctx context.Context, end context.CancelFunc, token string) {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if _, err := g.Logins.Session(ctx, token); errors.Is(err, login.ErrSession) {
			end()
			return
		}
	}
}

// headers keep a page from loading, sending or showing anything elsewhere, whatever somebody got into it.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
	"Cache-Control":                "no-store",
}

// confine sets the headers. Pages of http.origins may read what programs are answered, but nothing of the dashboard.
func confine(h http.Header) {
	for name, value := range headers {
		h.Set(name, value)
	}
	for name := range h {
		if strings.HasPrefix(name, "Access-Control-") {
			h.Del(name)
		}
	}
}
