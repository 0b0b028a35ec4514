// Package llm is the client for language models, built on langchaingo's providers. It limits time, size and retries,
// and what an error may reveal. Scripted is the model for tests.
package llm

import (
	"context"
	"errors"
	"fmt"
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
	// ContextTokens is the context window to request from ollama, which otherwise truncates long prompts silently; 0
	// leaves it to the server. Other providers have a fixed one.
	ContextTokens int
	// LegacyMaxTokens sends the limit as max_tokens, for compatible servers that ignore max_completion_tokens.
	LegacyMaxTokens bool
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
	case s.Now == nil || s.Rand == nil:
		return nil, errors.New("create a model client: it needs a clock and a source of randomness")
	}
	if s.Idle <= 0 {
		s.Idle = defaultIdle
	}
	if s.Sleep == nil {
		s.Sleep = wait
	}
	p, err := newProvider(s, watchedClient(s.HTTPClient, s.Now))
	if err != nil {
		return nil, err
	}
	return &Client{settings: s, provider: p}, nil
}

// Generate asks the model. If stream is not nil, it receives the answer piece by piece, from one goroutine at a time
// and never after Generate has returned.
//
// A failed attempt is retried if the provider was busy, failing or unreachable, but not once a piece was streamed,
// because it could not be withdrawn. Errors are *Error; the Answer returned with an error contains what was streamed.
// The token counts of every Answer, also with an error, cover all attempts.
func (c *Client) Generate(ctx context.Context, p prompts.Prompt, stream func(delta string)) (prompts.Answer, error) {
	var failed prompts.Answer // the cost of the earlier attempts
	for attempt := 0; ; attempt++ {
		answer, fault := c.attempt(ctx, p, stream)
		answer.TokensIn += failed.TokensIn
		answer.TokensOut += failed.TokensOut
		answer.Estimated = answer.Estimated || failed.Estimated
		if fault == nil {
			return answer, nil
		}
		pause, again := pauseBefore(attempt+1, c.settings.Retries, fault, c.settings.Rand())
		if answer.Text != "" || !again {
			return answer, fault
		}
		if err := c.settings.Sleep(ctx, pause); err != nil {
			return answer, c.settings.classify(ctx, &watch{}, err)
		}
		failed = answer
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

	w := &watch{end: c.provider.end}
	options := append(c.provider.options(p), llms.WithMaxTokens(c.limit(p)))
	var pieces *relay
	if stream != nil {
		idle := time.AfterFunc(c.settings.Timeout, func() { stop(errIdle) })
		defer idle.Stop()
		w.onActivity = func() { idle.Reset(c.settings.Idle) }
		pieces = &relay{show: stream}
		defer pieces.close()
		options = append(options, llms.WithStreamingFunc(pieces.take))
	}
	response, err := c.provider.model.GenerateContent(withWatch(ctx, w), contents(p), options...)
	pieces.close()
	if fault := c.fault(ctx, w, response, err, stream != nil); fault != nil {
		return partial(p, w, response, pieces.text()), fault
	}
	return c.answer(p, response), nil
}

// limit returns the longest answer to request. There is always a limit.
func (c *Client) limit(p prompts.Prompt) int {
	if p.MaxTokens > 0 {
		return min(p.MaxTokens, maxAnswer)
	}
	return c.settings.MaxTokens
}

// fault returns what was wrong with an attempt, or nil. langchaingo's error is not sufficient: some providers return
// half an answer without an error when the stream breaks or ctx ends.
func (c *Client) fault(ctx context.Context, w *watch, r *llms.ContentResponse, err error, streamed bool) *Error {
	switch {
	case err != nil, ctx.Err() != nil, w.failure() != nil:
		return c.settings.classify(ctx, w, err)
	case streamed && !w.complete() && stopReason(r) == "":
		return c.settings.classify(ctx, w, errors.New("the stream ended before the answer was complete"))
	case text(r) == "":
		return &Error{Kind: Empty, Provider: c.settings.Provider}
	}
	return nil
}

// answer converts a successful response.
func (c *Client) answer(p prompts.Prompt, r *llms.ContentResponse) prompts.Answer {
	a := prompts.Answer{Text: text(r), Stop: stop(stopReason(r))}
	a.TokensIn, a.TokensOut = usage(r)
	if a.TokensIn+a.TokensOut == 0 {
		a.TokensIn, a.TokensOut, a.Estimated = p.Tokens(), tokens.Estimate(a.Text), true
	}
	return a
}

// partial returns what remains of a failed attempt: the streamed text and the cost. The cost is the provider's count,
// if available. Otherwise a request that was sent counts as read even if nothing came back: repeated timeouts must not
// be free, or a user could cause them without a limit. A request that was refused (3xx, 4xx) or never arrived costs
// nothing.
func partial(p prompts.Prompt, w *watch, r *llms.ContentResponse, streamed string) prompts.Answer {
	a := prompts.Answer{Text: streamed}
	if a.TokensIn, a.TokensOut = usage(r); a.TokensIn+a.TokensOut > 0 || !w.accepted() {
		return a
	}
	a.TokensIn, a.TokensOut, a.Estimated = p.Tokens(), tokens.Estimate(streamed), true
	return a
}
