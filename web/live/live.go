// Package live keeps pages up to date while somebody looks at them, with server-sent events. The store is asked once a second
// whether anything changed, for all who look and only while somebody does; each page is then written once for all who look at it,
// and sent if it differs from what they have.
package live

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"familiar/web/layout"
	"familiar/web/visitor"
)

const (
	// every is how often the store is asked for changes, and so the least time between two updates of a page.
	every = time.Second
	// alive is how often a quiet stream says that it is there, so that proxies keep it.
	alive = 20 * time.Second
	// maxAge ends a stream, so that a session that ended does not see updates for longer. The browser connects again.
	maxAge = 10 * time.Minute
	// maxPath is the longest address of a page, in bytes.
	maxPath = 2 << 10
	// maxFeeds is how many different pages are kept up to date at a time.
	maxFeeds = 200
)

// Hub writes live updates. Its fields do not change once it serves.
type Hub struct {
	// Watch returns what tells whether the store changed. It is open while somebody looks.
	Watch func(ctx context.Context) (Changes, error)
	// Pages answers requests for pages.
	Pages http.Handler
	Log   *slog.Logger

	mu    sync.Mutex
	feeds map[feedKey]*feed
	stop  context.CancelFunc // of the loop, nil while nobody looks
}

// Changes tells whether the store changed.
type Changes interface {
	// Version returns a number that differs from the one before if anything changed.
	Version(ctx context.Context) (int64, error)
	Close() error
}

// feedKey says what a feed shows: who may see it is part of it.
type feedKey struct {
	path    string
	role    visitor.Role
	persona string
	person  int64
}

// feed is one page as everybody who looks at it has it.
type feed struct {
	viewers map[chan []byte]struct{}
	last    [sha256.Size]byte
}

// ServeHTTP streams the updates of the page that the query names.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who := visitor.From(r.Context())
	path := r.URL.Query().Get("path")
	if u, err := url.Parse(path); err != nil || len(path) > maxPath || !strings.HasPrefix(path, "/") || u.Host != "" || strings.HasPrefix(path, "/live") {
		http.Error(w, "name the path of a page", http.StatusBadRequest)
		return
	}
	news, leave, ok := h.join(feedKey{path, who.Role, who.Persona, who.PersonID})
	if !ok {
		w.Header().Set("Retry-After", "30")
		http.Error(w, "too many pages are being watched", http.StatusServiceUnavailable)
		return
	}
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	send := func(event string) bool {
		_, err := fmt.Fprint(w, event)
		return err == nil && out.Flush() == nil
	}
	if !send("retry: 3000\n\n") {
		return
	}
	ping, end := time.NewTicker(alive), time.NewTimer(maxAge)
	defer ping.Stop()
	defer end.Stop()
	for {
		sent := true
		select {
		case <-r.Context().Done():
			return
		case <-end.C:
			return
		case <-ping.C:
			sent = send(": here\n\n")
		case page, open := <-news:
			if !open {
				return
			}
			sent = send(event(page))
		}
		if !sent {
			return
		}
	}
}

// event returns a page as one event.
func event(page []byte) string {
	var b strings.Builder
	b.WriteString("event: page\n")
	for line := range strings.Lines(string(page)) {
		b.WriteString("data: " + strings.TrimRight(line, "\r\n") + "\n")
	}
	return b.String() + "\n"
}

// join adds a viewer. A viewer that does not read misses updates instead of holding up the others.
func (h *Hub) join(key feedKey) (news chan []byte, leave func(), ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.feeds == nil {
		h.feeds = map[feedKey]*feed{}
	}
	f := h.feeds[key]
	if f == nil {
		if len(h.feeds) >= maxFeeds {
			return nil, nil, false
		}
		f = &feed{viewers: map[chan []byte]struct{}{}}
		h.feeds[key] = f
	}
	news = make(chan []byte, 1)
	f.viewers[news] = struct{}{}
	if h.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		h.stop = stop
		go h.run(ctx)
	}
	return news, func() { h.leave(key, news) }, true
}

func (h *Hub) leave(key feedKey, news chan []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.feeds[key]
	delete(f.viewers, news)
	if len(f.viewers) == 0 {
		delete(h.feeds, key)
	}
	if len(h.feeds) == 0 && h.stop != nil {
		h.stop()
		h.stop = nil
	}
}

// run asks for changes until ctx ends.
func (h *Hub) run(ctx context.Context) {
	changes, err := h.Watch(ctx)
	if err != nil {
		h.Log.Warn("pages are not kept up to date", "error", err)
		return
	}
	defer func() {
		if err := changes.Close(); err != nil {
			h.Log.Warn("stop watching the store", "error", err)
		}
	}()
	tick := time.NewTicker(every)
	defer tick.Stop()
	last := int64(-1)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := changes.Version(ctx)
		if err != nil {
			if ctx.Err() == nil {
				h.Log.Warn("ask the store for changes", "error", err)
			}
			continue
		}
		changed := now != last
		last = now
		for _, key := range h.due(changed) {
			h.publish(key, h.render(ctx, key))
		}
	}
}

// due returns the pages to write anew: all after a change, otherwise those that are watched since the last look, because
// something may have changed between the page and its stream.
func (h *Hub) due(changed bool) (keys []feedKey) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, f := range h.feeds {
		if changed || f.last == ([sha256.Size]byte{}) {
			keys = append(keys, key)
		}
	}
	return keys
}

// render returns the live parts of a page, nil if it cannot be shown now.
func (h *Hub) render(ctx context.Context, key feedKey) []byte {
	ctx = layout.OnlyLive(visitor.With(ctx, visitor.Visitor{Role: key.role, Persona: key.persona, PersonID: key.person}))
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, key.path, nil)
	if err != nil {
		return nil
	}
	var page recorder
	h.Pages.ServeHTTP(&page, r)
	if page.status >= http.StatusMultipleChoices {
		return nil
	}
	return page.body.Bytes()
}

// publish sends a page to those who have another version of it.
func (h *Hub) publish(key feedKey, page []byte) {
	if len(page) == 0 {
		return
	}
	sum := sha256.Sum256(page)
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.feeds[key]
	if f == nil || f.last == sum {
		return
	}
	f.last = sum
	for news := range f.viewers {
		select {
		case <-news: // an update that was not read yet is outdated
		default:
		}
		news <- page
	}
}

// recorder keeps what a page answered.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *recorder) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write implements http.ResponseWriter.
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }
