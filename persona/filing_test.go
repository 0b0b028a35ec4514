package persona_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/mind"
	"familiar/prompts"
)

// F1: every session with unread lines is read, whatever it scored; talk is read before it is folded; what was said is
// known within five minutes of a pause.
// F2: the model sees what is believed and says per item whether it is new, the same, a change or an end; the fact is kept
// as a sentence, with a verbatim quote as its proof.
// F3: what only a model read is marked, stays below certainty, displaces nothing, and may be asked about.
// F6: a useless answer is not read; what was missed is caught up.

// scribe is a model that extracts the given claims and, on the second reading, finds the given statements in the lines.
func scribe(t *testing.T, said string, claims ...prompts.Extracted) *llm.Scripted {
	return llm.Answering(func(p prompts.Prompt) string {
		switch p.Name {
		case "extract":
			return filed(t, claims...)
		case "check":
			return `{"said": [` + said + `]}`
		}
		return "They talked."
	})
}

// readAll lets the model read what is unread of the running sessions after a pause of four minutes.
func (s *stage) readAll() {
	s.t.Helper()
	s.clock.Advance(4 * time.Minute)
	if _, err := s.engine.Sessions().RefineOnce(s.t.Context(), 7, s.clock.Now()); err != nil {
		s.t.Fatal(err)
	}
}

// believed returns all beliefs of tess.
func (s *stage) believed() []model.Belief {
	s.t.Helper()
	all, err := s.store.Beliefs.ListBeliefs(s.t.Context(), belief.Filter{Persona: "tess", IncludeHistory: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// TestF3FalseClaimsDisplaceNothing has a model file eleven false claims with real quotes after three facts were told: none
// displaces them, and none is certain. Once the second reading disagrees, once its answer is of no use.
func TestF3FalseClaimsDisplaceNothing(t *testing.T) {
	facts := []string{"My name is Ana.", "I live in Lisbon.", "I work as a nurse."}
	for _, tt := range []struct {
		name, said string
		claim      prompts.Extracted
	}{
		{"a brother's name", "my brother is called Tomas by the way", prompts.Extracted{Quote: "called Tomas", Relation: "name", Kind: "fact", Value: "Tomas", Sentence: "Ana's name is Tomas."}},
		{"a supposed move", "maybe we end up in Madrid one day", prompts.Extracted{Quote: "in Madrid", Relation: "lives_in", Kind: "home", Value: "Madrid", Sentence: "Ana lives in Madrid."}},
		{"an ex's job", "he was a pilot back when we were together", prompts.Extracted{Quote: "a pilot", Relation: "works_as", Kind: "work", Value: "pilot", Sentence: "Ana works as a pilot."}},
		{"a joke", "haha yes and i'm the queen of Sweden", prompts.Extracted{Quote: "i'm the queen of Sweden", Relation: "works_as", Kind: "work", Value: "queen of Sweden", Sentence: "Ana is the queen of Sweden."}},
		{"a quotation of a film", "and then she goes 'my name is Elena, I come from the sea'", prompts.Extracted{Quote: "my name is Elena", Relation: "name", Kind: "fact", Value: "Elena", Sentence: "Ana's name is Elena."}},
		{"a plan of a friend", "Bea flies to Oslo on Friday", prompts.Extracted{Quote: "to Oslo", Relation: "lives_in", Kind: "home", Value: "Oslo", Sentence: "Ana lives in Oslo."}},
		{"a dream", "last night in my dream I was married to Viktor", prompts.Extracted{Quote: "I was married to Viktor", Relation: "spouse", Kind: "kin", Value: "Viktor", Sentence: "Ana is married to Viktor."}},
		{"an earlier address", "the flat back then in Braga was tiny", prompts.Extracted{State: "changes", Quote: "in Braga", Relation: "lives_in", Kind: "home", Value: "Braga", Sentence: "Ana lives in Braga."}},
		{"sarcasm", "sure, because lying to Marta is my job now", prompts.Extracted{State: "changes", Quote: "lying to Marta is my job now", Relation: "works_as", Kind: "work", Value: "lying to Marta", Sentence: "Ana works at lying to Marta."}},
		{"a question", "do you think Annie suits me", prompts.Extracted{Quote: "Annie suits me", Relation: "call_me", Kind: "instruction", Value: "Annie", Sentence: "Ana wants to be called Annie."}},
		{"a wish", "I'd love to live in Porto", prompts.Extracted{State: "changes", Quote: "live in Porto", Relation: "lives_in", Kind: "home", Value: "Porto", Sentence: "Ana lives in Porto."}},
	} {
		for _, second := range []string{"", `"Z"`, `"none of them`} {
			t.Run(tt.name+" "+second, func(t *testing.T) {
				claim := tt.claim
				s := play(t, func(p *persona.Parts) {
					p.Model = llm.Answering(func(p prompts.Prompt) string {
						switch p.Name {
						case "extract":
							claim.ID, claim.Message = 0, numberIn(p, "", claim.Quote)
							if claim.State == "changes" {
								claim.ID = numberIn(p, "#", map[string]string{"lives_in": "lives in Lisbon", "works_as": "nurse"}[claim.Relation])
							}
							return filed(t, claim)
						case "check":
							return `{"said": [` + second + `]}`
						}
						return "They talked."
					})
				})
				for _, fact := range facts {
					s.say("ann", fact)
				}
				s.say("ann", tt.said)
				before := s.believed()
				s.readAll()
				for _, b := range before {
					for _, now := range s.believed() {
						if now.ID == b.ID && (now.Status != b.Status || now.Value != b.Value || now.ReplacedWhy != b.ReplacedWhy) {
							t.Errorf("%s %s is now %s (%s)", b.Relation, b.Value, now.Status, now.ReplacedWhy)
						}
					}
				}
				filed := 0
				for _, b := range s.believed() {
					if strings.EqualFold(b.Value, claim.Value) && b.Relation == claim.Relation {
						filed++
						if !b.ByModel || mind.Confidence(b.Evidence, s.clock.Now()) > 0.8 {
							t.Errorf("%s %s is certain: %+v", b.Relation, b.Value, b)
						}
					}
				}
				if filed != 1 {
					items, err := s.engine.Sessions().PreviewSession(t.Context(), 1, true)
					t.Errorf("filed %d times: %+v, %v", filed, items, err)
				}
			})
		}
	}
}

// numberIn returns the number of the first line of a prompt that has a text: of a known fact after "#", else of a message.
func numberIn(p prompts.Prompt, mark, text string) (n int) {
	for line := range strings.Lines(p.Messages[0].Text) {
		if strings.Contains(line, text) {
			if _, err := fmt.Sscanf(line, mark+"%d", &n); err == nil {
				return n
			}
		}
	}
	return 0
}
