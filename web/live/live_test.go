package live_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"familiar/web/live"
	"familiar/web/visitor"
	"familiar/web/webtest"
)

// store is something that changes.
type store struct {
	version        atomic.Int64
	looks, watches atomic.Int64
}

func (s *store) Version(context.Context) (int64, error) { s.looks.Add(1); return s.version.Load(), nil }
func (s *store) Close() error                           { s.watches.Add(-1); return nil }

// stream is an answer that is read while it is written. A stuck one takes nothing more after the first write.
type stream struct {
	*httptest.ResponseRecorder
	mu    sync.Mutex
	stuck bool
	open  chan struct{}
}

func (s *stream) Write(p []byte) (int, error) {
	if s.stuck {
		<-s.open
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ResponseRecorder.Write(p)
}

func (s *stream) read() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Body.String()
}

// rig is a hub on a store with pages that count how often they are written.
type rig struct {
	live.Hub
	store   store
	written atomic.Int64
}

func newRig() *rig {
	r := &rig{}
	r.Log = slog.New(slog.DiscardHandler)
	r.Watch = func(context.Context) (live.Changes, error) { r.store.watches.Add(1); return &r.store, nil }
	r.Pages = http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.written.Add(1)
		who := visitor.From(q.Context())
		if q.URL.Path == "/forbidden" {
			w.WriteHeader(http.StatusForbidden)
		}
		fmt.Fprintf(w, "<p id=\"x\">%s as %s\nat %d</p>", q.URL.Path, who.Role, r.store.version.Load())
	})
	return r
}

// open lets somebody look at a page until stop.
func (r *rig) open(t *testing.T, who visitor.Visitor, path string, stuck bool) (s *stream, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(visitor.With(t.Context(), who))
	s = &stream{ResponseRecorder: httptest.NewRecorder(), stuck: stuck, open: make(chan struct{})}
	q := httptest.NewRequestWithContext(ctx, http.MethodGet, "/live?path="+url.QueryEscape(path), nil)
	go r.ServeHTTP(s, q)
	return s, func() { cancel(); close(s.open); synctest.Wait() }
}

func TestEverybodyGetsEveryChangeOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		var streams []*stream
		var stops []func()
		for range 50 {
			s, stop := r.open(t, webtest.Operator, "/a", false)
			streams, stops = append(streams, s), append(stops, stop)
		}
		viewer, stop := r.open(t, webtest.Viewer, "/a", false)
		stops = append(stops, stop)
		_, stop = r.open(t, webtest.Operator, "/a", true) // one that never reads
		stops = append(stops, stop)
		for range 3 {
			time.Sleep(5 * time.Second)
			r.store.version.Add(1)
		}
		time.Sleep(5 * time.Second)
		for _, s := range append(streams, viewer) {
			if n := strings.Count(s.read(), "event: page\n"); n != 4 { // the first, and one for each change
				t.Fatalf("%d events in %s", n, s.read())
			}
		}
		if got := streams[0].read(); !strings.Contains(got, "data: <p id=\"x\">/a as operator\ndata: at 3</p>\n\n") {
			t.Errorf("the stream is %s", got)
		}
		if got := viewer.read(); !strings.Contains(got, "as viewer") || strings.Contains(got, "as operator") {
			t.Errorf("the viewer's stream is %s", got)
		}
		if n := r.written.Load(); n != 2*4 { // once for each role
			t.Errorf("the page was written %d times", n)
		}
		for _, stop := range stops {
			stop()
		}
		time.Sleep(2 * time.Second)
		looks := r.store.looks.Load()
		time.Sleep(time.Minute)
		if r.store.watches.Load() != 0 || r.store.looks.Load() != looks {
			t.Error("the store is watched although nobody looks")
		}
	})
}

func TestStreamsEndAndSayThatTheyAreThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		s, stop := r.open(t, webtest.Operator, "/forbidden", false)
		defer stop()
		time.Sleep(9*time.Minute - 10*time.Second) // between two signs
		if got := s.read(); strings.Contains(got, "event") || strings.Count(got, ": here") != 26 {
			t.Errorf("the stream is %s", got)
		}
		time.Sleep(2 * time.Minute)
		if r.store.watches.Load() != 0 {
			t.Error("the stream did not end")
		}
	})
}

func TestHostilePaths(t *testing.T) {
	t.Parallel()
	r := newRig()
	for _, path := range []string{"", "a", "https://evil.example/", "//evil.example/x", "/live?path=/", "/" + strings.Repeat("x", 3000), "/%zz"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/live?path="+url.QueryEscape(path), nil))
		if w.Code != http.StatusBadRequest {
			t.Errorf("%.40q is answered with %d", path, w.Code)
		}
	}
}

// TestWatchedPagesAreBounded opens more pages than are kept up to date.
func TestWatchedPagesAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		refused := 0
		for i := range 250 {
			s, stop := r.open(t, webtest.Operator, fmt.Sprintf("/%d", i), false)
			defer stop()
			synctest.Wait()
			if s.Code == http.StatusServiceUnavailable {
				refused++
			}
		}
		if refused != 50 {
			t.Errorf("%d were refused", refused)
		}
	})
}
