package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	// mark occurs in every response that holds an answer.
	mark []byte
	// redacts: the provider encrypts some thoughts (see unredacted).
	redacts bool
	// limit is the most bytes read of the response, maxResponse if 0.
	limit int
	// edit, if set, changes the body of the request.
	edit func(body fields)
	// tools, if set, takes the calls of tools out of the response.
	tools func(body io.ReadCloser) *callReader

	mu         sync.Mutex
	sent       bool
	body       fields
	head       []byte
	status     int
	retryAfter time.Duration
	read       int
	tail       []byte
	ended      bool
	err        error
	reader     *callReader
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

// calls returns what reads the calls of tools, nil if there are none to read.
func (w *watch) calls() *callReader {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reader
}

// accepted reports that the provider received the whole request and did not refuse it.
func (w *watch) accepted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	refused := w.status >= 300 && w.status < 500
	return (w.sent || w.status != 0) && !refused
}

// request returns the body that was sent, nil if it was not edited.
func (w *watch) request() fields {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.body
}

// opening returns the first bytes of the response, at most maxRefusal.
func (w *watch) opening() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.head
}

// refusal reads what the provider said in place of an answer. Some servers say it in a response or a stream with status
// 200.
func (w *watch) refusal() refusal {
	w.mu.Lock()
	status, head := w.status, w.head
	w.mu.Unlock()
	if status >= http.StatusBadRequest {
		return readRefusal(head)
	}
	if isError(head) {
		return readRefusal(head)
	}
	for line := range bytes.Lines(head) {
		if line = bytes.TrimPrefix(line, []byte("data:")); isError(line) {
			return readRefusal(line)
		}
	}
	return refusal{}
}

// isError reports whether data is an object that names an error.
func isError(data []byte) bool {
	if !bytes.Contains(data, []byte(`"error"`)) {
		return false
	}
	said := nested(data)["error"]
	return len(said) > len(`""`) && string(said) != "null" && string(said) != "false"
}

// onData records received bytes. The end of a stream may be split across two reads.
func (w *watch) onData(b []byte) error {
	if w.onActivity != nil {
		w.onActivity()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.head = append(w.head, b[:min(len(b), maxRefusal-len(w.head))]...)
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
	r, err := w.rewrite(r)
	if err != nil {
		return nil, err
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
	switch {
	case response.StatusCode >= http.StatusBadRequest:
		readAhead(response)
	case w.tools != nil:
		reader := w.tools(response.Body)
		w.mu.Lock()
		w.reader = reader
		w.mu.Unlock()
		response.Body = reader // the calls need the thoughts that are taken out next
	}
	if w.redacts {
		response.Body = &unredacted{ReadCloser: response.Body}
	}
	return response, nil
}

// readAhead reads the body of a refusal, which langchaingo may not: the watch then knows it whatever form it has.
func readAhead(response *http.Response) {
	read, err := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
	rest := io.MultiReader(bytes.NewReader(read), response.Body)
	if err != nil {
		rest = bytes.NewReader(read) // the watch has recorded the failure
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{rest, response.Body}
}

// rewrite returns the request with the edited body.
func (w *watch) rewrite(r *http.Request) (*http.Request, error) {
	if w.edit == nil || r.Body == nil {
		return r, nil
	}
	raw, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	var body fields
	if json.Unmarshal(raw, &body) == nil {
		w.edit(body)
		raw = encoded(body)
		w.mu.Lock()
		w.body = body
		w.mu.Unlock()
	}
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
	return r, nil
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
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 { // OpenAI's, more precise
		return time.Duration(min(ms, secondsADay*1000)) * time.Millisecond
	}
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(0, min(seconds, secondsADay))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
