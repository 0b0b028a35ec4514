package llm

import (
	"context"
	"errors"
	"sync"

	"familiar/internal/tokens"
	"familiar/prompts"
)

// Scripted is a model for tests: it says what it was told to say and remembers what it was asked. It is safe for
// concurrent use.
type Scripted struct {
	mu     sync.Mutex
	steps  []Step
	answer func(prompts.Prompt) string
	asked  []prompts.Prompt
}

// Step is what a Scripted model does when it is asked once.
type Step struct {
	// Text is the answer. Streamed, it comes in pieces of Piece bytes, whole when 0.
	Text  string
	Piece int
	// Hang waits, after the pieces, until the caller gives up; Err fails, after them, when not nil.
	Hang bool
	Err  error
	// Stop is why it ends, StopEnd when empty.
	Stop prompts.Stop
}

// ErrScriptEnded says that a Scripted model was asked more often than its script foresees.
var ErrScriptEnded = errors.New("the script has no further answer")

// Script is a model that takes one step each time it is asked, in order.
func Script(steps ...Step) *Scripted { return &Scripted{steps: steps} }

// Answering is a model that answers every prompt with what answer makes of it.
func Answering(answer func(prompts.Prompt) string) *Scripted { return &Scripted{answer: answer} }

// Asked are the prompts so far, in order.
func (s *Scripted) Asked() []prompts.Prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]prompts.Prompt(nil), s.asked...)
}

// next notes the prompt and picks the step for it.
func (s *Scripted) next(p prompts.Prompt) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, p)
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

// Generate takes the next step. As Client's, its Answer beside an error holds what was streamed until then.
func (s *Scripted) Generate(ctx context.Context, p prompts.Prompt, stream func(delta string)) (prompts.Answer, error) {
	step := s.next(p)
	answer := prompts.Answer{
		Text: step.Text, TokensIn: p.Tokens(), TokensOut: tokens.Estimate(step.Text), Estimated: true, Stop: step.Stop,
	}
	if answer.Stop == "" {
		answer.Stop = prompts.StopEnd
	}
	if stream == nil && (step.Hang || step.Err != nil) {
		answer = prompts.Answer{}
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
