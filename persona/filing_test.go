package persona_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/mind"
	"familiar/persona/session"
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
	t.Parallel()
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

// TestF1RamblingIsReadWithinMinutes plays ten messages that no rule understands: five minutes after the last one, what
// they tell is known, though the session goes on and scored nothing. Each message is read once.
func TestF1RamblingIsReadWithinMinutes(t *testing.T) {
	lines := []string{
		"tiens", "bref la journée fut longue", "mon frangin Théo bosse à la boulangerie du port", "voilà", "et toi sinon",
		"il pleut encore", "rien de spécial", "enfin si", "on verra", "bon",
	}
	var read []string
	m := llm.Answering(func(p prompts.Prompt) string {
		switch p.Name {
		case "extract":
			_, unread, _ := strings.Cut(p.Messages[0].Text, "NEW")
			read = append(read, unread)
			if n := numberIn(prompts.Prompt{Messages: []prompts.Message{{Text: unread}}}, "", "Théo"); n > 0 {
				return filed(t, prompts.Extracted{
					State: "new", Message: n, Quote: "mon frangin Théo bosse à la boulangerie du port", Subject: "Théo", Kind: "work",
					Relation: "works_at", Value: "boulangerie du port", Sentence: "Le frère d'ann, Théo, travaille à la boulangerie du port.",
				})
			}
			return filed(t)
		case "check":
			return `{"said": ["A"]}`
		}
		return "They talked."
	})
	s := play(t, func(p *persona.Parts) { p.Model = m })
	for _, line := range lines {
		s.say("ann", line)
	}
	s.readAll()
	learned := s.believed()
	if len(learned) != 1 || learned[0].Subject != "Théo" || learned[0].Sentence != "Le frère d'ann, Théo, travaille à la boulangerie du port." || learned[0].ByModel {
		t.Fatalf("known is %+v", learned)
	}
	s.say("ann", "encore une chose")
	s.readAll()
	s.clock.Advance(time.Hour)
	if _, err := s.engine.Sessions().CloseIdleOnce(t.Context(), 0, s.clock.Now()); err != nil {
		t.Fatal(err)
	}
	s.readAll()
	for _, line := range append(lines, "encore une chose") {
		if n := strings.Count(strings.Join(read, "\n"), "ann: "+line+"\n"); n != 1 {
			t.Errorf("%q was read %d times", line, n)
		}
	}
	if s.unrefined() != 0 {
		t.Error("the session is left unread")
	}
}

// TestF1TalkIsReadBeforeItIsFolded talks without a pause until the talk is folded: no message is folded before a model has
// read it.
func TestF1TalkIsReadBeforeItIsFolded(t *testing.T) {
	read := map[string]bool{}
	s := play(t, func(p *persona.Parts) {
		p.Settings.RecentMessages = 20
		p.Model = llm.Answering(func(p prompts.Prompt) string {
			for line := range strings.Lines(p.Messages[0].Text) {
				if _, said, ok := strings.Cut(line, "ann: "); ok {
					read[strings.TrimSpace(said)] = true
				}
			}
			return filed(t)
		})
	})
	for i := range 25 {
		s.say("ann", fmt.Sprintf("the tale went on with part %d", i))
	}
	folded := 0
	untold, err := s.store.Turns.Uncompacted(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 25 {
		line := fmt.Sprintf("the tale went on with part %d", i)
		if !containsText(untold, line) {
			folded++
			if !read[line] {
				t.Errorf("%q was folded unread", line)
			}
		}
	}
	if folded == 0 {
		t.Fatal("nothing was folded: the test shows nothing")
	}
}

func containsText(all []model.Message, text string) bool {
	for _, m := range all {
		if m.Text == text {
			return true
		}
	}
	return false
}

// TestF2ItemsAreComparedWithWhatIsKnown has the model state the same, a change, an end, a taste that changes, and a plan of
// a relative.
func TestF2ItemsAreComparedWithWhatIsKnown(t *testing.T) {
	var claims func(p prompts.Prompt) []prompts.Extracted
	s := play(t, func(p *persona.Parts) {
		p.Model = llm.Answering(func(p prompts.Prompt) string {
			switch p.Name {
			case "extract":
				return filed(t, claims(p)...)
			case "check":
				return `{"said": ["A", "B", "C", "D", "E"]}`
			}
			return "They talked."
		})
	})
	for _, fact := range []string{"I work as a nurse.", "I live in Lisbon.", "I like tea."} {
		s.say("ann", fact)
	}
	s.say("ann", "still at it on the ward, night shifts only now")
	s.say("ann", "gave back the keys of the flat, it's Coimbra from now on")
	s.say("ann", "tea does nothing for me these days, give me maté")
	s.say("ann", "oh and my sister Nerea moves on the 1st!!")
	claims = func(p prompts.Prompt) []prompts.Extracted {
		at := func(text string) int { return numberIn(p, "", text) }
		return []prompts.Extracted{
			{State: "same", ID: numberIn(p, "#", "nurse"), Message: at("ward"), Quote: "still at it on the ward", Relation: "works_as", Value: "nurse", Sentence: "ann still works as a nurse on the ward."},
			{State: "changes", ID: numberIn(p, "#", "Lisbon"), Message: at("keys"), Quote: "it's Coimbra from now on", Relation: "lives_in", Value: "Coimbra", Sentence: "ann lives in Coimbra now."},
			{State: "changes", ID: numberIn(p, "#", "tea"), Message: at("maté"), Quote: "give me maté", Relation: "likes", Kind: "taste", Value: "maté", Sentence: "ann likes maté now."},
			{State: "new", Message: at("Nerea"), Quote: "my sister Nerea moves on the 1st", Subject: "Nerea", Kind: "plan", Relation: "plan", Value: "move", Sentence: "Nerea moves on the 1st.", Due: "2026-02-01", Sensitive: true},
		}
	}
	s.readAll()
	want := map[string]string{
		"works_as nurse": "ann still works as a nurse on the ward.", "lives_in Coimbra": "ann lives in Coimbra now.",
		"likes maté": "ann likes maté now.", "plan move": "Nerea moves on the 1st.",
	}
	for _, b := range s.believed() {
		key := b.Relation + " " + b.Value
		if b.Status != model.Active {
			if key != "lives_in Lisbon" && key != "likes tea" {
				t.Errorf("%s has ended", key)
			}
			continue
		}
		if sentence, ok := want[key]; ok {
			if b.Sentence != sentence {
				t.Errorf("%s is %q", key, b.Sentence)
			}
			if b.Sensitive != (b.Relation == "plan") {
				t.Errorf("%s is sensitive: %v", key, b.Sensitive)
			}
			delete(want, key)
		} else if key == "lives_in Lisbon" || key == "likes tea" {
			t.Errorf("%s still holds", key)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing %v in %+v", want, s.believed())
	}
	loops, err := s.store.Beliefs.Loops(t.Context(), s.visibility("ann"), 1)
	if err != nil || len(loops) != 1 || loops[0].Text != "Nerea: move" || loops[0].DueFrom.Format(time.DateOnly) != "2026-02-01" {
		t.Errorf("open is %+v, %v", loops, err)
	}
}

// visibility is what tess may repeat in a room: the direct one of a person, or "group".
func (s *stage) visibility(who string) memory.Visibility {
	s.t.Helper()
	rooms, err := s.store.Log.Rooms(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range rooms {
		if r.Room.ID == who {
			h, err := s.store.Log.Visibility(s.t.Context(), "tess", r.ID)
			if err != nil {
				s.t.Fatal(err)
			}
			return h
		}
	}
	s.t.Fatalf("no room of %s", who)
	return memory.Visibility{}
}

// TestF3AnUnconfirmedChangeIsAskedAbout lists what the persona may ask, once; when the person says it in words that the
// rules read, it holds.
func TestF3AnUnconfirmedChangeIsAskedAbout(t *testing.T) {
	s := play(t, func(p *persona.Parts) {
		p.Model = scribe(t, "", prompts.Extracted{
			State: "new", Message: 3, Quote: "it's Coimbra from now on", Kind: "home", Relation: "lives_in", Value: "Coimbra", Sentence: "ann lives in Coimbra now.",
		})
	})
	s.say("ann", "I live in Lisbon.")
	s.say("ann", "it's Coimbra from now on")
	s.readAll()
	ask, err := s.store.Beliefs.ToConfirm(t.Context(), s.visibility("ann"), 1)
	if err != nil || len(ask) != 1 || ask[0].Belief.Sentence != "ann lives in Coimbra now." || ask[0].Instead.Value != "Lisbon" {
		t.Fatalf("to ask is %+v, %v", ask, err)
	}
	s.say("ann", "I moved to Coimbra.")
	for _, b := range s.believed() {
		if b.Status == model.Active && b.Relation == "lives_in" && (b.Value != "Coimbra" || b.ByModel) {
			t.Errorf("%s holds: %+v", b.Value, b)
		}
	}
	if ask, err = s.store.Beliefs.ToConfirm(t.Context(), s.visibility("ann"), 1); err != nil || len(ask) != 0 {
		t.Errorf("still to ask is %+v, %v", ask, err)
	}
}

// TestF4SummariesSayWhatTheLinesSay has a model invent a name, a number and a feeling.
func TestF4SummariesSayWhatTheLinesSay(t *testing.T) {
	m := llm.Answering(func(p prompts.Prompt) string {
		if p.Name == "check" {
			return `{"said": ["A"]}`
		}
		return "Ana moved to Lagos. She met Zoë there. She has 3 cats. Rui resents the bakery."
	})
	got, err := session.Summarize(t.Context(), m, refining())
	if err != nil || got != "Ana moved to Lagos." {
		t.Errorf("Summarize = %q, %v", got, err)
	}
}

// TestF6AnOutageIsCaughtUp ends sessions during three weeks in which the model is down: afterwards all are read.
func TestF6AnOutageIsCaughtUp(t *testing.T) {
	down := true
	s := play(t, func(p *persona.Parts) {
		p.Model = modelFunc(func(p prompts.Prompt) (prompts.Answer, error) {
			if down {
				return prompts.Answer{}, &llm.Error{Kind: llm.Server, Provider: "script"}
			}
			text := map[string]string{"extract": `{"claims": []}`, "check": `{"said": ["A"]}`, "summary": "They talked."}[p.Name]
			return prompts.Answer{Text: text, Stop: prompts.StopEnd}, nil
		})
	})
	for day := range 21 {
		s.say("ann", fmt.Sprintf("day %d, nothing much", day))
		s.clock.Advance(24 * time.Hour)
		if _, err := s.engine.Sessions().CloseIdleOnce(t.Context(), 0, s.clock.Now()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.engine.Sessions().RefineOnce(t.Context(), int64(day+1), s.clock.Now()); err == nil && day > 3 {
			t.Error("an outage went unnoticed")
		}
	}
	down = false
	for range 2 {
		s.readAll()
	}
	if n := s.unrefined(); n != 0 {
		t.Errorf("%d sessions were never read", n)
	}
}

// TestP15ThePersonReadsAndForgetsTheirPortrait shows it by /memory in their direct room, and in no group.
func TestP15ThePersonReadsAndForgetsTheirPortrait(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "I live in Lisbon.")
	h := s.visibility("ann")
	made, err := s.store.Lifecycle.Infer(t.Context(), "tess", 1, []lifecycle.Inference{{
		Audience: h.Room().Audience(), Kind: model.Portrait, Sector: model.Reflective, Text: "ann is at home in Lisbon.", Salience: 0.9,
		Sources: []int64{1}, About: []int64{1},
	}})
	if err != nil || made.Memories != 1 {
		t.Fatalf("made %+v, %v", made, err)
	}
	if got := s.say("ann", "/memory"); !strings.Contains(got, "ann is at home in Lisbon.") {
		t.Errorf("/memory says %q", got)
	}
	if got := s.say("ann", fmt.Sprintf("/forget %d", made.IDs[0])); !strings.Contains(got, "Forgotten") {
		t.Errorf("/forget says %q", got)
	}
	if got := s.say("ann", "/memory"); strings.Contains(got, "ann is at home in Lisbon.") {
		t.Errorf("afterwards /memory says %q", got)
	}
}

// TestF3NothingIsDisplacedAcrossRooms tells a group the truth, and has a model misread a private message.
func TestF3NothingIsDisplacedAcrossRooms(t *testing.T) {
	s := play(t, func(p *persona.Parts) {
		p.Model = llm.Answering(func(p prompts.Prompt) string {
			switch n := numberIn(p, "", "Madrid"); {
			case p.Name == "check":
				return `{"said": []}`
			case n > 0:
				return filed(t, prompts.Extracted{Message: n, Quote: "in Madrid", Relation: "lives_in", Kind: "home", Value: "Madrid", Sentence: "ann lives in Madrid."})
			}
			return filed(t)
		})
	})
	s.answer(s.group("ann", "I live in Lisbon.", true))
	s.say("ann", "maybe we end up in Madrid one day")
	s.readAll()
	held, err := s.store.Beliefs.Beliefs(t.Context(), s.visibility("ann"), belief.Filter{Relations: []string{"lives_in"}})
	if err != nil || len(held) != 1 || held[0].Value != "Lisbon" {
		t.Errorf("held is %+v, %v", held, err)
	}
}
