package companion

import (
	"context"
	"log/slog"

	"familiar/internal/tokens"
	"familiar/memory"
	"familiar/memory/recall"
	"familiar/prompts"
)

// Model is any chat model. The program brings its client.
type Model interface {
	// Chat answers a request. If stream is not nil, it may be called with the answer piece by piece.
	Chat(ctx context.Context, r Request, stream func(delta string)) (string, error)
}

// Request is what a model is asked.
type Request struct {
	// System has the character and the rules.
	System string
	// Messages alternate between the roles "user" and "assistant"; the last is of the user.
	Messages []Message
	// MaxTokens is the longest answer. JSON asks for one JSON object.
	MaxTokens int
	JSON      bool
}

// Message is one message of a Request.
type Message struct{ Role, Text string }

// asked is a Model as the voice and the jobs ask it. Tokens are estimated.
type asked struct{ Model }

// Generate implements modelvoice.Model.
func (a asked) Generate(ctx context.Context, p prompts.Prompt, stream func(string)) (prompts.Answer, error) {
	r := Request{System: p.System, MaxTokens: p.MaxTokens, JSON: p.JSON}
	in := tokens.Estimate(p.System)
	for _, m := range p.Messages {
		r.Messages = append(r.Messages, Message{string(m.Role), m.Text})
		in += tokens.Estimate(m.Text)
	}
	text, err := a.Chat(ctx, r, stream)
	return prompts.Answer{Text: text, TokensIn: in, TokensOut: tokens.Estimate(text), Estimated: true, Requests: 1}, err
}

// embedQuery returns how queries are embedded. A failure is logged, and words alone are used.
func (c *Companion) embedQuery(log *slog.Logger) func(ctx context.Context, text string) *recall.QueryEmbedding {
	return func(ctx context.Context, text string) *recall.QueryEmbedding {
		if text == "" {
			return nil
		}
		near, err := memory.EmbedText(ctx, c.embed, text)
		if err != nil {
			log.Warn("recall uses words alone", "error", err)
			return nil
		}
		return near
	}
}
