package persona_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/modelvoice"
	"familiar/persona/session"
	"familiar/prompts"
)

// refining is a session of Ana, Rui and the persona.
func refining() session.RefineInput {
	at := time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC)
	say := func(id, person int64, name, text string) model.Message {
		return model.Message{ID: id, PersonID: person, Name: name, Text: text, At: at.Add(time.Duration(id) * time.Minute)}
	}
	return session.RefineInput{
		Name: "Mira", Audience: model.Audience{Kind: model.InRoom, Ref: 2},
		Messages: []model.Message{
			say(101, 7, "Ana", "I moved  to\nLagos last week"),
			say(102, 0, "Mira", "Lagos is lovely, I grew up there"),
			say(103, 8, "Rui", "Ana works at the bakery, I have an exam on Friday"),
			say(104, 7, "Ana", "do you like jazz? I don't like jazz"),
		},
	}
}

// filed is a model's answer with one claim.
func filed(t *testing.T, claims ...prompts.Extracted) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"claims": append([]prompts.Extracted{}, claims...)})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// agreeing is a model whose second reading agrees with everything.
type agreeing struct{ modelvoice.Model }

// Generate implements modelvoice.Model.
func (a agreeing) Generate(ctx context.Context, p prompts.Prompt, show func(string)) (prompts.Answer, error) {
	if p.Name == "check" {
		return prompts.Answer{Text: `{"said": ["A", "B", "C", "D", "E", "F"]}`, Stop: prompts.StopEnd}, nil
	}
	return a.Model.Generate(ctx, p, show)
}

func TestRefineKeepsProvenFacts(t *testing.T) {
	m := llm.Script(llm.Step{Text: filed(t,
		prompts.Extracted{Message: 1, Kind: "fact", Relation: "Lives_In", Value: "lagos", Quote: "moved to ⏎ Lagos"},
		prompts.Extracted{Message: 1, Kind: "fact", Relation: "lives_in", Value: "Lagos", Quote: "I moved to Lagos last week"},
		prompts.Extracted{Message: 3, Kind: "fact", Subject: "Ana", Relation: "works_at", Value: "the bakery", Quote: "Ana works at the bakery"},
		prompts.Extracted{Message: 3, Kind: "plan", Relation: "exam", Value: "exam", Quote: "I have an exam on Friday"},
		prompts.Extracted{Message: 4, Kind: "taste", Relation: "likes", Value: "jazz", Quote: "I don't like jazz", State: "ends"},
	)})
	claims, rejected, err := session.Refine(t.Context(), agreeing{m}, refining())
	if err != nil || rejected != 0 || len(claims) != 4 {
		t.Fatalf("Refine = %+v, %d rejected, %v, want 4 claims (one filed twice)", claims, rejected, err)
	}
	home, work, exam, jazz := claims[0], claims[1], claims[2], claims[3]
	if home.AuthorID != 7 || home.SubjectPerson != 7 || home.Subject != "" || home.Relation != "lives_in" || home.MessageID != 101 ||
		home.Quote != "moved to Lagos" || home.Audience.Ref != 2 {
		t.Errorf("home is %+v", home)
	}
	if work.AuthorID != 8 || work.SubjectPerson != 7 || work.Subject != "Ana" {
		t.Errorf("work is %+v", work)
	}
	if exam.Kind != rel.Plan || exam.Relation != "plan" || exam.Span == nil || exam.Span.From.Weekday() != time.Friday || !exam.Many {
		t.Errorf("exam is %+v with span %+v", exam, exam.Span)
	}
	if !jazz.Negates || jazz.Kind != rel.Taste {
		t.Errorf("jazz is %+v", jazz)
	}
}

func TestM2RefineRejectsUnprovenFacts(t *testing.T) {
	good := prompts.Extracted{Message: 1, Kind: "fact", Relation: "lives_in", Value: "Lagos", Quote: "moved to Lagos"}
	for name, change := range map[string]func(*prompts.Extracted){
		"no such message":            func(c *prompts.Extracted) { c.Message = 9 },
		"message zero":               func(c *prompts.Extracted) { c.Message = 0 },
		"another author's message":   func(c *prompts.Extracted) { c.Message = 3 },
		"the persona's own words":    func(c *prompts.Extracted) { c.Message, c.Quote = 2, "Lagos is lovely" },
		"a quote nobody said":        func(c *prompts.Extracted) { c.Quote = "moved to sunny Lagos" },
		"a quote spelled otherwise":  func(c *prompts.Extracted) { c.Quote = "MOVED to Lagos" },
		"no quote":                   func(c *prompts.Extracted) { c.Quote = " " },
		"a value nobody said":        func(c *prompts.Extracted) { c.Value = "Porto" },
		"no value":                   func(c *prompts.Extracted) { c.Value = "" },
		"somebody never named":       func(c *prompts.Extracted) { c.Subject = "Zoe" },
		"an unknown kind":            func(c *prompts.Extracted) { c.Kind = "secret" },
		"no relation":                func(c *prompts.Extracted) { c.Relation = "…" },
		"a sentence for a relation":  func(c *prompts.Extracted) { c.Relation = strings.Repeat("very long ", 9) },
		"a fact posing as a wish":    func(c *prompts.Extracted) { c.Relation = "instruction" },
		"a taste without a leaning":  func(c *prompts.Extracted) { c.Kind = "taste" },
		"a wish on another's behalf": func(c *prompts.Extracted) { c.Kind, c.Subject = "instruction", "Rui" },
		"a question": func(c *prompts.Extracted) {
			*c = prompts.Extracted{Message: 4, Kind: "taste", Relation: "likes", Value: "jazz", Quote: "do you like jazz?"}
		},
	} {
		c := good
		change(&c)
		claims, rejected, err := session.Refine(t.Context(), llm.Script(llm.Step{Text: filed(t, c)}), refining())
		if err != nil || rejected != 1 || len(claims) != 0 {
			t.Errorf("%s: Refine = %+v, %d rejected, %v", name, claims, rejected, err)
		}
	}
}

func TestR10NothingIsLearnedFromAFailedRefinement(t *testing.T) {
	in := refining()
	for i := range 300 {
		in.Messages = append(in.Messages, model.Message{
			ID: int64(1000 + i), PersonID: 7, Name: "Ana", Text: fmt.Sprintf("number %d %s", i, strings.Repeat("and so on ", 20)), At: in.Messages[0].At,
		})
	}
	good := filed(t, prompts.Extracted{Message: 1, Kind: "fact", Relation: "lives_in", Value: "Lagos", Quote: "moved to Lagos"})
	broken := errors.New("broken")
	for name, bad := range map[string]llm.Step{
		"truncated": {Text: good[:len(good)-4]}, "prose": {Text: "I found nothing."}, "an error": {Err: broken},
	} {
		m := llm.Script(llm.Step{Text: good}, bad, bad) // one of them is a repair
		want := 3
		if bad.Err != nil {
			want = 2
		}
		claims, rejected, err := session.Refine(t.Context(), agreeing{m}, in)
		if !errors.Is(err, prompts.ErrInvalidExtraction) && !errors.Is(err, broken) || claims != nil || rejected != 0 {
			t.Errorf("%s: Refine = %+v, %d, %v, want nothing and an error", name, claims, rejected, err)
		}
		if n := len(m.Prompts()); n != want {
			t.Errorf("%s: %d prompts, want it to stop at the second part", name, n)
		}
	}
}

// TestATruncatedAnnotationIsSplitAndRetried answers within the limit only when two messages or fewer are asked
// about.
func TestATruncatedAnnotationIsSplitAndRetried(t *testing.T) {
	home := filed(t, prompts.Extracted{Message: 1, Kind: "fact", Relation: "lives_in", Value: "Lagos", Quote: "moved to Lagos"})
	exam := filed(t, prompts.Extracted{Message: 3, Kind: "plan", Relation: "plan", Value: "exam", Quote: "I have an exam on Friday"})
	m := llm.Script(llm.Step{Text: home[:len(home)-9], Stop: prompts.StopLength}, llm.Step{Text: home}, llm.Step{Text: exam})
	claims, rejected, err := session.Refine(t.Context(), agreeing{m}, refining())
	if err != nil || rejected != 0 || len(claims) != 2 || claims[0].MessageID != 101 || claims[1].MessageID != 103 {
		t.Fatalf("Refine = %+v, %d rejected, %v, want a claim of each half", claims, rejected, err)
	}
	if halves := m.Prompts(); strings.Contains(halves[1].Messages[0].Text, "an exam") || strings.Contains(halves[2].Messages[0].Text, "I moved") {
		t.Error("the talk was not parted")
	}
}

func TestAnEndlessModelIsAskedAFewTimes(t *testing.T) {
	in := refining()
	for i := range 100 {
		in.Messages = append(in.Messages, model.Message{ID: int64(1000 + i), PersonID: 7, Name: "Ana", Text: "and so on", At: in.Messages[0].At})
	}
	endless := llm.Step{Text: `{"claims":[{"message":1,`, Stop: prompts.StopLength}
	m := llm.Script(slices.Repeat([]llm.Step{endless}, 100)...)
	if _, _, err := session.Refine(t.Context(), agreeing{m}, in); !errors.Is(err, prompts.ErrInvalidExtraction) {
		t.Errorf("Refine: %v, want ErrNotFiled", err)
	}
	if n := len(m.Prompts()); n != 4 {
		t.Errorf("asked %d times, want the whole, a half, a quarter and an eighth", n)
	}
}

func TestSummarise(t *testing.T) {
	m := llm.Script(llm.Step{Text: "Mira: Ana moved to Lagos."}, llm.Step{Text: "…"}, llm.Step{Text: "…"})
	if got, err := session.Summarize(t.Context(), agreeing{m}, refining()); err != nil || got != "Ana moved to Lagos." {
		t.Errorf("Summarise = %q, %v", got, err)
	}
	if got, err := session.Summarize(t.Context(), agreeing{m}, refining()); !errors.Is(err, modelvoice.ErrEmptyReply) || got != "" {
		t.Errorf("Summarise = %q, %v, want ErrNothingSaid", got, err)
	}
}
