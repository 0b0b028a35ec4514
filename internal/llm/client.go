// Package llm asks language models over the network, through langchaingo's providers, and bounds what can go wrong
// there: time, size, retries and what an error may reveal. Scripted is the model of tests.
package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tmc/langchaingo/llms"

	"familiar/internal/tokens"
	"familiar/prompts"
)

// The bounds of an answer that no setting changes.
const (
	// maxResponse is the most bytes read of one response: a hundred times the longest answer worth having.
	maxResponse = 1 << 20
	// maxAnswer is the longest answer any prompt may ask for, in tokens: as much as model.max_tokens may be set to.
	maxAnswer = 32_768
	// defaultIdle is how long a stream may pause. Providers send something at least every few seconds.
	defaultIdle = 20 * time.Second
)

// Settings say which model to ask and how patiently.
type Settings struct {
	// Provider is "openai" (and every server compatible with it), "anthropic", "googleai" or "ollama".
	Provider string
	Model    string
	// BaseURL replaces the provider's own address, empty to keep it.
	BaseURL string
	// APIKey may be empty for ollama and for compatible servers at a BaseURL that ask for none.
	APIKey string
	// Timeout bounds one attempt, Idle the pause between two pieces of a streamed answer, 20 s when 0.
	Timeout, Idle time.Duration
	// MaxTokens bounds the answer to a prompt that names no limit of its own: what is enough for a reply cuts off a
	// list of claims, so each prompt asks for what its answer takes, up to 32,768 tokens.
	MaxTokens   int
	Temperature float64
	// Retries is how many attempts may follow the first, 0–10.
	Retries int
	// ContextTokens is the context window to ask of ollama, which otherwise cuts long prompts without a word; 0 leaves
	// it to the server. Other providers have their own.
	ContextTokens int
	// LegacyMaxTokens sends the limit as max_tokens, for compatible servers that ignore max_completion_tokens.
	LegacyMaxTokens bool
	// HTTPClient makes the requests, a plain one when nil. Its redirects are not followed: they could carry the key
	// and the talk to another host.
	HTTPClient *http.Client
	// embeds says that it is an embedder's: errors then name its section of the configuration.
	embeds bool
	// Now reads the clock, Rand spreads the waits between attempts (0 up to 1); both are required. Sleep waits, on a
	// timer when nil.
	Now   func() time.Time
	Rand  func() float64
	Sleep func(ctx context.Context, d time.Duration) error
}

// Client asks one model of one provider. It is safe for concurrent use.
type Client struct {
	settings Settings
	provider provider
}

// New checks the settings and makes a client. It does not use the network.
func New(s Settings) (*Client, error) {
	switch {
	case s.Model == "":
		return nil, fmt.Errorf("make a %s client: no model is named: set model.model", s.Provider)
	case s.Timeout <= 0 || s.MaxTokens <= 0:
		return nil, fmt.Errorf("make a %s client: timeout and max_tokens must be above 0", s.Provider)
	case s.Retries < 0 || s.Retries > maxRetries:
		return nil, fmt.Errorf("make a %s client: retries must be 0 to %d", s.Provider, maxRetries)
	case s.Now == nil || s.Rand == nil:
		return nil, errors.New("make a model client: it needs a clock and a source of randomness")
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

// Generate asks the model. stream, when not nil, receives the answer piece by piece while it grows, from one goroutine
// at a time and never after Generate returned.
//
// A failed attempt is made again, later, when the provider was busy, broken or out of reach, but not once a piece was
// streamed: it could not be taken back. Errors are *Error; the Answer beside one holds what was streamed until then.
// The tokens of every Answer, beside an error too, are those of all attempts.
func (c *Client) Generate(ctx context.Context, p prompts.Prompt, stream func(delta string)) (prompts.Answer, error) {
	var failed prompts.Answer // what the attempts before cost
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

// wait sleeps on a timer until d is over or ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// attempt asks once.
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
		w.heard = func() { idle.Reset(c.settings.Idle) }
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

// limit is the longest answer to ask for. There is always one.
func (c *Client) limit(p prompts.Prompt) int {
	if p.MaxTokens > 0 {
		return min(p.MaxTokens, maxAnswer)
	}
	return c.settings.MaxTokens
}

// fault says what was wrong with an attempt, nil when nothing was. langchaingo's word is not enough: some providers
// return half an answer without an error when the stream breaks or ctx ends.
func (c *Client) fault(ctx context.Context, w *watch, r *llms.ContentResponse, err error, streamed bool) *Error {
	switch {
	case err != nil, ctx.Err() != nil, w.broken() != nil:
		return c.settings.classify(ctx, w, err)
	case streamed && !w.complete() && stopReason(r) == "":
		return c.settings.classify(ctx, w, errors.New("the stream ended before the answer did"))
	case text(r) == "":
		return &Error{Kind: Empty, Provider: c.settings.Provider}
	}
	return nil
}

// answer reads a good response.
func (c *Client) answer(p prompts.Prompt, r *llms.ContentResponse) prompts.Answer {
	a := prompts.Answer{Text: text(r), Stop: stop(stopReason(r))}
	a.TokensIn, a.TokensOut = usage(r)
	if a.TokensIn+a.TokensOut == 0 {
		a.TokensIn, a.TokensOut, a.Estimated = p.Tokens(), tokens.Estimate(a.Text), true
	}
	return a
}

// partial is what is left of a failed attempt: what was streamed, and what it cost. That is what the provider counted, if
// it did. Else a request that went out is taken for read, even when nothing came back: whoever makes the provider time
// out again and again must not do so for nothing. A request that was refused (3xx, 4xx) or never arrived cost nothing.
func partial(p prompts.Prompt, w *watch, r *llms.ContentResponse, said string) prompts.Answer {
	a := prompts.Answer{Text: said}
	if a.TokensIn, a.TokensOut = usage(r); a.TokensIn+a.TokensOut > 0 || !w.taken() {
		return a
	}
	a.TokensIn, a.TokensOut, a.Estimated = p.Tokens(), tokens.Estimate(said), true
	return a
}
