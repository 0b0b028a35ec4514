package main

// Bad input: a limit of 0. It is no limit, as everywhere in the configuration; never allows no model. The doctor says which.

import (
	"strings"
	"testing"

	"familiar/internal/llm/llmtest"
)

func TestBadInputALimitOf0(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ limits, want string }{
		{"", "for each person at most 9000000 tokens a day; for each room at most 20000000 tokens a day; for everybody together at most 40000000 tokens a day"},
		{"limits: {tokens_per_person_per_day: 0, tokens_per_day: 0}\n", "for each person no limit (0; never would allow no model); for each room at most 20000000 tokens a day; for everybody together no limit (0"},
		{"limits: {tokens_per_person_per_day: 0, dollars_per_person_per_day: 0.5, dollars_per_month: 30}\n", "for each person at most $0.5 a day; for each room at most 20000000 tokens a day; for everybody together at most 40000000 tokens a day, $30 a month"},
		{"limits: {tokens_per_day: never}\n", "for each person at most 9000000 tokens a day; for each room at most 20000000 tokens a day; for everybody together no model at all (never)"},
		{"limits: {dollars_per_person_per_month: never}\n", "for each person no model at all (never)"},
	} {
		p := llmtest.Serve(t, able(llmtest.Says(`{"ready": true}`)))
		r := familiar(t, configHome(t, p, c.limits), keyed, "", "doctor")
		if !strings.Contains(r.out, "limits\tok\t") || !strings.Contains(r.out, c.want) {
			t.Errorf("%s: nothing of %q in\n%s", c.limits, c.want, r.out)
		}
	}
}

// TestBadInputA0LimitsNothing talks under a limit of 0 in tokens and in dollars, and under never.
func TestBadInputA0LimitsNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limits string
		model  bool
	}{
		{"limits: {tokens_per_person_per_day: 0, tokens_per_day: 0, dollars_per_day: 0}\n", true},
		{"limits: {tokens_per_person_per_day: never}\n", false},
		{"limits: {dollars_per_day: never}\n", false},
	} {
		p := llmtest.Serve(t, llmtest.Says("A fine evening."))
		talk := start(t, configHome(t, p, c.limits), keyed, "chat", "--as", "Ann")
		said := talk.ask("My cat is called Tom.")
		talk.leave()
		if (said == "A fine evening.") != c.model || len(p.Requests()) > 0 != c.model || said == "" {
			t.Errorf("%s: it said %q after %d requests", c.limits, said, len(p.Requests()))
		}
	}
}
