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
)

const (
	defaultEndpoint = "https://discord.com"
	apiPath         = "/api/v9"
	userAgent       = "DiscordBot (https://github.com/bwmarrin/discordgo, v0.29.0)"
	// restTimeout bounds one call.
	restTimeout = 20 * time.Second
	// answerCap is more than any answer of Discord's that is read here, in bytes.
	answerCap = 16 << 20
)

// client speaks REST. It never waits for a limit by itself: the error says how long to wait, see patiently.
type client struct {
	base   string
	token  string
	http   *http.Client
	now    func() time.Time
	jitter func(time.Duration) time.Duration
	limits *limits
}

func newClient(o Options) *client {
	c := &client{
		base: strings.TrimRight(o.Endpoint, "/"), token: o.Token, http: o.HTTP,
		now: o.Host.Now, jitter: o.Host.Jitter, limits: newLimits(),
	}
	if c.base == "" {
		c.base = defaultEndpoint
	}
	if c.http == nil {
		c.http = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	}
	return c
}

// call is one request. Its path may hold a secret (the token of a command): it never reaches an error.
type call struct {
	method, path string
	// route is what limits are counted by, "" for the method and the path.
	route string
	body  any
	// anonymous leaves the bot's token out, where the path says enough.
	anonymous bool
}

func (c call) key() string {
	if c.route != "" {
		return c.method + " " + c.route
	}
	path, _, _ := strings.Cut(c.path, "?")
	return c.method + " " + path
}

// apiError is Discord's refusal.
type apiError struct {
	Status int
	// Code is Discord's own, 0 when it gave none.
	Code       int
	Message    string
	RetryAfter time.Duration
	// Unasked says that the request was not made, because its answer is known.
	Unasked bool
}

func (e *apiError) Error() string {
	text := fmt.Sprintf("Discord answers %d", e.Status)
	if e.Unasked {
		text = fmt.Sprintf("Discord was not asked, it would answer %d", e.Status)
	}
	if e.Code != 0 {
		text += fmt.Sprintf(" (code %d)", e.Code)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// netError is a request without an answer. Its cause has no address in it.
type netError struct {
	// Written says that Discord may have read the request.
	Written bool
	Err     error
}

func (e *netError) Error() string { return "reach Discord: " + e.Err.Error() }
func (e *netError) Unwrap() error { return e.Err }

// errToken stands for every request after Discord refused the token.
var errToken = errors.New("the token is not accepted by Discord: put a new one into the settings and start again")

// do makes one request and decodes its answer into into, unless that is nil.
func (c *client) do(ctx context.Context, k call, into any) error {
	if wait, err := c.limits.enter(k, c.now()); err != nil {
		return err
	} else if wait > 0 {
		return &apiError{Status: http.StatusTooManyRequests, Message: "its limit is spent", RetryAfter: wait, Unasked: true}
	}
	ctx, cancel := context.WithTimeout(ctx, restTimeout)
	defer cancel()
	req, written, err := c.request(ctx, k)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return &netError{Written: written.Load(), Err: withoutAddress(err)}
	}
	defer resp.Body.Close() //nolint:errcheck // it was read, or its error is told
	body, err := io.ReadAll(io.LimitReader(resp.Body, answerCap))
	if err != nil {
		return &netError{Written: true, Err: withoutAddress(err)}
	}
	failure := refusal(resp, body)
	c.limits.learn(k, resp.Header, failure, c.now())
	if failure != nil {
		return failure
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(body, into); err != nil {
		return &netError{Written: true, Err: fmt.Errorf("understand its answer: %w", err)}
	}
	return nil
}

// request makes the request of k; written becomes true once its first byte may have left.
func (c *client) request(ctx context.Context, k call) (*http.Request, *atomic.Bool, error) {
	var body io.Reader
	if k.body != nil {
		text, err := json.Marshal(k.body)
		if err != nil {
			return nil, nil, fmt.Errorf("write a request to Discord: %w", err)
		}
		body = bytes.NewReader(text)
	}
	written := new(atomic.Bool)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { written.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, k.method, c.base+apiPath+k.path, body)
	if err != nil {
		return nil, nil, &netError{Err: withoutAddress(err)}
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

// patiently makes a request that must succeed: it waits out limits and a network that is down, until Discord refuses
// or ctx ends.
func (c *client) patiently(ctx context.Context, k call, into any) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := c.do(ctx, k, into)
		wait, again := worthWaiting(err, pause)
		if !again {
			return err
		}
		if !sleep(ctx, wait+c.jitter(wait/4)) {
			return ctx.Err()
		}
	}
}

// worthWaiting says whether the same request may succeed later, and how long to wait: pause, unless Discord says.
func worthWaiting(err error, pause time.Duration) (time.Duration, bool) {
	if refused, ok := errors.AsType[*apiError](err); ok {
		if refused.Status == http.StatusTooManyRequests {
			return max(refused.RetryAfter, time.Millisecond), true
		}
		return pause, refused.Status >= http.StatusInternalServerError
	}
	_, unreached := errors.AsType[*netError](err)
	return pause, unreached
}

// retryAfter is how long Discord asked to wait, 0 when it did not.
func retryAfter(err error) time.Duration {
	if refused, ok := errors.AsType[*apiError](err); ok {
		return refused.RetryAfter
	}
	return 0
}

// refusal is what resp refuses, nil when it does not.
func refusal(resp *http.Response, body []byte) *apiError {
	if resp.StatusCode < http.StatusMultipleChoices {
		return nil
	}
	var told struct {
		Code       int     `json:"code"`
		Message    string  `json:"message"`
		RetryAfter float64 `json:"retry_after"`
	}
	// An answer that is not JSON comes from something in between: its status says enough.
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

// withoutAddress is err without the address asked for, which may hold a secret.
func withoutAddress(err error) error {
	if at, ok := errors.AsType[*url.Error](err); ok {
		return at.Err
	}
	return err
}
