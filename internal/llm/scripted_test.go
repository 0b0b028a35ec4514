package llm_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"familiar/internal/llm"
	"familiar/prompts"
)

func TestScriptTakesItsStepsInOrder(t *testing.T) {
	broken := errors.New("broken")
	m := llm.Script(llm.Step{Text: "one two", Piece: 3}, llm.Step{Text: "half", Err: broken}, llm.Step{Err: broken})
	stream, streamed := collect()
	if got, err := m.Generate(t.Context(), prompt(), stream); err != nil || got.Text != "one two" || streamed.String() != "one two" || got.Stop != prompts.StopEnd {
		t.Errorf("Generate = %+v, %v, streamed %q", got, err, streamed)
	}
	stream, streamed = collect()
	if got, err := m.Generate(t.Context(), prompt(), stream); !errors.Is(err, broken) || got.Text != "half" || streamed.String() != "half" {
		t.Errorf("Generate = %+v, %v, want what was said before it broke", got, err)
	}
	if got, err := m.Generate(t.Context(), prompt(), nil); !errors.Is(err, broken) || got != (prompts.Answer{Requests: 1}) {
		t.Errorf("Generate = %+v, %v, want nothing", got, err)
	}
	if _, err := m.Generate(t.Context(), prompt(), nil); !errors.Is(err, llm.ErrScriptEnded) {
		t.Errorf("err is %v, want ErrScriptEnded", err)
	}
	if n := len(m.Prompts()); n != 4 {
		t.Errorf("remembers %d prompts, want 4", n)
	}
}

func TestScriptHangsUntilGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := llm.Script(llm.Step{Text: "well", Hang: true})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		got, err := m.Generate(ctx, prompt(), func(string) {})
		if !errors.Is(err, context.DeadlineExceeded) || got.Text != "well" {
			t.Errorf("Generate = %+v, %v", got, err)
		}
	})
}

func TestAnswering(t *testing.T) {
	m := llm.Answering(func(p prompts.Prompt) string { return p.System + "!" })
	if got, err := m.Generate(t.Context(), prompt(), nil); err != nil || got.Text != "Be brief.!" {
		t.Errorf("Generate = %+v, %v", got, err)
	}
}
