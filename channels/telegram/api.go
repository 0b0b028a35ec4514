package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

const (
	defaultEndpoint = "https://api.telegram.org"
	// idleFor closes an idle connection before the server does: a request sent on a connection that is being closed has
	// an unknown outcome.
	idleFor = 20 * time.Second
	// pingAfter and pingFor detect dead connections.
	pingAfter = 15 * time.Second
	pingFor   = 10 * time.Second
)

// api calls the Bot API. Its errors are *apiError and never contain the token.
type api struct {
	token, endpoint string

	mu   sync.Mutex
	http *http.Client
	// own reports that the client was created here and may be replaced.
	own bool
	// answered holds a signal if a call succeeded since it was last read.
	answered chan struct{}
}

func newAPI(token, endpoint string, given *http.Client) *api {
	if endpoint == "" {
		endpoint = defaultEndpoint
	}
	a := &api{token: token, endpoint: strings.TrimRight(endpoint, "/"), own: given == nil, answered: make(chan struct{}, 1)}
	if given == nil {
		a.http = newHTTP()
		return a
	}
	client := *given
	client.CheckRedirect = noRedirects
	a.http = &client
	return a
}

func newHTTP() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.IdleConnTimeout = idleFor
	transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingFor}
	return &http.Client{Transport: transport, CheckRedirect: noRedirects}
}

// noRedirects refuses redirects: the path contains the token, which must not reach another server.
func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func (a *api) client() *http.Client {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.http
}

// renew drops all connections, for when they seem dead.
func (a *api) renew() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.http.CloseIdleConnections()
	if a.own {
		a.http = newHTTP()
	}
}

// closeIdle closes idle connections.
func (a *api) closeIdle() { a.client().CloseIdleConnections() }

// call calls method and decodes the response into result, which may be nil.
func (a *api) call(ctx context.Context, method string, params tgbotapi.Params, result any) error {
	return a.exchange(ctx, method, result, func(bot *tgbotapi.BotAPI) (*tgbotapi.APIResponse, error) { return bot.MakeRequest(method, params) })
}

// request makes a request that the library has a type for.
func (a *api) request(ctx context.Context, method string, c tgbotapi.Chattable) error {
	return a.exchange(ctx, method, nil, func(bot *tgbotapi.BotAPI) (*tgbotapi.APIResponse, error) { return bot.Request(c) })
}

// upload is call with files.
func (a *api) upload(ctx context.Context, method string, params tgbotapi.Params, files []tgbotapi.RequestFile, result any) error {
	return a.exchange(ctx, method, result, func(bot *tgbotapi.BotAPI) (*tgbotapi.APIResponse, error) {
		return bot.UploadFiles(method, params, files)
	})
}

// exchange makes one request with the library and decodes the response into result, which may be nil.
func (a *api) exchange(ctx context.Context, method string, result any, do func(*tgbotapi.BotAPI) (*tgbotapi.APIResponse, error)) error {
	x := &exchange{ctx: ctx, http: a.client()}
	bot := &tgbotapi.BotAPI{Token: a.token, Client: x}
	bot.SetAPIEndpoint(strings.ReplaceAll(a.endpoint, "%", "%%") + "/bot%s/%s")
	answer, err := do(bot)
	if err == nil && result != nil {
		err = json.Unmarshal(answer.Result, result)
	}
	if err != nil {
		return a.fault(method, x, err)
	}
	select {
	case a.answered <- struct{}{}:
	default:
	}
	return nil
}

// exchange is one request and its response. It adds a context, which the library's calls lack.
type exchange struct {
	ctx  context.Context
	http *http.Client
	// sent reports that the request was given to a connection, so the server may have received it.
	sent   atomic.Bool
	status int
}

// Do sends req.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { x.sent.Store(true) }}
	resp, err := x.http.Do(req.WithContext(httptrace.WithClientTrace(x.ctx, trace)))
	if err == nil {
		x.status = resp.StatusCode
	}
	return resp, err
}

// apiError is a failed call.
type apiError struct {
	method string
	// code is the Bot API's error code or the HTTP status, 0 if no response was read.
	code int
	// outcomeUnknown reports that the server may have executed the call, but its response was lost.
	outcomeUnknown bool
	retryAfter     time.Duration
	// movedTo is the chat's new id, 0 if it did not move.
	movedTo int64
	err     error
}

// Error returns the method and the cause.
func (f *apiError) Error() string { return fmt.Sprintf("telegram %s: %v", f.method, f.err) }

// Unwrap returns the cause.
func (f *apiError) Unwrap() error { return f.err }

// hasPhrase reports whether the description contains one of the phrases, ignoring case.
func (f *apiError) hasPhrase(phrases ...string) bool {
	text := strings.ToLower(f.err.Error())
	for _, p := range phrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// fault converts err to an apiError without secrets.
func (a *api) fault(method string, x *exchange, err error) *apiError {
	f := &apiError{method: method, code: x.status, err: a.redact(err)}
	refusal, ok := errors.AsType[*tgbotapi.Error](err)
	if !ok {
		// Not a Bot API response: none at all, a gateway's page or a truncated one.
		f.outcomeUnknown = x.sent.Load() && x.status != http.StatusServiceUnavailable
		return f
	}
	if refusal.Code != 0 {
		f.code = refusal.Code
	}
	f.outcomeUnknown = f.code >= 500 && f.code != http.StatusServiceUnavailable
	f.retryAfter = time.Duration(refusal.RetryAfter) * time.Second
	f.movedTo = refusal.MigrateToChatID
	return f
}

// source is the near end of a connection in an error. It differs each time, and a cause should be reported once.
var source = regexp.MustCompile(`\S+:[0-9]+->`)

// redact removes the token from err and keeps its text and whether a context ended it. Transport errors contain the
// URL, which holds the token.
func (a *api) redact(err error) error {
	text := source.ReplaceAllString(err.Error(), "")
	if a.token != "" {
		text = strings.ReplaceAll(text, a.token, "TOKEN")
	}
	for _, ended := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, ended) {
			return fmt.Errorf("no response: %w", ended)
		}
	}
	return errors.New(text)
}
