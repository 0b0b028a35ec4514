package discord

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
	"strings"
	"sync/atomic"
	"time"

	"familiar/internal/sleep"
)

const (
	defaultEndpoint = "https://discord.com"
	apiPath         = "/api/v9"
	userAgent       = "DiscordBot (https://github.com/bwmarrin/discordgo, v0.29.0)"
	// restTimeout bounds one call.
	restTimeout = 20 * time.Second
	// maxResponse exceeds any response read here, in bytes.
	maxResponse = 16 << 20
)

// client makes REST calls. It never waits for a rate limit itself: the error says how long to wait, see doRetrying.
type client struct {
	base  string
	token string
	http  *http.Client
	// files fetches what people attach. Where the API is Discord's own, only from public addresses.
	files  *http.Client
	now    func() time.Time
	jitter func(time.Duration) time.Duration
	limits *limits
}

func newClient(o Options) *client {
	c := &client{
		base: strings.TrimRight(o.Endpoint, "/"), token: o.Token, http: o.HTTP,
		now: o.Host.Now, jitter: o.Host.Jitter, limits: newLimits(),
	}
	if c.http == nil {
		c.http = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	}
	c.files = c.http
	if c.base == "" || c.base == defaultEndpoint {
		c.base, c.files = defaultEndpoint, publicClient()
	}
	return c
}

// call is one request. Its path may contain a secret (a command's token), so it must never appear in an error.
type call struct {
	method, path string
	// route is the key for rate limits, "" for the method and the path.
	route string
	body  any
	// anonymous omits the bot token if the path is sufficient authorization.
	anonymous bool
}

func (c call) key() string {
	if c.route != "" {
		return c.method + " " + c.route
	}
	path, _, _ := strings.Cut(c.path, "?")
	return c.method + " " + path
}

// apiError is an error response from Discord.
type apiError struct {
	Status int
	// Code is Discord's error code, 0 if there was none.
	Code       int
	Message    string
	RetryAfter time.Duration
	// NotSent reports that the request was not made because its result is known.
	NotSent bool
}

func (e *apiError) Error() string {
	text := fmt.Sprintf("Discord answers %d", e.Status)
	if e.NotSent {
		text = fmt.Sprintf("request not sent, Discord would answer %d", e.Status)
	}
	if e.Code != 0 {
		text += fmt.Sprintf(" (code %d)", e.Code)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// netError is a request without a response. Its cause contains no URL.
type netError struct {
	// Written reports that Discord may have received the request.
	Written bool
	Err     error
}

func (e *netError) Error() string { return "reach Discord: " + e.Err.Error() }
func (e *netError) Unwrap() error { return e.Err }

// errToken is the error of every request after Discord rejected the token.
var errToken = errors.New("the token was rejected by Discord: put a new one into the settings and restart")

// do makes one request and decodes its response into into, unless that is nil.
func (c *client) do(ctx context.Context, k call, into any) error {
	if wait, err := c.limits.reserve(k, c.now()); err != nil {
		return err
	} else if wait > 0 {
		return &apiError{Status: http.StatusTooManyRequests, Message: "rate limit reached", RetryAfter: wait, NotSent: true}
	}
	ctx, cancel := context.WithTimeout(ctx, restTimeout)
	defer cancel()
	req, written, err := c.request(ctx, k)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return &netError{Written: written.Load(), Err: withoutURL(err)}
	}
	defer resp.Body.Close() //nolint:errcheck // it was read, or its error is returned
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	if err != nil {
		return &netError{Written: true, Err: withoutURL(err)}
	}
	failure := refusal(resp, body)
	c.limits.update(k, resp.Header, failure, c.now())
	if failure != nil {
		return failure
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(body, into); err != nil {
		return &netError{Written: true, Err: fmt.Errorf("parse Discord's response: %w", err)}
	}
	return nil
}

// request builds the HTTP request of k; written becomes true once its first byte may have been sent.
func (c *client) request(ctx context.Context, k call) (*http.Request, *atomic.Bool, error) {
	var body io.Reader
	if k.body != nil {
		text, err := json.Marshal(k.body)
		if err != nil {
			return nil, nil, fmt.Errorf("build a request to Discord: %w", err)
		}
		body = bytes.NewReader(text)
	}
	written := new(atomic.Bool)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { written.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, k.method, c.base+apiPath+k.path, body)
	if err != nil {
		return nil, nil, &netError{Err: withoutURL(err)}
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if !k.anonymous {
		req.Header.Set("Authorization", "Bot "+c.token)
	}
	req.Header.Set("User-Agent", userAgent)
	return req, written, nil
}

// doRetrying makes a request that must succeed: it waits for rate limits and network failures until Discord refuses or
// ctx ends.
func (c *client) doRetrying(ctx context.Context, k call, into any) error {
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		err := c.do(ctx, k, into)
		wait, again := retryable(err, pause)
		if !again {
			return err
		}
		if !sleep.For(ctx, wait+c.jitter(wait/4)) {
			return ctx.Err()
		}
	}
}

// retryable reports whether the same request may succeed later, and how long to wait: pause, unless Discord gives a
// time.
func retryable(err error, pause time.Duration) (time.Duration, bool) {
	if refused, ok := errors.AsType[*apiError](err); ok {
		if refused.Status == http.StatusTooManyRequests {
			return max(refused.RetryAfter, time.Millisecond), true
		}
		return pause, refused.Status >= http.StatusInternalServerError
	}
	_, netFailure := errors.AsType[*netError](err)
	return pause, netFailure
}

// retryAfter returns how long Discord asked to wait, or 0.
func retryAfter(err error) time.Duration {
	if refused, ok := errors.AsType[*apiError](err); ok {
		return refused.RetryAfter
	}
	return 0
}

// refusal returns the error in resp, or nil if there is none.
func refusal(resp *http.Response, body []byte) *apiError {
	if resp.StatusCode < http.StatusMultipleChoices {
		return nil
	}
	var told struct {
		Code       int     `json:"code"`
		Message    string  `json:"message"`
		RetryAfter float64 `json:"retry_after"`
	}
	// A response that is not JSON comes from a proxy; its status is sufficient.
	_ = json.Unmarshal(body, &told)
	e := &apiError{Status: resp.StatusCode, Code: told.Code, Message: told.Message}
	if e.Status == http.StatusTooManyRequests {
		e.RetryAfter = max(seconds(told.RetryAfter), headerSeconds(resp.Header, "Retry-After"), time.Millisecond)
		if told.RetryAfter > 0 {
			e.RetryAfter = seconds(told.RetryAfter) // the header is rounded up
		}
	}
	return e
}

// withoutURL returns err without the requested URL, which may contain a secret.
func withoutURL(err error) error {
	if at, ok := errors.AsType[*url.Error](err); ok {
		return at.Err
	}
	return err
}
