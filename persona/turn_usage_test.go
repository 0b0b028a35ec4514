package persona_test

// B5: an answer says what it cost: every request of every model that it took, under the prices of the ledger.

import (
	"strings"
	"testing"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/memory/budget"
	"familiar/memory/turns"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// usage returns what each answer of the first session used, in words without times, in the order of the answers.
func (s *stage) usage() (all []string) {
	s.t.Helper()
	messages, err := s.store.Turns.SessionMessages(s.t.Context(), 1)
	if err != nil {
		s.t.Fatal(err)
	}
	used, err := s.store.Turns.SessionUsage(s.t.Context(), 1)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, m := range messages {
		if m.PersonID == 0 {
			var words []string
			for _, u := range used[m.ID] {
				u.Took = 0
				words = append(words, u.String())
			}
			all = append(all, strings.Join(words, "; "))
		}
	}
	return all
}

// matchesLedger compares what the turns of the first session used with what the ledger was charged.
func (s *stage) matchesLedger() {
	s.t.Helper()
	used, err := s.store.Turns.SessionUsage(s.t.Context(), 1)
	if err != nil {
		s.t.Fatal(err)
	}
	var sum turns.Usage
	for _, all := range used {
		for _, u := range all {
			sum.Add(u)
		}
	}
	spent, err := s.store.Budget.Spent(s.t.Context(), "0000-01-01", "9999-12-31")
	if err != nil {
		s.t.Fatal(err)
	}
	var ledger turns.Usage
	for _, x := range spent {
		ledger.Add(turns.Usage{
			Requests: x.Requests, In: x.In + x.FailedIn, Out: x.Out + x.FailedOut, CacheRead: x.CacheRead, CacheWritten: x.CacheWritten,
			Cost: x.Cost + x.FailedCost,
		})
	}
	if sum.Took = 0; sum != ledger || sum.Requests == 0 {
		s.t.Errorf("the turns used %+v, the ledger has %+v", sum, ledger)
	}
}

// script is a model that gives one answer after another.
func script(answers ...prompts.Answer) modelvoice.Model {
	return modelFunc(func(prompts.Prompt) (prompts.Answer, error) {
		next := answers[0]
		answers = answers[1:]
		if next.Text == "down" {
			next.Text = ""
			return next, &llm.Error{Kind: llm.Server, Provider: "script"}
		}
		return next, nil
	})
}

func answering(text string, in, cached, out int) prompts.Answer {
	return prompts.Answer{Text: text, TokensIn: in, CacheRead: cached, TokensOut: out, Requests: 1, Stop: prompts.StopEnd}
}

func TestB5AnAnswerSaysWhatItCost(t *testing.T) {
	t.Parallel()
	big := script(
		answering("All right.", 1234, 900, 210),
		answering("", 1000, 0, 0), answering("Now I know.", 1100, 500, 20), // the first cannot be said
		answering("down", 0, 0, 0),
	)
	s := play(t, func(p *persona.Parts) {
		informed(p, modelvoice.Chain{
			{Model: big, Name: "big", Price: budget.Price{In: 2000, Out: 8000, CacheRead: 200}},
			{Model: script(answering("I am the other one.", 300, 0, 10)), Name: "small"},
		}, budget.Caps{})
	})
	for _, text := range []string{"Hello there.", "What do you know?", "Are you there?"} {
		s.say("ann", text)
	}
	want := []string{
		"1 call to big: 1,234 tokens in (900 from cache), 210 out, $0.0025",
		"2 calls to big: 2,100 tokens in (500 from cache), 20 out, $0.0035",
		"1 call to big: no tokens were counted; 1 call to small: 300 tokens in, 10 out, price unknown",
	}
	if got := s.usage(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("used\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	s.matchesLedger()
}

// TestB5HelpersCount counts the rounds of tools, and the helper that one of them is.
func TestB5HelpersCount(t *testing.T) {
	h := withHelper(t, helperBudget, budget.Caps{}, nil, delegates("Find it."),
		[]llmtest.Answer{llmtest.Calls("", "web", `{"query":"tide"}`), llmtest.Says("At nine.")}, reading{returning{"web", "Nine.", ""}})
	h.say("ann", "When is high tide?")
	got := h.usage()
	if len(got) != 1 || !strings.HasPrefix(got[0], "2 calls to ") || !strings.Contains(got[0], "; 2 calls to  for delegate: ") {
		t.Errorf("used %q, want two calls of each", got)
	}
	h.matchesLedger()
}

// TestB5WithoutAModelNothingIsKept has the plain voice answer, by itself and where a model failed.
func TestB5WithoutAModelNothingIsKept(t *testing.T) {
	t.Parallel()
	s := play(t, nil)
	s.say("ann", "My boat is called Esperanza.")
	if rows := s.counted(`SELECT count(*) FROM turn_usage`); rows != 0 {
		t.Errorf("the plain voice left %d rows", rows)
	}
	failing := play(t, func(p *persona.Parts) { informed(p, script(answering("down", 40, 0, 0)), budget.Caps{}) })
	failing.say("ann", "My boat is called Esperanza.")
	if got := failing.usage(); len(got) != 1 || got[0] != "1 call to : 40 tokens in, 0 out, price unknown" {
		t.Errorf("the call that failed is on record as %q", got)
	}
}

// TestB5WhatItCostGoesWithTheAnswer forgets an answer, and a person.
func TestB5WhatItCostGoesWithTheAnswer(t *testing.T) {
	t.Parallel()
	s := play(t, func(p *persona.Parts) {
		informed(p, counted(50, "The Esperanza, of course."), budget.Caps{})
	})
	m, _ := s.told("ann", "My boat is called Esperanza.")
	s.say("ben", "Hello there.")
	s.say("ben", "Hello again.")
	if rows := s.counted(`SELECT count(*) FROM turn_usage`); rows != 3 {
		t.Fatalf("%d rows, want one for each answer", rows)
	}
	s.hear(s.does("ann", channels.Delete, m.ID, ""))
	s.rest()
	if rows := s.counted(`SELECT count(*) FROM turn_usage`); rows != 2 {
		t.Errorf("%d rows after the answer to ann went, want 2", rows)
	}
	ben, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: "ben"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.store.Eraser.ErasePerson(t.Context(), ben.ID); err != nil {
		t.Fatal(err)
	}
	if rows := s.counted(`SELECT count(*) FROM turn_usage`); rows != 0 {
		t.Errorf("%d rows after ben went", rows)
	}
}
