// Package searchtest is a search engine in loopback that speaks the protocols of all engines and keeps what it was asked.
package searchtest

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
)

// Key is the key that the engine accepts.
const Key = "key-7f3a9c"

// Page is what the engine finds.
type Page struct{ Title, Address, Excerpt string }

// Server is the engine. Set its fields before it is asked.
type Server struct {
	*httptest.Server
	// Pages are found for every query.
	Pages []Page
	// Status answers every request, 0 for a good answer. Body replaces the answer, "" for a good one.
	Status int
	Body   string

	mu      sync.Mutex
	queries []string
}

// New starts an engine until the test ends.
func New(t testing.TB, pages ...Page) *Server {
	t.Helper()
	s := &Server{Pages: pages}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /search", s.searxng)
	mux.HandleFunc("GET /res/v1/web/search", s.brave)
	mux.HandleFunc("POST /search", s.tavily)
	mux.HandleFunc("POST /lite/", s.lite)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// Queries returns what was asked, in order.
func (s *Server) Queries() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.queries...)
}

// asked records a query and reports whether the answer is replaced.
func (s *Server) asked(w http.ResponseWriter, query string) bool {
	s.mu.Lock()
	s.queries = append(s.queries, query)
	s.mu.Unlock()
	if s.Status != 0 {
		w.WriteHeader(s.Status)
	}
	if s.Body != "" {
		_, _ = w.Write([]byte(s.Body))
	}
	return s.Status != 0 || s.Body != ""
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

func (s *Server) results(title, address, excerpt string) (all []map[string]any) {
	for _, p := range s.Pages {
		all = append(all, map[string]any{title: p.Title, address: p.Address, excerpt: p.Excerpt})
	}
	return all
}

func (s *Server) searxng(w http.ResponseWriter, r *http.Request) {
	if s.asked(w, r.URL.Query().Get("q")) {
		return
	}
	if r.URL.Query().Get("format") != "json" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	answer(w, map[string]any{"query": r.URL.Query().Get("q"), "results": s.results("title", "url", "content"), "unresponsive_engines": []any{}})
}

func (s *Server) brave(w http.ResponseWriter, r *http.Request) {
	if s.asked(w, r.URL.Query().Get("q")) {
		return
	}
	if r.Header.Get("X-Subscription-Token") != Key {
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	answer(w, map[string]any{"type": "search", "web": map[string]any{"results": s.results("title", "url", "description")}})
}

func (s *Server) tavily(w http.ResponseWriter, r *http.Request) {
	var ask struct {
		Query string `json:"query"`
	}
	_ = json.NewDecoder(r.Body).Decode(&ask)
	if s.asked(w, ask.Query) {
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+Key {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	answer(w, map[string]any{"query": ask.Query, "results": s.results("title", "url", "content")})
}

func (s *Server) lite(w http.ResponseWriter, r *http.Request) {
	if s.asked(w, r.PostFormValue("q")) {
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<html><body><form action="/lite/" method="post"><input name="q" value="%s"></form><table>
		<tr class="result-sponsored"><td><a class="result-link" href="https://duckduckgo.com/y.js?ad_domain=shop.test">Buy it</a></td></tr>`, html.EscapeString(r.PostFormValue("q")))
	for i, p := range s.Pages {
		through := "//duckduckgo.com/l/?uddg=" + url.QueryEscape(p.Address) + "&amp;rut=abc"
		fmt.Fprintf(w, `<tr><td>%d.</td><td><a rel="nofollow" href="%s" class='result-link'>%s</a></td></tr>
			<tr><td></td><td class='result-snippet'>%s</td></tr><tr><td></td><td><span class='link-text'>x</span></td></tr>`,
			i+1, through, html.EscapeString(p.Title), html.EscapeString(p.Excerpt))
	}
	fmt.Fprint(w, `</table></body></html>`)
}
