package llmtest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Describes serves what a provider tells of its models: a body for each path, 404 for any other. Chat requests go to
// answer.
type Describes struct {
	*httptest.Server

	mu    sync.Mutex
	asked []*http.Request
	chat  *Server
}

// Describe starts a Describes. A path may begin with a method: "POST /api/show".
func Describe(t testing.TB, answer Answer, bodies map[string]string) *Describes {
	t.Helper()
	d := &Describes{chat: Serve(t, answer)}
	mux := http.NewServeMux()
	for path, body := range bodies {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			d.mu.Lock()
			d.asked = append(d.asked, r.Clone(r.Context()))
			d.mu.Unlock()
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(body)) // the test sees what is missing
		})
	}
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/show") {
			http.NotFound(w, r)
			return
		}
		d.chat.handle(w, r)
	})
	d.Server = httptest.NewServer(mux)
	t.Cleanup(d.Close)
	return d
}

// Asked returns the requests for descriptions, in order.
func (d *Describes) Asked() []*http.Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]*http.Request(nil), d.asked...)
}

// Requests returns the requests for answers, in order.
func (d *Describes) Requests() []*Request { return d.chat.Requests() }

// ChatServer returns the server behind answers, for tests that take one.
func (d *Describes) ChatServer() *Server { return d.chat }
