package llm

import (
	"context"
	"errors"
	"sync"

	"familiar/internal/tokens"
	"familiar/prompts"
)

// Scripted is a model for tests: it gives prepared answers and records the prompts. It is safe for concurrent use.
type Scripted struct {
	mu      sync.Mutex
	steps   []Step
	answer  func(prompts.Prompt) string
	prompts []prompts.Prompt
}

// Step is what a Scripted model does for one prompt.
type Step struct {
	// Text is the answer. It is streamed in pieces of Piece bytes, whole if 0.
	Text  string
	Piece int
	// After streaming, Hang waits until the caller gives up, and a non-nil Err is returned.
	Hang bool
	Err  error
	// Stop is the stop reason, StopEnd if empty.
	Stop prompts.Stop
}

// ErrScriptEnded reports that a Scripted model got more prompts than it has steps.
var ErrScriptEnded = errors.New("the script has no further answer")

// Script returns a model that takes one step per prompt, in order.
func Script(steps ...Step) *Scripted { return &Scripted{steps: steps} }

// Answering returns a model that answers every prompt with the result of answer.
func Answering(answer func(prompts.Prompt) string) *Scripted { return &Scripted{answer: answer} }

// Prompts returns the prompts so far, in order.
func (s *Scripted) Prompts() []prompts.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]prompts.Prompt(nil), s.prompts...)
}

// next records the prompt and returns its step.
func (s *Scripted) next(p prompts.Prompt) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prompts = append(s.prompts, p)
	if s.answer != nil {
		return Step{Text: s.answer(p)}
	}
	if len(s.steps) == 0 {
		return Step{Err: ErrScriptEnded}
	}
	step := s.steps[0]
	s.steps = s.steps[1:]
	return step
}

// Generate takes the next step. As with Client, the Answer returned with an error contains what was streamed.
func (s *Scripted) Generate(ctx context.Context, p prompts.Prompt, stream func(delta string)) (prompts.Answer, error) {
	step := s.next(p)
	answer := prompts.Answer{
		Text: step.Text, TokensIn: p.Tokens(), TokensOut: tokens.Estimate(step.Text), Estimated: true, Stop: step.Stop, Requests: 1,
	}
	if answer.Stop == "" {
		answer.Stop = prompts.StopEnd
	}
	if stream == nil && (step.Hang || step.Err != nil) {
		answer = prompts.Answer{Requests: 1}
	}
	if stream != nil {
		for rest := step.Text; rest != ""; {
			n := len(rest)
			if step.Piece > 0 {
				n = min(n, step.Piece)
			}
			stream(rest[:n])
			rest = rest[n:]
		}
	}
	if step.Hang {
		<-ctx.Done()
	}
	if err := ctx.Err(); err != nil {
		return answer, &Error{Kind: Canceled, Provider: "script", cause: err}
	}
	return answer, step.Err
}
