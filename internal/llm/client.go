// Package llm is the client for language models, built on langchaingo's providers. It limits time, size and retries,
// and what an error may reveal. Scripted is the model for tests.
package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/tmc/langchaingo/llms"

	"familiar/internal/sleep"
	"familiar/internal/tokens"
	"familiar/prompts"
)

// The fixed limits of an answer.
const (
	// maxResponse is the most bytes read of one response: a hundred times the longest useful answer.
	maxResponse = 1 << 20
	// maxAnswer is the longest answer a prompt may request, in tokens; it is also the maximum of model.max_tokens.
	maxAnswer = 32_768
	// defaultIdle is how long a stream may pause. Providers send something at least every few seconds.
	defaultIdle = 20 * time.Second
)

// Settings selects the model and its limits.
type Settings struct {
	// Provider is "openai" (including compatible servers), "anthropic", "googleai" or "ollama".
	Provider string
	Model    string
	// BaseURL replaces the provider's URL, empty to keep it.
	BaseURL string
	// APIKey may be empty for ollama and for compatible servers at a BaseURL that need none.
	APIKey string
	// Timeout limits one attempt. Idle limits the pause between two pieces of a streamed answer, 20 s if 0.
	Timeout, Idle time.Duration
	// MaxTokens limits the answer to a prompt without its own limit. Prompts set their own because a limit suitable for
	// a reply would truncate a list of claims; they may request up to 32,768 tokens.
	MaxTokens   int
	Temperature float64
	// Retries is how many attempts may follow the first, 0–10.
	Retries int
	// ContextTokens is the model's context window, which ollama is also asked to provide: otherwise it truncates long prompts
	// silently. 0 takes what the provider tells (AskWindow).
	ContextTokens int
	// Effort is how much a model that thinks should think: "low", "medium", "high", or "" to leave it to the provider. The
	// thoughts have a limit of their own, in addition to that of the answer.
	Effort string
	// InFlight is how many requests may be in flight at a time, over all clients of the account; 0 for 4, or 2 with ollama
	// and servers in the own network. Accounts is shared by the clients of one process; nil if there is one client only.
	InFlight int
	Accounts *Accounts
	// API is OpenAI's interface to use: "chat", "responses", or "" to take chat completions, and responses for models that
	// have those alone.
	API string
	// LegacyMaxTokens sends the limit as max_tokens, for compatible servers that ignore max_completion_tokens.
	LegacyMaxTokens bool
	// NoTools offers the model no tools, even if a prompt has some; NoImages shows it no pictures.
	NoTools, NoImages bool
	// Images shows it every prompt's pictures, even if it refused some.
	Images bool
	// ExtraBody is merged into the JSON body of each request, Headers are added to it. Their values are never shown.
	ExtraBody map[string]any
	Headers   map[string]string
	// HTTPClient makes the requests, a default client if nil. Redirects are not followed: they could send the key and
	// the conversation to another host.
	HTTPClient *http.Client
	// embedder reports that the settings are an embedder's: errors then name its configuration section.
	embedder bool
	// Now returns the time and Rand a number from 0 up to 1 that spreads retries; both are required. Sleep waits, with
	// a timer if nil.
	Now   func() time.Time
	Rand  func() float64
	Sleep func(ctx context.Context, d time.Duration) error
}

// Client is a client for one model. It is safe for concurrent use.
type Client struct {
	settings Settings
	provider provider
	account  *account
	manners  *manners
	http     *http.Client
}

// New checks the settings and returns a client. It does not use the network.
func New(s Settings) (*Client, error) {
	switch {
	case s.Model == "":
		return nil, fmt.Errorf("create a %s client: no model is named: set model.model", s.Provider)
	case s.Timeout <= 0 || s.MaxTokens <= 0:
		return nil, fmt.Errorf("create a %s client: timeout and max_tokens must be above 0", s.Provider)
	case s.Retries < 0 || s.Retries > maxRetries:
		return nil, fmt.Errorf("create a %s client: retries must be 0 to %d", s.Provider, maxRetries)
	case s.Effort != "" && thought[s.Effort] == 0:
		return nil, fmt.Errorf("create a %s client: effort must be low, medium, high or empty", s.Provider)
	case s.API != "" && s.API != apiChat && s.API != apiResponses:
		return nil, fmt.Errorf("create a %s client: api must be chat, responses or empty", s.Provider)
	case s.InFlight < 0:
		return nil, fmt.Errorf("create a %s client: in_flight must not be negative", s.Provider)
	case s.Now == nil || s.Rand == nil:
		return nil, errors.New("create a model client: it needs a clock and a source of randomness")
	}
	if s.Idle <= 0 {
		s.Idle = defaultIdle
	}
	if s.Sleep == nil {
		s.Sleep = wait
	}
	client := watchedClient(s.withExtras(s.HTTPClient), s.Now)
	p, err := newProvider(s, client)
	if err != nil {
		return nil, err
	}
	if s.Accounts == nil {
		s.Accounts = &Accounts{}
	}
	account := s.Accounts.of(s)
	return &Client{settings: s, provider: p, account: account, manners: account.manners(s.Model), http: client}, nil
}

// Generate asks the model. If stream is not nil, it receives the answer piece by piece, from one goroutine at a time
// and never after Generate has returned.
//
// A request waits until the account's other requests leave it a place; only then does its time limit start. A failed
// attempt is retried if the provider was busy, failing or unreachable, once if no answer came in time, and at once in
// another form if the provider rejects a parameter. It is not retried once a piece was streamed, because that could not
// be withdrawn. While somebody waits (Prompt.Room), retries are put off by patience in all at most. Errors are *Error; the Answer
// returned with an error contains what was streamed.
//
// The token counts of an Answer are those of the answer, 0 with an error unless a part was streamed or the caller
// cancelled. Requests counts all attempts; FailedIn and FailedOut are what the provider counted for those that failed.
func (c *Client) Generate(ctx context.Context, p prompts.Prompt, stream func(delta string)) (prompts.Answer, error) {
	t := tries{client: c, prompt: p}
	for {
		answer, fault := t.next(ctx, stream)
		if fault == nil {
			answer.Blind = answer.Blind || len(t.prompt.Images) < len(p.Images)
			return answer, nil
		}
		if answer.Text != "" || !t.again(ctx, fault) {
			return answer, t.fault(ctx, fault)
		}
	}
}

// wait sleeps until d is over or ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	sleep.For(ctx, d)
	return ctx.Err()
}

// attempt makes one request.
func (c *Client) attempt(ctx context.Context, p prompts.Prompt, stream func(string)) (prompts.Answer, *Error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.settings.Timeout, errSlow)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	pictures := len(p.Images)
	p = c.suited(p)
	blind := len(p.Images) < pictures
	via := c.via()
	w := &watch{end: via.end, mark: via.mark, redacts: c.settings.Provider == "anthropic", edit: func(body fields) { c.edit(p, body) }}
	options := append(via.options(p), llms.WithMaxTokens(c.limit(p)))
	if len(p.Tools) > 0 {
		w.tools = func(body io.ReadCloser) *callReader { return newCallReader(c.settings.Provider, stream != nil, body) }
	}
	var pieces *relay
	if stream != nil {
		idle := time.AfterFunc(c.settings.Timeout, func() { stop(errIdle) })
		defer idle.Stop()
		w.onActivity = func() { idle.Reset(c.settings.Idle) }
		pieces = &relay{show: stream}
		defer pieces.close()
		options = append(options, llms.WithStreamingFunc(pieces.take))
	}
	response, err := via.model.GenerateContent(withWatch(ctx, w), contents(p), options...)
	pieces.close()
	c.notice(w, response)
	if fault := c.fault(ctx, w, response, err, stream != nil); fault != nil {
		fault.Detail = conceal(fault.Detail, saidIn(p)...)
		c.explain(fault, w)
		return partial(p, w, response, pieces.text(), fault), fault
	}
	answer := c.answer(p, response)
	answer.Blind = blind
	if calls, thoughts := w.calls().found(); len(calls) > 0 {
		answer.Asked = &prompts.Round{Text: answer.Text, Calls: calls, By: c.settings.name(), Thoughts: thoughts}
	}
	return answer, nil
}

// edit gives a body the form that the model takes.
func (c *Client) edit(p prompts.Prompt, body fields) {
	c.applyWindow(body)
	c.manners.apply(c.settings, p, body)
}

// limit returns the longest answer to request, with room for the thoughts of a model that thinks. There is always a
// limit.
func (c *Client) limit(p prompts.Prompt) int {
	answer := c.settings.MaxTokens
	if p.MaxTokens > 0 {
		answer = min(p.MaxTokens, maxAnswer)
	}
	if w := c.Window(); w.Source == WindowTold {
		answer = min(answer, w.Tokens/2)
	}
	return answer + thought[c.settings.Effort]
}

// fault returns what was wrong with an attempt, or nil. langchaingo's error is not sufficient: some providers return
// half an answer without an error when the stream breaks or ctx ends.
func (c *Client) fault(ctx context.Context, w *watch, r *llms.ContentResponse, err error, streamed bool) *Error {
	switch {
	case err != nil, ctx.Err() != nil, w.failure() != nil:
		return c.settings.classify(ctx, w, err)
	case streamed && !w.complete() && stopReason(r) == "":
		return c.settings.classify(ctx, w, errors.New("the stream ended before the answer was complete"))
	case stopReason(r) == "error":
		return c.settings.classify(ctx, w, errors.New("the provider reports an error in place of the rest of the answer"))
	case text(r) != "", w.calls().any():
		return nil
	case !bytes.Contains(w.opening(), w.mark):
		return c.settings.classify(ctx, w, errors.New("the response holds no answer"))
	case stop(stopReason(r)) == prompts.StopFiltered:
		return &Error{Kind: Filtered, Provider: c.settings.Provider}
	case thoughtOnly(w):
		return &Error{Kind: Empty, Provider: c.settings.Provider, Reason: OnlyThought}
	}
	return &Error{Kind: Empty, Provider: c.settings.Provider}
}

// explain adds what the whole response tells about a fault: that the request can take another form, or that the server
// does not speak this format.
func (c *Client) explain(fault *Error, w *watch) {
	r, body := w.refusal(), w.request()
	if fault.Status >= http.StatusBadRequest && (c.learnAPI(fault, r, body) || c.manners.learnRoles(r, body) || c.manners.learnCache(r, body)) {
		fault.adapted = true
		return
	}
	switch fault.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		fault.adapted = fault.Kind != ContextTooLong && c.manners.learn(c.settings.Provider, r, body)
	case http.StatusInternalServerError:
		fault.adapted = c.manners.learnUnready(r, body)
	case http.StatusOK:
		if head := w.opening(); fault.Kind == Server && fault.Reason == "" && len(head) > 0 && !bytes.Contains(head, w.mark) && r.text == "" {
			fault.Reason = OtherFormat
		}
	}
}

// answer converts a successful response.
func (c *Client) answer(p prompts.Prompt, r *llms.ContentResponse) prompts.Answer {
	a := prompts.Answer{Text: text(r), Stop: stop(stopReason(r)), Requests: 1}
	a.TokensIn, a.TokensOut = usage(r)
	a.CacheRead, a.CacheWritten = cacheUsage(r)
	if a.TokensIn+a.TokensOut == 0 {
		a.TokensIn, a.TokensOut, a.Estimated = p.Tokens(), tokens.Estimate(a.Text), true
	}
	return a
}

// partial returns what remains of a failed attempt: the streamed text with its cost, or that the provider counted
// something for nothing. Whoever cancels a request that the provider has read pays for it: it did not fail.
func partial(p prompts.Prompt, w *watch, r *llms.ContentResponse, streamed string, fault *Error) prompts.Answer {
	a := prompts.Answer{Text: streamed, Requests: 1}
	in, out := usage(r)
	switch {
	case streamed == "" && (fault.Kind != Canceled || !w.accepted()):
		a.FailedIn, a.FailedOut = in, out
	case in+out > 0:
		a.TokensIn, a.TokensOut = in, out
		a.CacheRead, a.CacheWritten = cacheUsage(r)
	default:
		a.TokensIn, a.TokensOut, a.Estimated = p.Tokens(), tokens.Estimate(streamed), true
	}
	return a
}
