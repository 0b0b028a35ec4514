// Package drain reads what a handler left unread of a request, so that the client sees the answer. Many clients send a
// whole request before they read: a server that answers and closes the connection meanwhile resets it, and they see that.
package drain

import (
	"io"
	"net/http"
)

// Handler returns a handler that calls next and then reads up to most bytes of what is left of the body, within the
// connection's deadlines. A body that is declared longer is not read, nor is one that the client only sends if it is
// asked to.
func Handler(next http.Handler, most int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body // next may be given a limited one, which refuses the rest
		next.ServeHTTP(w, r)
		if r.ContentLength <= most && r.Header.Get("Expect") == "" {
			_, _ = io.CopyN(io.Discard, body, most) // the handler has answered; the server notices a broken connection
		}
	})
}
