package compare

import (
	"strings"
	"testing"
)

func TestAScenarioThatSaysNothingIsRefused(t *testing.T) {
	_, err := read("bad.yaml", []byte(`
title: Bad
persona: nell
person: Ann
sessions:
  - with: Ann
    at: 2026-01-02T10:00:00Z
    says: [one]
  - with: Ann
    at: 2026-01-01T10:00:00Z
    says: []
probe:
  at: 2026-01-01T09:00:00Z
  asks:
    - ask: What?
      fact: nothing of the kind
facts:
  - fact: a fact without wordings
`))
	if err == nil {
		t.Fatal("it is taken")
	}
	for _, want := range []string{
		"does not come after the session before", "says: is empty", "does not come after the last session",
		"is none of the facts", "needs a fact and wordings",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told of: %v", want, err)
		}
	}
}

// TestEveryScenarioIsComplete checks that each story meets the requirements of a useful scenario.
func TestEveryScenarioIsComplete(t *testing.T) {
	scenarios, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenarios {
		own, others := 0, 0
		for _, sitting := range s.Sessions {
			if sitting.With == s.Person {
				own++
			} else {
				others++
			}
		}
		if own < 3 || others == 0 || len(s.Facts) < 10 || len(s.Foreign) == 0 || len(s.Probe.Asks) < 2 {
			t.Errorf("%s has %d sessions, %d of others, %d facts, %d foreign ones, %d questions",
				s.Name, own, others, len(s.Facts), len(s.Foreign), len(s.Probe.Asks))
		}
	}
}
