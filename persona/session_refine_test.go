package persona_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/memory/belief"
	"familiar/memory/budget"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/session"
	"familiar/prompts"
)

// told plays a conversation worth refining with n people, each in their own room.
func told(t *testing.T, n int, m modelvoice.Model) *stage {
	t.Helper()
	s := play(t, func(p *persona.Parts) { p.Model = m })
	for i := range n {
		who := fmt.Sprintf("ann%d", i)
		for _, text := range []string{
			"My grandfather kept the lamp at Kiipsaare for forty years.", "I feel so sad since he died.",
			"Please always call me Captain.", "I love storms, and I live in Tartu.", "I will visit the lighthouse on Friday.",
			"Thank you, you are wonderful!",
		} {
			s.say(who, text)
		}
		s.clock.Advance(time.Minute)
	}
	s.clock.Advance(time.Hour)
	closed, err := s.engine.Sessions().CloseIdleOnce(t.Context(), 0, s.clock.Now())
	if err != nil || closed.Sessions != n {
		t.Fatalf("closed %+v, %v", closed, err)
	}
	return s
}

// unrefined counts the sessions that wait for refinement.
func (s *stage) unrefined() int {
	s.t.Helper()
	waiting, err := s.store.Turns.UnreadSessions(s.t.Context(), "tess", s.clock.Now(), 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return len(waiting)
}

// filing answers an extract with one provable and one unprovable claim, and a summary with a sentence.
func filing(t *testing.T) func(prompts.Prompt) string {
	return func(p prompts.Prompt) string {
		switch p.Name {
		case "summary":
			return "Ann told of the lamp her grandfather kept."
		case "check":
			return `{"said": ["A"]}`
		}
		return filed(t,
			prompts.Extracted{Message: 1, Subject: "my grandfather", Kind: "fact", Relation: "kept", Value: "the lamp at Kiipsaare", Quote: "kept the lamp at Kiipsaare"},
			prompts.Extracted{Message: 1, Kind: "fact", Relation: "lives_in", Value: "Paris", Quote: "I live in Paris"})
	}
}

func TestClosingASessionAsksNoModel(t *testing.T) {
	m := llm.Script()
	s := told(t, 2, m)
	if len(m.Prompts()) != 0 || s.unrefined() != 2 {
		t.Errorf("asked %d times, %d sessions left to read again, want none and both", len(m.Prompts()), s.unrefined())
	}
}

func TestRefinedMemoriesNameTheirRun(t *testing.T) {
	s := told(t, 1, llm.Answering(filing(t)))
	done, err := s.engine.Sessions().RefineOnce(t.Context(), 41, s.clock.Now())
	if want := (session.RefineResult{Sessions: 1, Summaries: 1, Learned: 1, Rejected: 1}); err != nil || done != want || s.unrefined() != 0 {
		t.Fatalf("RefineOnce = %+v, %v, want %+v", done, err, want)
	}
	beliefs, err := s.store.Beliefs.ListBeliefs(t.Context(), belief.Filter{Persona: "tess"})
	if err != nil {
		t.Fatal(err)
	}
	signed := 0
	for _, b := range beliefs {
		for _, e := range b.Evidence {
			if (e.JobRun == 41) != (b.Value == "the lamp at Kiipsaare") {
				t.Errorf("%s %s rests on a quote of run %d", b.Relation, b.Value, e.JobRun)
			}
			signed += int(e.JobRun / 41)
		}
	}
	if signed != 1 {
		t.Errorf("%d quotes carry the run", signed)
	}
	if again, err := s.engine.Sessions().RefineOnce(t.Context(), 42, s.clock.Now()); err != nil || again.Sessions != 0 {
		t.Errorf("the second run: %+v, %v", again, err)
	}
}

func TestASessionIsRefinedAfterAModelFailure(t *testing.T) {
	fails := true
	answer := filing(t)
	s := told(t, 1, modelFunc(func(p prompts.Prompt) (prompts.Answer, error) {
		if fails {
			return prompts.Answer{}, &llm.Error{Kind: llm.Timeout, Provider: "script"}
		}
		return prompts.Answer{Text: answer(p), Stop: prompts.StopEnd}, nil
	}))
	if done, err := s.engine.Sessions().RefineOnce(t.Context(), 1, s.clock.Now()); err != nil || done.Failed != 1 || s.unrefined() != 1 {
		t.Fatalf("RefineOnce = %+v, %v, want the session left for later", done, err)
	}
	fails = false
	if done, err := s.engine.Sessions().RefineOnce(t.Context(), 2, s.clock.Now()); err != nil || done.Sessions != 1 || s.unrefined() != 0 {
		t.Errorf("RefineOnce = %+v, %v, want the session read", done, err)
	}
}

// F6: a useless answer leaves a session unread for up to three runs; then it is a failure that is counted and taken up
// after a day.
func TestF6AUselessAnswerIsNotRead(t *testing.T) {
	answer := func(prompts.Prompt) string { return "I found nothing." }
	m := llm.Answering(func(p prompts.Prompt) string { return answer(p) })
	s := told(t, 1, m)
	refine := func() session.RefineResult {
		t.Helper()
		done, err := s.engine.Sessions().RefineOnce(t.Context(), 1, s.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	for try := range 3 {
		done := refine()
		if done.Unread != 1 || done.Sessions != 0 || (done.GivenUp == 1) != (try == 2) {
			t.Errorf("try %d: %+v", try+1, done)
		}
	}
	if n := len(m.Prompts()); n != 6 || s.unrefined() != 0 {
		t.Errorf("asked %d times, want three times with one repair each", n)
	}
	if failed, err := s.store.Turns.FailedReadings(t.Context(), "tess"); err != nil || failed != 1 {
		t.Errorf("%d failed readings are shown, %v", failed, err)
	}
	if done := refine(); done.Unread != 0 {
		t.Errorf("tried again at once: %+v", done)
	}
	s.clock.Advance(25 * time.Hour)
	answer = filing(t)
	if done := refine(); done.Sessions != 1 || done.Learned != 1 {
		t.Errorf("a day later: %+v", done)
	}
	if failed, err := s.store.Turns.FailedReadings(t.Context(), "tess"); err != nil || failed != 0 {
		t.Errorf("%d failed readings are left, %v", failed, err)
	}
}

// TestARunStopsOnAFaultOfAllSessions counts the questions of one run over ten sessions.
func TestARunStopsOnAFaultOfAllSessions(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault error
		asked int
	}{
		{"a cap", fmt.Errorf("ask: %w", budget.ErrCapReached), 1},
		{"a refused key", &llm.Error{Kind: llm.Auth, Provider: "script"}, 1},
		{"a model that is down", &llm.Error{Kind: llm.Server, Provider: "script"}, 3},
	} {
		asked := 0
		s := told(t, 10, modelFunc(func(prompts.Prompt) (prompts.Answer, error) {
			asked++
			return prompts.Answer{}, c.fault
		}))
		done, err := s.engine.Sessions().RefineOnce(t.Context(), 1, s.clock.Now())
		if !errors.Is(err, c.fault) || asked != c.asked || done.Failed != c.asked || s.unrefined() != 10 {
			t.Errorf("%s: RefineOnce = %+v, %v after %d questions, want %d", c.name, done, err, asked, c.asked)
		}
	}
}

// TestFailingSessionsDoNotBlockOthers has the model fail on the first three of thirty sessions.
func TestFailingSessionsDoNotBlockOthers(t *testing.T) {
	answer := filing(t)
	s := told(t, 30, modelFunc(func(p prompts.Prompt) (prompts.Answer, error) {
		for _, who := range []string{"ann0", "ann1", "ann2"} {
			if strings.Contains(p.Messages[0].Text, who+":") {
				return prompts.Answer{}, &llm.Error{Kind: llm.Timeout, Provider: "script"}
			}
		}
		return prompts.Answer{Text: answer(p), Stop: prompts.StopEnd}, nil
	}))
	for run := int64(30); run < 60; run += 3 { // other jobs run in between
		done, err := s.engine.Sessions().RefineOnce(t.Context(), run, s.clock.Now())
		if done.Sessions+done.Failed > 20 {
			t.Errorf("one run read %+v, %v", done, err)
		}
	}
	if n := s.unrefined(); n != 3 {
		t.Errorf("%d sessions are left, want the three that fail", n)
	}
}

func TestTheSecondReadingFitsTheModelsWindow(t *testing.T) {
	m := llm.Answering(filing(t))
	s := play(t, func(p *persona.Parts) { p.Model, p.Settings.FilingBudget = m, prompts.ExtractBudget(2048) })
	for range 8 {
		s.say("ann", "I live in Tartu and I love storms. "+strings.Repeat("It went on and on. ", 80))
	}
	s.say("ann", "I feel so sad. Please always call me Captain. I will visit the lighthouse on Friday.")
	s.clock.Advance(time.Hour)
	if _, err := s.engine.Sessions().CloseIdleOnce(t.Context(), 0, s.clock.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.engine.Sessions().RefineOnce(t.Context(), 1, s.clock.Now()); err != nil {
		t.Fatal(err)
	}
	if len(m.Prompts()) < 3 {
		t.Fatalf("%d prompts: the talk fits one, the test shows nothing", len(m.Prompts()))
	}
	for _, p := range m.Prompts() {
		if took := p.Tokens() + p.MaxTokens; took > 2048 {
			t.Errorf("a %s takes %d of 2048 tokens", p.Name, took)
		}
	}
}

// modelFunc is a model that answers as a function does.
type modelFunc func(prompts.Prompt) (prompts.Answer, error)

// Generate implements persona.Model.
func (f modelFunc) Generate(_ context.Context, p prompts.Prompt, _ func(string)) (prompts.Answer, error) {
	return f(p)
}

// TestJobsHaveNoPersonalCap charges jobs to everybody's cap alone.
func TestJobsHaveNoPersonalCap(t *testing.T) {
	charge := meter(memorytest.Open(t))
	charge.Caps.PersonDay.Tokens = 10
	m := llm.Answering(func(prompts.Prompt) string { return "Ana moved to Lagos." })
	if _, err := session.Summarize(t.Context(), agreeing{charge.For(0, m)}, refining()); err != nil {
		t.Errorf("the persona's own work: %v", err)
	}
	charge.Caps.Day.Tokens = 20
	if _, err := session.Summarize(t.Context(), agreeing{charge.For(0, m)}, refining()); !errors.Is(err, budget.ErrCapReached) {
		t.Errorf("past everybody's cap: %v", err)
	}
}
