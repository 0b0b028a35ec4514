package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync"
	"time"
)

// watch is what the wire showed of one attempt: langchaingo turns statuses, headers and broken connections into text.
type watch struct {
	// end is what the last piece of a complete stream holds. heard, when set, is called whenever bytes arrive.
	end   []byte
	heard func()
	// most is the most bytes read of the response, maxResponse when 0.
	most int

	mu         sync.Mutex
	sent       bool
	status     int
	retryAfter time.Duration
	read       int
	tail       []byte
	ended      bool
	err        error
}

// errTooLong says that a response passed the most that is read of one.
var errTooLong = errors.New("the response is larger than any answer")

type watchKey struct{}

func withWatch(ctx context.Context, w *watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

// note keeps the first thing that went wrong on the wire.
func (w *watch) note(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
}

// broken is what went wrong on the wire, nil when nothing did.
func (w *watch) broken() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// complete says that the stream's end was seen.
func (w *watch) complete() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended
}

// response is the status and the wait the provider asked for, 0 when there was none.
func (w *watch) response() (status int, retryAfter time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status, w.retryAfter
}

// taken says that the provider got the whole request and did not refuse it.
func (w *watch) taken() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	refused := w.status >= 300 && w.status < 500
	return (w.sent || w.status != 0) && !refused
}

// took notes bytes that arrived. The end of a stream may be split over two reads.
func (w *watch) took(b []byte) error {
	if w.heard != nil {
		w.heard()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tail = append(w.tail, b...)
	w.ended = w.ended || bytes.Contains(w.tail, w.end)
	w.tail = append(w.tail[:0], w.tail[max(0, len(w.tail)-len(w.end)):]...)
	if w.read += len(b); w.read > cmp.Or(w.most, maxResponse) {
		w.err = errTooLong
		return errTooLong
	}
	return nil
}

// watched is a RoundTripper that tells an attempt's watch what it sees.
type watched struct {
	next http.RoundTripper
	now  func() time.Time
}

// watchedClient is a copy of client that is watched and follows no redirect.
func watchedClient(client *http.Client, now func() time.Time) *http.Client {
	var c http.Client
	if client != nil {
		c = *client
	}
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	c.Transport = watched{next: c.Transport, now: now}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

// RoundTrip implements http.RoundTripper.
func (t watched) RoundTrip(r *http.Request) (*http.Response, error) {
	w, ok := r.Context().Value(watchKey{}).(*watch)
	if !ok {
		return t.next.RoundTrip(r)
	}
	trace := &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.sent = w.sent || info.Err == nil
	}}
	response, err := t.next.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
	if err != nil {
		w.note(err)
		return nil, err
	}
	w.mu.Lock()
	w.status, w.retryAfter = response.StatusCode, retryAfter(response.Header, t.now())
	w.mu.Unlock()
	response.Body = &watchedBody{body: response.Body, watch: w}
	return response, nil
}

// watchedBody is a response's body, bounded and watched.
type watchedBody struct {
	body  io.ReadCloser
	watch *watch

	mu     sync.Mutex
	closed bool
}

// Read reads on. Once closed the body is at its end rather than broken: a provider's reader that outlives its call
// would report the error to nobody and wait for ever.
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.mu.Lock()
	closed := b.closed
	b.mu.Unlock()
	if closed {
		return 0, io.EOF
	}
	if n > 0 {
		if tooLong := b.watch.took(p[:n]); tooLong != nil {
			return 0, tooLong
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.watch.note(err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *watchedBody) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	return b.body.Close()
}

// secondsADay is the longest wait that is told apart from a longer one.
const secondsADay = 24 * 60 * 60

// retryAfter reads the header of RFC 9110, section 10.2.3: seconds or a date. It is 0 when there is none, when it
// cannot be read and when it is over.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(0, min(seconds, secondsADay))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
