package signin

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net"
	"net/http"
	"strings"

	"familiar/memory/login"
)

// cookieName returns the name of the cookie that has the token of the session: one for the dashboard, and another for a person's own
// pages, so that a browser keeps both. Browsers take the prefix __Host- only for a cookie
// that is sent encrypted and to this host alone. Without encryption the name has the port, because cookies of one host are for all
// of its ports, and there may be a dashboard at each.
func (g *Guard) cookieName(r *http.Request, own bool) string {
	name := "familiar"
	if own {
		name += "-me"
	}
	if g.secure {
		return "__Host-" + name
	}
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return name + "-" + port
	}
	return name
}

// cookie returns the token that a request has in its cookie, "" for none, and whether it has such a cookie at all. With several of the
// name, somebody else set one: none counts.
func (g *Guard) cookie(r *http.Request, own bool) (token string, sent bool) {
	found := r.CookiesNamed(g.cookieName(r, own))
	if len(found) == 1 {
		token = found[0].Value
	}
	return token, len(found) > 0
}

// session returns the session of a request and its token: that of the pages which are asked for, the other one if the browser has
// only that. A token counts only in the cookie of its role, so that neither opens what is the other's.
func (g *Guard) session(r *http.Request) (s login.Session, token string, err error) {
	own := r.URL.Path == ownPath || strings.HasPrefix(r.URL.Path, ownPath+"/")
	token, sent := g.cookie(r, own)
	if !sent {
		own = !own
		token, _ = g.cookie(r, own)
	}
	s, err = g.Logins.Session(r.Context(), token)
	if err == nil && isOwn(s) != own {
		err = login.ErrSession
	}
	return s, token, err
}

// isOwn reports whether a session is for the pages of a person about themselves.
func isOwn(s login.Session) bool { return s.Role == login.Person }

// setCookie gives the browser the token of a session, and takes it with "".
func (g *Guard) setCookie(w http.ResponseWriter, r *http.Request, token string, s login.Session) {
	c := &http.Cookie{
		Name: g.cookieName(r, isOwn(s)), Value: token, Path: "/", MaxAge: -1,
		HttpOnly: true, Secure: g.secure, SameSite: http.SameSiteStrictMode,
	}
	if token != "" {
		c.MaxAge = int(s.Expires.Sub(g.Now()).Seconds())
	}
	http.SetCookie(w, c)
}

// csrf returns the token for the forms of the session with a token. Nobody can make one without the other.
func csrf(token string) string {
	h := hmac.New(sha256.New, []byte(token))
	h.Write([]byte("familiar: forms of the dashboard"))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
