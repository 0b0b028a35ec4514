//go:build unix

package dashboard_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"familiar/internal/browsertest"
	"familiar/internal/lab/virtual"
	"familiar/memory/login"
	"familiar/web/webtest"
)

// manyMemories is how many memories the store of BenchmarkFirstPage has.
const manyMemories = 100_000

// painted says when the page of a tab reached what somebody waits for, in milliseconds since its navigation began: the first byte of
// the answer, the first content on the screen, everything loaded.
const painted = `new Promise((done) => {
	const look = () => {
		const [page] = performance.getEntriesByType("navigation"), paint = performance.getEntriesByName("first-contentful-paint")[0];
		if (page.loadEventEnd && paint) done([page.responseStart - page.requestStart, paint.startTime, page.loadEventEnd]);
		else setTimeout(look, 5);
	};
	look();
})`

// BenchmarkFirstPage opens pages of a home with 100,000 memories, each time as the first page of a browser that was just started with
// an empty profile (browser) or has an empty cache (cache), and reports the medians of what painted says; and what the answers alone take. What the browser takes by itself
// shows on a page with one word and nothing else.
func BenchmarkFirstPage(b *testing.B) {
	now := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	s := newSite(b, b.TempDir(), now)
	fillSite(b, s, now.AddDate(0, -4, 0))
	session := s.session(b)
	for name, path := range firstPages {
		b.Run(name+"/answer", func(b *testing.B) { s.answers(b, session, path) })
	}
	word := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><title>A word</title><link rel=icon href=data:,><p>Word")
	}))
	defer word.Close()
	for name, path := range firstPages {
		b.Run(name+"/browser", func(b *testing.B) { firstPaint(b, "", s.URL, path, session) })
		b.Run(name+"/cache", func(b *testing.B) { firstPaint(b, word.URL, s.URL, path, session) })
	}
	b.Run("word/browser", func(b *testing.B) { firstPaint(b, "", word.URL, "/", session) })
}

// firstPaint opens a page in browsers that were just started, or that have shown a page from elsewhere before, so that only their cache is
// empty.
func firstPaint(b *testing.B, elsewhere, server, path string, session *http.Cookie) {
	var answer, paint, load []float64
	for b.Loop() {
		browser := browsertest.Start(b)
		tab := browser.Tab(b)
		tab.Do(browsertest.Cookie(server, session.Name, session.Value))
		if elsewhere != "" {
			tab.Open(elsewhere)
			browsertest.Eval[[]float64](tab, painted)
		}
		tab.Open(server + path)
		took := browsertest.Eval[[]float64](tab, painted)
		answer, paint, load = append(answer, took[0]), append(paint, took[1]), append(load, took[2])
		browser.Close()
	}
	b.ReportMetric(median(answer), "server-p50-ms")
	b.ReportMetric(median(paint), "paint-p50-ms")
	b.ReportMetric(median(load), "load-p50-ms")
	b.ReportMetric(0, "ns/op")
}

// firstPages are what BenchmarkFirstPage opens, by name.
var firstPages = map[string]string{"home": "/", "memory": "/p/nell/memory", "conversations": "/p/nell/conversations"}

// answers measures how long a page takes without a browser, with the processor time that client and server use for it.
func (s *site) answers(b *testing.B, session *http.Cookie, path string) {
	var took []float64
	before := processorTime()
	for b.Loop() {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, s.URL+path, nil)
		if err != nil {
			b.Fatal(err)
		}
		r.AddCookie(session)
		started := time.Now()
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		_, err = io.Copy(io.Discard, answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK {
			b.Fatalf("%s answered %s, %v", path, answer.Status, err)
		}
		took = append(took, float64(time.Since(started).Microseconds())/1000)
	}
	b.ReportMetric(median(took), "p50-ms")
	b.ReportMetric(float64((processorTime()-before).Microseconds())/1000/float64(b.N), "cpu-ms")
	b.ReportMetric(0, "ns/op")
}

// fillSite has people say a great many things from start on.
func fillSite(b *testing.B, s *site, start time.Time) {
	const village = "village"
	engine := s.app.Engine(s.app.Settings(), virtual.NewNetwork(village))
	webtest.NewTalk(start).Fill(b, s.app.Store, s.app.Card.Key, village, manyMemories, func(ctx context.Context) error { return engine.CatchUp(ctx) })
}

// session logs an operator in and returns the cookie.
func (s *site) session(t testing.TB) *http.Cookie {
	t.Helper()
	link := s.link(t, login.Link{Role: login.Operator})
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	form := url.Values{"token": {path.Base(link)}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/login", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close() //nolint:errcheck // it has no body
	if answer.StatusCode != http.StatusSeeOther || len(answer.Cookies()) != 1 {
		t.Fatalf("the login answered %d with %d cookies", answer.StatusCode, len(answer.Cookies()))
	}
	return answer.Cookies()[0]
}

func median(all []float64) float64 { return quantile(all, 50) }
