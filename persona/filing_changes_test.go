package persona_test

import (
	"strings"
	"testing"

	"familiar/internal/llm"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// TestF2AnEventEndsAPlan files a plan, and then an event that calls it off: the plan ends only if a second reading finds
// in the lines that it is over.
func TestF2AnEventEndsAPlan(t *testing.T) {
	for _, agrees := range []bool{true, false} {
		s := play(t, func(p *persona.Parts) {
			p.Model = llm.Answering(func(p prompts.Prompt) string {
				switch spots := numberIn(p, "", "spots"); {
				case p.Name == "check" && agrees:
					return `{"said": ["A", "B"]}`
				case p.Name == "check":
					return `{"said": []}`
				case p.Name == "extract" && spots > 0:
					return filed(t, prompts.Extracted{
						State: "changes", ID: numberIn(p, "#", "dinner on the 18th"), Message: spots, Quote: "the lamb's cancelled", Subject: "Carly",
						Kind: "event", Relation: "event", Value: "cancelled", Sentence: "Carly's children have spots, so the dinner is cancelled.",
					})
				case p.Name == "extract":
					return filed(t, prompts.Extracted{
						Message: numberIn(p, "", "carly wants"), Quote: "carly wants me for sunday dinner on the 18th", Kind: "plan", Relation: "plan",
						Value: "dinner at Carly's", Sentence: "Carly wants ann for Sunday dinner on the 18th.", Due: "2026-01-18",
					})
				}
				return "They talked."
			})
		})
		s.say("ann", "carly wants me for sunday dinner on the 18th")
		s.readAll()
		s.say("ann", "carly's lot have spots, so the lamb's cancelled")
		s.readAll()
		holds := false
		for _, b := range s.believed() {
			holds = holds || b.Status == model.Active && b.Sentence == "Carly wants ann for Sunday dinner on the 18th."
		}
		if holds == agrees {
			t.Errorf("second reading agrees: %v, the plan holds: %v", agrees, holds)
		}
	}
}

// TestF2TwoChangesOfOnePlanBothCount moves a plan to another place and another hour in one talk.
func TestF2TwoChangesOfOnePlanBothCount(t *testing.T) {
	s := play(t, func(p *persona.Parts) {
		p.Model = llm.Answering(func(p prompts.Prompt) string {
			change := func(quote, sentence string) prompts.Extracted {
				return prompts.Extracted{
					State: "changes", ID: numberIn(p, "#", "plays at the Farolito"), Message: numberIn(p, "", quote), Quote: quote, Kind: "plan", Relation: "plan",
					Value: quote, Sentence: sentence, Due: "2026-06-20",
				}
			}
			switch {
			case p.Name == "check":
				return `{"said": ["A", "B"]}`
			case p.Name == "extract" && numberIn(p, "", "Chelo lends") > 0:
				return filed(t, change("Chelo lends the yard", "ann's band plays in Chelo's yard."), change("at five", "They begin at five."))
			case p.Name == "extract":
				return filed(t, prompts.Extracted{
					Message: 1, Quote: "we play at the Farolito on June 20 at seven", Kind: "plan", Relation: "plan", Value: "play at the Farolito",
					Sentence: "ann's band plays at the Farolito on June 20 at seven.", Due: "2026-06-20",
				})
			}
			return "They talked."
		})
	})
	s.say("ann", "we play at the Farolito on June 20 at seven")
	s.readAll()
	s.say("ann", "Chelo lends the yard, same day")
	s.say("ann", "and it has to begin at five")
	s.readAll()
	var sentences []string
	for _, b := range s.believed() {
		if b.Status == model.Active && b.Sentence != "" {
			sentences = append(sentences, b.Sentence)
		}
	}
	if all := strings.Join(sentences, " "); !strings.Contains(all, "Chelo's yard") || !strings.Contains(all, "at five") || strings.Contains(all, "Farolito") {
		t.Errorf("believed: %s", all)
	}
}

// TestF2APromiseIsReplaced has the persona promise one thing and then another instead: only the second stays open.
func TestF2APromiseIsReplaced(t *testing.T) {
	s := play(t, func(p *persona.Parts) {
		p.Model = llm.Answering(func(p prompts.Prompt) string {
			promise := prompts.Extracted{Subject: "you", Kind: "promise", Relation: "promise", Sentence: "tess promises."}
			switch {
			case p.Name == "extract" && numberIn(p, "", "220 it is") > 0:
				promise.State, promise.ID = "changes", numberIn(p, "#", "you promised: “We bake at 240")
				promise.Message, promise.Quote = numberIn(p, "", "220 it is"), "220 it is, not 240."
				return filed(t, promise)
			case p.Name == "extract":
				promise.Message, promise.Quote = numberIn(p, "", "We bake at 240"), "We bake at 240 tomorrow."
				return filed(t, promise)
			case p.Name == "reply" && strings.Contains(p.Messages[len(p.Messages)-1].Text, "hotter"):
				return "220 it is, not 240."
			case p.Name == "reply":
				return "We bake at 240 tomorrow."
			}
			return "They talked."
		})
		p.Voice = modelvoice.NewVoice(p.Model, modelvoice.Meter{Store: p.Store, Now: p.Now, Persona: "tess"}, 0, 0)
	})
	open := func() (texts []string) {
		loops, err := s.store.Beliefs.Loops(t.Context(), s.visibility("ann"), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range loops {
			if l.Own && l.Kind == belief.LoopPromise {
				texts = append(texts, l.Text)
			}
		}
		return texts
	}
	s.say("ann", "how hot should it be")
	s.readAll()
	if got := open(); len(got) != 1 || got[0] != "We bake at 240 tomorrow." {
		t.Fatalf("open are %q", got)
	}
	s.say("ann", "my oven runs hotter than it says")
	s.readAll()
	if got := open(); len(got) != 1 || got[0] != "220 it is, not 240." {
		t.Errorf("open are %q", got)
	}
}

// TestF2AGroupEndsWhatWasToldInPrivate has a person move a plan in a group that they told in private: the private plan ends,
// and no prompt that shows the group's notes has it.
func TestF2AGroupEndsWhatWasToldInPrivate(t *testing.T) {
	const private, moved = "ann opens a second shop on 1 November.", "The opening is put off to 6 December."
	asked := 0
	s := play(t, func(p *persona.Parts) {
		p.Model = llm.Answering(func(p prompts.Prompt) string {
			text := p.Messages[0].Text
			switch opening := numberIn(p, "", "opening cannot"); {
			case p.Name == "check" && strings.Contains(text, "no longer so: "+private):
				asked++
				if !strings.Contains(text, "opening cannot") || strings.Contains(text, "I told ben") {
					t.Errorf("the second reading is shown: %s", text)
				}
				return `{"said": ["A"]}`
			case p.Name == "check":
				return `{"said": []}`
			case opening > 0:
				if strings.Contains(text, private) {
					t.Errorf("the group's reading shows a private note: %s", text)
				}
				return filed(t, prompts.Extracted{
					Message: opening, Quote: "opening cannot 1 November, push to 6 December", Kind: "plan", Relation: "plan", Value: "opening", Sentence: moved, Due: "2026-12-06",
				})
			case p.Name == "extract":
				return filed(t, prompts.Extracted{
					Message: 1, Quote: "I open a second shop, 1 November", Kind: "plan", Relation: "plan", Value: "second shop", Sentence: private, Due: "2026-11-01",
				})
			}
			return "They talked."
		})
	})
	s.say("ann", "I open a second shop, 1 November")
	s.readAll()
	s.answer(s.group("ben", "I told ben nothing", true))
	s.answer(s.group("ann", "opening cannot 1 November, push to 6 December", true))
	s.readAll()
	held, err := s.store.Beliefs.Beliefs(t.Context(), s.visibility("ann"), belief.Filter{Relations: []string{"plan"}})
	if err != nil || asked != 1 {
		t.Fatalf("asked %d times: %v", asked, err)
	}
	sentences := ""
	for _, b := range held {
		sentences += b.Sentence + " "
	}
	if strings.Contains(sentences, private) || !strings.Contains(sentences, moved) {
		t.Errorf("ann's room holds: %s", sentences)
	}
}

// TestF2SomebodyElseMovesAPlanInAGroup has ann plan something in a group, and ben move it there: it is due on the new day,
// if a second reading confirms it.
func TestF2SomebodyElseMovesAPlanInAGroup(t *testing.T) {
	for _, said := range []string{`"A"`, ""} {
		s := play(t, func(p *persona.Parts) {
			p.Model = llm.Answering(func(p prompts.Prompt) string {
				switch moved := numberIn(p, "", "8 May it is"); {
				case p.Name == "check":
					return `{"said": [` + said + `]}`
				case p.Name == "extract" && moved > 0:
					return filed(t, prompts.Extracted{
						State: "changes", ID: numberIn(p, "#", "from 24 April"), Message: moved, Quote: "8 May it is", Kind: "plan", Relation: "plan",
						Value: "8 May", Sentence: "The weekend is from 8 May.", Due: "2026-05-08",
					})
				case p.Name == "extract":
					return filed(t, prompts.Extracted{
						Message: numberIn(p, "", "24 April"), Quote: "the house is free on 24 April", Kind: "plan", Relation: "plan", Value: "the weekend",
						Sentence: "The weekend is from 24 April.", Due: "2026-04-24",
					})
				}
				return "They talked."
			})
		})
		s.answer(s.group("ann", "the house is free on 24 April", true))
		s.readAll()
		s.answer(s.group("ben", "8 May it is", true))
		s.readAll()
		loops, err := s.store.Beliefs.Loops(t.Context(), s.visibility("group"), 1)
		if err != nil || len(loops) != 1 {
			t.Fatalf("open are %+v, %v", loops, err)
		}
		if day := loops[0].DueFrom.Format("2006-01-02"); (day == "2026-05-08") != (said != "") {
			t.Errorf("second reading %q: due on %s", said, day)
		}
	}
}
