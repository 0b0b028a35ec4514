package webserver

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"familiar/memory/access"
)

// Bearer knows who may ask.
type Bearer struct {
	// Authenticate returns the grant of a token, access.ErrRefused for an invalid one.
	Authenticate func(ctx context.Context, token string) (access.Grant, error)
	Log          *slog.Logger
}

// retryAfter is when a token that could not be checked may be sent again, in seconds.
const retryAfter = "5"

// Grant returns the grant of the token in a request's Authorization header. If there is none, it returns the HTTP status and
// the error to answer with; headers for it are set on w.
func (b Bearer) Grant(w http.ResponseWriter, r *http.Request) (g access.Grant, status int, err error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		w.Header().Set("WWW-Authenticate", `Bearer realm="familiar"`)
		return g, http.StatusUnauthorized, errors.New("send a token in the header Authorization: Bearer …; `familiar token create` makes one")
	}
	g, err = b.Authenticate(r.Context(), strings.TrimSpace(token))
	switch {
	case errors.Is(err, access.ErrRefused):
		w.Header().Set("WWW-Authenticate", `Bearer realm="familiar", error="invalid_token"`)
		return g, http.StatusUnauthorized, err
	case err != nil:
		b.Log.Warn("check the token of a request", "error", err)
		w.Header().Set("Retry-After", retryAfter)
		return g, http.StatusServiceUnavailable, errors.New("the token could not be checked: ask again")
	}
	return g, http.StatusOK, nil
}

// Require returns a handler that calls next with the grant of the request's token, and answers others with plain text.
func (b Bearer) Require(next func(w http.ResponseWriter, r *http.Request, g access.Grant)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g, status, err := b.Grant(w, r)
		if err != nil {
			http.Error(w, err.Error(), status)
			return
		}
		next(w, r, g)
	})
}
