package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

const (
	defaultEndpoint = "https://api.telegram.org"
	// idleFor closes a connection nobody uses before the server does: a request written into one that is just being
	// closed has an unknown outcome.
	idleFor = 20 * time.Second
	// pingAfter and pingFor find a shared connection that is dead without saying so.
	pingAfter = 15 * time.Second
	pingFor   = 10 * time.Second
)

// api asks the Bot API. Its errors are *fault and never hold the token.
type api struct {
	token, endpoint string

	mu   sync.Mutex
	http *http.Client
	// own says that the client was made here and may be made anew.
	own bool
}

func newAPI(token, endpoint string, given *http.Client) *api {
	if endpoint == "" {
		endpoint = defaultEndpoint
	}
	a := &api{token: token, endpoint: strings.TrimRight(endpoint, "/"), own: given == nil}
	if given == nil {
		a.http = newHTTP()
		return a
	}
	client := *given
	client.CheckRedirect = stay
	a.http = &client
	return a
}

func newHTTP() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.IdleConnTimeout = idleFor
	transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingFor}
	return &http.Client{Transport: transport, CheckRedirect: stay}
}

// stay follows no redirection: it would carry the token, which is part of the path, to somewhere else.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func (a *api) client() *http.Client {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.http
}

// renew drops the connections there are, for when they seem dead.
func (a *api) renew() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.http.CloseIdleConnections()
	if a.own {
		a.http = newHTTP()
	}
}

// rest closes the connections nobody uses.
func (a *api) rest() { a.client().CloseIdleConnections() }

// call asks for method and reads its answer into result, which may be nil.
func (a *api) call(ctx context.Context, method string, params tgbotapi.Params, result any) error {
	x := &exchange{ctx: ctx, http: a.client()}
	bot := tgbotapi.BotAPI{Token: a.token, Client: x}
	bot.SetAPIEndpoint(strings.ReplaceAll(a.endpoint, "%", "%%") + "/bot%s/%s")
	answer, err := bot.MakeRequest(method, params)
	if err == nil && result != nil {
		err = json.Unmarshal(answer.Result, result)
	}
	if err == nil {
		return nil
	}
	return a.fault(method, x, err)
}

// exchange is one request and its answer. It lends the request a context, which the library's calls lack.
type exchange struct {
	ctx  context.Context
	http *http.Client
	// sent says that the request was given to a connection, so that the server may have taken it.
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

// fault is a call that failed.
type fault struct {
	method string
	// code is the Bot API's error code or the HTTP status, 0 when no answer was read.
	code int
	// lost says that the server may have done what was asked and its answer is not known.
	lost       bool
	retryAfter time.Duration
	// movedTo is the chat's new id, 0 when it did not move.
	movedTo int64
	err     error
}

// Error names the method and the cause.
func (f *fault) Error() string { return fmt.Sprintf("telegram %s: %v", f.method, f.err) }

// Unwrap returns the cause.
func (f *fault) Unwrap() error { return f.err }

// says tells whether the description holds one of the phrases, whichever the case.
func (f *fault) says(phrases ...string) bool {
	text := strings.ToLower(f.err.Error())
	for _, p := range phrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// fault makes err one without secrets.
func (a *api) fault(method string, x *exchange, err error) *fault {
	f := &fault{method: method, code: x.status, err: a.redact(err)}
	refusal, ok := errors.AsType[*tgbotapi.Error](err)
	if !ok {
		// Not the Bot API's words: nothing at all, a gateway's page or half an answer.
		f.lost = x.sent.Load() && x.status != http.StatusServiceUnavailable
		return f
	}
	if refusal.Code != 0 {
		f.code = refusal.Code
	}
	f.lost = f.code >= 500 && f.code != http.StatusServiceUnavailable
	f.retryAfter = time.Duration(refusal.RetryAfter) * time.Second
	f.movedTo = refusal.MigrateToChatID
	return f
}

// redact keeps of err what it says, without the token, and whether a context ended it. Errors of the transport name
// the URL, which holds the token.
func (a *api) redact(err error) error {
	text := err.Error()
	if a.token != "" {
		text = strings.ReplaceAll(text, a.token, "TOKEN")
	}
	for _, ended := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, ended) {
			return fmt.Errorf("no answer: %w", ended)
		}
	}
	return errors.New(text)
}
