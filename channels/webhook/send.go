package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
)

const (
	// answerTimeout limits the time for the receiver's answer.
	answerTimeout = 15 * time.Second
	// sendGrace is how long a request may continue after its context ends. Cancelled at once, its outcome would be unknown.
	sendGrace = 3 * time.Second
	// maxText is the maximum length of a chunk in bytes, which keeps requests small.
	maxText = 16_000
	// maxAnswer limits how much of an answer is read, in bytes.
	maxAnswer = 4 << 10
)

// Limits returns the limits of a chunk. Receivers show each id once, so sending is idempotent.
func (c *Channel) Limits() channels.Limits {
	return channels.Limits{Text: maxText, Unit: channels.Bytes, Idempotent: true}
}

// newClient returns a client that follows no redirects: another server does not have the key.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Send posts one chunk. The receiver may answer with its own id of the message, {"id": "…"}; otherwise the key is the id.
func (c *Channel) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	body, err := json.Marshal(Reply{ID: out.Key, Room: out.Room.ID, Thread: out.Room.Thread, ReplyTo: out.ReplyTo, Text: out.Text})
	if err != nil {
		return channels.Receipt{}, fmt.Errorf("write a reply as JSON: %w", err)
	}
	answer, err := c.post(ctx, out.Key, body)
	if err != nil {
		return channels.Receipt{}, err
	}
	var made struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(answer, &made) != nil || made.ID == "" { // any other answer only confirms the chunk
		made.ID = out.Key
	}
	return channels.Receipt{ID: made.ID}, nil
}

// post makes one attempt. Its errors are *channels.SendError and do not contain the URL, which may be confidential.
func (c *Channel) post(ctx context.Context, key string, body []byte) ([]byte, error) {
	if c.opts.URL == "" {
		return nil, newSendError(channels.Permanent, errors.New("channels.webhook.url is not set"))
	}
	ctx, cancel := graceful(ctx)
	defer cancel()
	sent := atomic.Bool{} // a connection was opened, so the receiver may have the request
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }})
	response, err := c.do(ctx, http.MethodPost, key, body)
	if err != nil {
		kind := channels.Temporary
		if sent.Load() {
			kind = channels.Ambiguous
		}
		return nil, newSendError(kind, err)
	}
	defer func() { _ = response.Body.Close() }()                      // read as far as needed
	answer, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer)) // the status decides
	return answer, sendError(response, c.opts.Host.Now())
}

// do sends one signed request.
func (c *Channel) do(ctx context.Context, method, id string, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.opts.URL, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("channels.webhook.url is invalid")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "familiar")
	signHeaders(request.Header, c.key, id, body, c.opts.Host.Now())
	response, err := c.http.Do(request)
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the URL
	}
	return response, err
}

// graceful returns the context for one request. It ends sendGrace after ctx, or after answerFor.
func graceful(ctx context.Context) (context.Context, context.CancelFunc) {
	whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTimeout)
	stop := context.AfterFunc(ctx, func() {
		if sleep.For(whole, sendGrace) {
			cancel()
		}
	})
	return whole, func() { stop(); cancel() }
}

func newSendError(kind channels.SendKind, err error) *channels.SendError {
	return &channels.SendError{Kind: kind, Err: fmt.Errorf("post a reply: %w", err)}
}

// sendError classifies an answer, nil if the receiver accepted the chunk.
func sendError(response *http.Response, now time.Time) error {
	status := response.StatusCode
	if status/100 == 2 {
		return nil
	}
	e := newSendError(channels.Permanent, fmt.Errorf("the receiver answers %d %s", status, http.StatusText(status)))
	e.RetryAfter = retryAfter(response.Header.Get("Retry-After"), now)
	switch {
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable && e.RetryAfter > 0:
		e.Kind = channels.RateLimited
	case status == http.StatusGone: // the room is closed to the persona
		e.Kind = channels.Blocked
	case status == http.StatusServiceUnavailable, status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		e.Kind = channels.Temporary
	case status >= http.StatusInternalServerError: // it may have failed after showing the chunk
		e.Kind = channels.Ambiguous
	}
	return e
}

// retryAfter reads a number of seconds or a date, 0 if it is missing or in the past.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(header, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
