package persona_test

import (
	"testing"

	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/scene"
)

// TestFactsInTheRecentTalkAreReadOnlyIfTheCardSaysSo gives the voice a line without a stored analysis that states a fact
// about the world.
func TestFactsInTheRecentTalkAreReadOnlyIfTheCardSaysSo(t *testing.T) {
	for _, without := range []bool{false, true} {
		v := &echo{}
		s := play(t, func(p *persona.Parts) { p.Voice, p.Card.WithoutFacts = v, without })
		s.say("ann", "The author of Dune is Frank Herbert.")
		s.dropAnalyses()
		s.say("ann", "Is that so?")
		var line scene.Line
		for _, l := range v.scenes[len(v.scenes)-1].Recent {
			if !l.Self {
				line = l
			}
		}
		if line.Stored.Version != 0 || line.Parsed.Version != 0 || line.Text == "" {
			t.Fatalf("the line is %+v, want one without an analysis", line)
		}
		if claims := line.Analysis().Claims; len(claims) == 0 != without {
			t.Errorf("without facts %v, it states %+v", without, claims)
		}
	}
}

// dropAnalyses removes the stored analyses of all messages, as in a file of the first schema.
func (s *stage) dropAnalyses() {
	s.t.Helper()
	db := memorytest.SQL(s.t, s.store.Path())
	defer db.Close()
	if _, err := db.Exec(`UPDATE messages SET analysis = '', analysis_version = 0`); err != nil {
		s.t.Fatal(err)
	}
}
