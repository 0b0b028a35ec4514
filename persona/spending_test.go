package persona_test

// B1: the default caps let somebody talk all evening; who has little left of a cap is told once, in their language, and once
// more when it is used up. A failed call is charged to nobody.
// B2: the models of a role stand in for one another, each under its own name and price.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/llm"
	"familiar/memory/budget"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/prompts"
)

// informed is the voice as the program makes it: a model with the plain voice as fallback, and notices about caps.
func informed(p *persona.Parts, m modelvoice.Model, caps budget.Caps) {
	meter := modelvoice.Meter{Store: p.Store, Persona: p.Card.Key, Caps: caps, Now: p.Now}
	voice := plain.New()
	p.Voice = modelvoice.Informing(modelvoice.Fallback(modelvoice.NewVoice(m, meter, p.Settings.PromptBudget, 0), voice), meter, voice)
}

// counted is a model whose calls cost so many tokens each.
func counted(tokens int, text string) modelvoice.Model {
	return modelFunc(func(prompts.Prompt) (prompts.Answer, error) {
		return prompts.Answer{Text: text, TokensIn: tokens, Stop: prompts.StopEnd}, nil
	})
}

// TestB1SomebodyCanTalkAllEvening sends 500 short messages in one evening under the default caps: a model answers each.
func TestB1SomebodyCanTalkAllEvening(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	asked, tokens := 0, 0
	m := llm.Answering(func(p prompts.Prompt) string {
		asked++
		tokens += p.Tokens()
		return fmt.Sprintf("That is good to hear, tell me more about it. (%d)", asked)
	})
	s := play(t, func(p *persona.Parts) {
		p.Settings.PromptBudget = app.EngineSettings(cfg, time.UTC).PromptBudget
		informed(p, m, app.CapsOf(cfg.Limits))
	})
	for i := range 500 {
		s.clock.Advance(30 * time.Second)
		said := s.say("ann", fmt.Sprintf("We walked on to the %s and talked about number %d.", []string{"harbour", "market", "old town", "beach"}[i%4], i))
		if !strings.Contains(said, fmt.Sprintf("(%d)", i+1)) || strings.Contains(said, "used up") {
			t.Fatalf("message %d: %q", i, said)
		}
	}
	t.Logf("%d prompts of %d tokens on average", asked, tokens/asked)
	// Even the longest prompts leave room for 500 short messages and replies of 100 tokens.
	if most := 500 * (app.MostPrompt + 100); int(cfg.Limits.TokensPerPersonPerDay) < most {
		t.Errorf("the default is %v tokens, want %d", cfg.Limits.TokensPerPersonPerDay, most)
	}
}

// TestB1PeopleAreToldOnceThatLittleIsLeft goes through a day's cap: at 10 % left one line is added, and another to the plain
// voice's first answer. The next day all begins again.
func TestB1PeopleAreToldOnceThatLittleIsLeft(t *testing.T) {
	s := play(t, func(p *persona.Parts) {
		informed(p, counted(5000, "Of course."), budget.Caps{PersonDay: budget.Amount{Tokens: 120_000}, Month: budget.Amount{Tokens: 1_000_000}})
	})
	for day := range 2 {
		var low, out, model int
		for i := range 30 {
			said := s.say("ann", fmt.Sprintf("I went to the market, for the time number %d.", i))
			model += strings.Count(said, "Of course.")
			low += strings.Count(said, "nearly used up")
			out += strings.Count(said, "today is used up") + strings.Count(said, "That was today's share")
			if low == 1 && model < 17 {
				t.Fatalf("day %d: told too early, after %d answers: %q", day, model, said)
			}
		}
		if low != 1 || out != 1 || model < 18 || model > 24 {
			t.Errorf("day %d: told %d times that little is left and %d times that nothing is, after %d answers", day, low, out, model)
		}
		s.clock.Advance(24 * time.Hour)
	}
}

// TestB1PeopleAreToldInTheirLanguage uses up a cap in each language of the plain voice, and somebody in need is told nothing.
func TestB1PeopleAreToldInTheirLanguage(t *testing.T) {
	for _, c := range []struct{ text, day, month string }{
		{"I am on my way home from the market with two bags.", "today", "this month"},
		{"Ich bin mit zwei Taschen auf dem Weg vom Markt nach Hause.", "heute", "diesen Monat"},
		{"Voy de camino a casa desde el mercado con dos bolsas.", "hoy", "este mes"},
		{"Je rentre du marché à la maison avec deux sacs.", "aujourd'hui", "ce mois-ci"},
	} {
		for _, monthly := range []bool{false, true} {
			caps, want := budget.Caps{PersonDay: budget.Amount{Cost: budget.Dollars(0.001)}}, c.day
			if monthly {
				caps, want = budget.Caps{Month: budget.Amount{Tokens: 10}}, c.month
			}
			s := play(t, func(p *persona.Parts) {
				informed(p, modelvoice.Chain{{Model: counted(1, "No."), Name: "m", Price: budget.PerMillion(100, 100)}}, caps)
			})
			if said := s.say("ann", "I don't want to live anymore."); strings.Count(said, "\n\n") > 0 && strings.Contains(said, want) {
				t.Errorf("in need: %q", said)
			}
			s = play(t, func(p *persona.Parts) {
				informed(p, modelvoice.Chain{{Model: counted(1, "No."), Name: "m", Price: budget.PerMillion(100, 100)}}, caps)
			})
			_, line, _ := strings.Cut(s.say("ann", c.text), "\n\n")
			if !strings.Contains(line, want) && !(c.day == "heute" && strings.Contains(line, "heutiger")) && !(c.day == "aujourd'hui" && strings.Contains(line, "du jour")) {
				t.Errorf("%q is answered with the line %q, want %q", c.text, line, want)
			}
			if again := s.say("ann", c.text); strings.Contains(again, "\n\n") {
				t.Errorf("told again: %q", again)
			}
		}
	}
}

// TestB1NobodyIsToldOfNever has the operator allow people no model: they are not told of a cap.
func TestB1NobodyIsToldOfNever(t *testing.T) {
	m := llm.Script(llm.Step{Text: "No."})
	s := play(t, func(p *persona.Parts) { informed(p, m, budget.Caps{PersonDay: budget.Amount{Tokens: budget.Never}}) })
	if said := s.say("ann", "My cat is called Tom."); strings.Contains(said, "\n\n") || len(m.Prompts()) > 0 {
		t.Errorf("said %q after %d prompts", said, len(m.Prompts()))
	}
	if why := s.say("ann", "/why"); !strings.HasSuffix(why, "the model may not be used here.") {
		t.Errorf("/why says %q", why)
	}
}

// TestB2TheNextModelStandsIn has the first model of a role fail in different ways.
func TestB2TheNextModelStandsIn(t *testing.T) {
	down := &llm.Error{Kind: llm.Server, Provider: "first"}
	prompt := prompts.Prompt{Name: "reflect", MaxTokens: 10}
	for name, c := range map[string]struct {
		first, second llm.Step
		want          string
		asked         int // of the second
	}{
		"works":       {llm.Step{Text: "one"}, llm.Step{Text: "two"}, "one", 0},
		"down":        {llm.Step{Err: down}, llm.Step{Text: "two"}, "two", 1},
		"wrong key":   {llm.Step{Err: &llm.Error{Kind: llm.Auth}}, llm.Step{Text: "two"}, "two", 1},
		"both down":   {llm.Step{Err: down}, llm.Step{Err: &llm.Error{Kind: llm.Timeout, Provider: "second"}}, "", 1},
		"half said":   {llm.Step{Text: "on", Err: down}, llm.Step{Text: "two"}, "on", 0},
		"empty":       {llm.Step{Err: &llm.Error{Kind: llm.Empty}}, llm.Step{Text: "two"}, "", 0},
		"other fault": {llm.Step{Err: errors.New("no")}, llm.Step{Text: "two"}, "", 0},
	} {
		store := memorytest.Open(t)
		second := llm.Script(c.second)
		chain := modelvoice.Chain{
			{Model: llm.Script(c.first), Name: "first", Price: budget.PerMillion(1000, 1000)}, {Model: second, Name: "second"},
		}
		ctx := modelvoice.WithJob(t.Context(), "reflect")
		answer, err := meter(store).For(0, chain).Generate(ctx, prompt, func(string) {})
		if answer.Text != c.want || (err == nil) != (c.want == "one" || c.want == "two") || len(second.Prompts()) != c.asked {
			t.Errorf("%s: %q, %v, asked the second %d times", name, answer.Text, err, len(second.Prompts()))
		}
		if name == "both down" && (!strings.Contains(err.Error(), "first") || !strings.Contains(err.Error(), "second")) {
			t.Errorf("%s: the error tells only %v", name, err)
		}
		spent, err := store.Budget.Spent(t.Context(), "2026-01-05", "2026-01-05")
		if err != nil || len(spent) != 1+c.asked {
			t.Errorf("%s: spent %+v, %v", name, spent, err)
		}
		for _, row := range spent {
			if row.Job != "reflect" || row.Requests != 1 || (row.Cost > 0) != (row.Model == "first" && c.want == "one") {
				t.Errorf("%s: the ledger has %+v", name, row)
			}
		}
	}
}

// TestB2ACheaperModelStandsInForACap has a cap in money that only the first model counts towards.
func TestB2ACheaperModelStandsInForACap(t *testing.T) {
	charge := meter(memorytest.Open(t))
	charge.Caps.Day.Cost = budget.Dollars(0.000001)
	chain := modelvoice.Chain{
		{Model: llm.Script(), Name: "dear", Price: budget.PerMillion(10, 10)}, {Model: llm.Script(llm.Step{Text: "Here."}), Name: "free"},
	}
	answer, err := charge.For(0, chain).Generate(context.Background(), prompts.Prompt{Name: "reflect", MaxTokens: 10}, nil)
	if err != nil || answer.Text != "Here." {
		t.Errorf("%q, %v", answer.Text, err)
	}
}
