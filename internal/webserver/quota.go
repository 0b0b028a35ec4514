package webserver

import (
	"net/http"
	"strings"
	"sync"
)

// How many requests run at a time, streams among them: with one token, so that a program does not keep the others out, and from one
// browser, which needs one for each page that it shows and a few more.
const (
	maxPerToken   = maxConnections / 4
	maxPerBrowser = maxConnections / 16
)

// quotas counts the running requests of each token, valid or not, and of each browser.
type quotas struct {
	mu      sync.Mutex
	running map[caller]int
}

// caller is whose request counts together: those with one token, or those with the same cookies.
type caller struct{ token, cookies string }

func (c caller) max() int {
	if c.token == "" && c.cookies != "" {
		return maxPerBrowser
	}
	return maxPerToken
}

func newQuotas() *quotas { return &quotas{running: make(map[caller]int)} }

// limit returns a handler that refuses the requests of a program or browser that has too many.
func (q *quotas) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := caller{token: r.Header.Get("Authorization")}
		if c.token == "" {
			c.cookies = strings.Join(r.Header["Cookie"], ";")
		}
		if !q.begin(c) {
			w.Header().Set("Retry-After", retryAfter)
			http.Error(w, "too many requests of this program run at once: ask again when some have ended", http.StatusTooManyRequests)
			return
		}
		defer q.end(c)
		next.ServeHTTP(w, r)
	})
}

func (q *quotas) begin(c caller) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running[c] >= c.max() {
		return false
	}
	q.running[c]++
	return true
}

func (q *quotas) end(c caller) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running[c]--; q.running[c] == 0 {
		delete(q.running, c)
	}
}
