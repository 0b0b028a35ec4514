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

// watch records what happened on the wire in one attempt: langchaingo turns statuses, headers and broken connections
// into text.
type watch struct {
	// end is the content of the last piece of a complete stream. onActivity, if set, is called when bytes arrive.
	end        []byte
	onActivity func()
	// limit is the most bytes read of the response, maxResponse if 0.
	limit int

	mu         sync.Mutex
	sent       bool
	status     int
	retryAfter time.Duration
	read       int
	tail       []byte
	ended      bool
	err        error
}

// errTooLong reports that a response exceeded the limit.
var errTooLong = errors.New("the response is larger than any valid answer")

type watchKey struct{}

func withWatch(ctx context.Context, w *watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

// fail records the first failure on the wire.
func (w *watch) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
}

// failure returns the recorded failure, or nil.
func (w *watch) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// complete reports whether the end of the stream was seen.
func (w *watch) complete() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ended
}

// response returns the status and the requested wait, 0 if there was none.
func (w *watch) response() (status int, retryAfter time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status, w.retryAfter
}

// accepted reports that the provider received the whole request and did not refuse it.
func (w *watch) accepted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	refused := w.status >= 300 && w.status < 500
	return (w.sent || w.status != 0) && !refused
}

// onData records received bytes. The end of a stream may be split across two reads.
func (w *watch) onData(b []byte) error {
	if w.onActivity != nil {
		w.onActivity()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tail = append(w.tail, b...)
	w.ended = w.ended || bytes.Contains(w.tail, w.end)
	w.tail = append(w.tail[:0], w.tail[max(0, len(w.tail)-len(w.end)):]...)
	if w.read += len(b); w.read > cmp.Or(w.limit, maxResponse) {
		w.err = errTooLong
		return errTooLong
	}
	return nil
}

// watchedTransport is a RoundTripper that reports to an attempt's watch.
type watchedTransport struct {
	next http.RoundTripper
	now  func() time.Time
}

// watchedClient returns a copy of client that is watched and follows no redirects.
func watchedClient(client *http.Client, now func() time.Time) *http.Client {
	var c http.Client
	if client != nil {
		c = *client
	}
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	c.Transport = watchedTransport{next: c.Transport, now: now}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

// RoundTrip implements http.RoundTripper.
func (t watchedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
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
		w.fail(err)
		return nil, err
	}
	w.mu.Lock()
	w.status, w.retryAfter = response.StatusCode, retryAfter(response.Header, t.now())
	w.mu.Unlock()
	response.Body = &watchedBody{body: response.Body, watch: w}
	return response, nil
}

// watchedBody is a response body that is limited and watched.
type watchedBody struct {
	body  io.ReadCloser
	watch *watch

	mu     sync.Mutex
	closed bool
}

// Read reads from the body. After Close it returns io.EOF rather than an error: a provider's reader that outlives its
// call would wait forever to report the error.
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	b.mu.Lock()
	closed := b.closed
	b.mu.Unlock()
	if closed {
		return 0, io.EOF
	}
	if n > 0 {
		if tooLong := b.watch.onData(p[:n]); tooLong != nil {
			return 0, tooLong
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.watch.fail(err)
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

// secondsADay is the longest wait distinguished from longer ones.
const secondsADay = 24 * 60 * 60

// retryAfter parses the header of RFC 9110, section 10.2.3: seconds or a date. It returns 0 if the header is missing,
// invalid or in the past.
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
