package persona_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// chatter returns distinguishable small talk.
func chatter(r *rand.Rand, i int) string {
	topics := []string{"the garden gate", "my old bicycle", "the choir on Tuesday", "a letter from Lisbon", "the leaking roof"}
	said := fmt.Sprintf("Number %d is about %s.", i, topics[i/12%len(topics)])
	return said + strings.Repeat(" It went on for a while and nothing came of it.", r.IntN(4))
}

// listen sends texts that expect no answer, a few seconds apart.
func (s *stage) listen(who string, texts ...string) {
	s.t.Helper()
	for i, text := range texts {
		s.clock.Advance(5 * time.Second)
		m := s.message(who, text)
		m.Addressed = false
		s.hear(m)
		if i%40 == 39 {
			s.rest()
		}
	}
	s.rest()
}

// talk returns the latest session in a person's direct room, and its visibility.
func (s *stage) talk(who string) (memory.Visibility, model.Session) {
	s.t.Helper()
	room, err := s.store.Log.RoomByAddress(s.t.Context(), channels.Room{Channel: "desk", ID: who})
	if err != nil {
		s.t.Fatal(err)
	}
	h, err := s.store.Log.Visibility(s.t.Context(), "tess", room.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	session, err := s.store.Turns.LatestSession(s.t.Context(), "tess", room.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return h, session
}

// checkNothingLost checks that each message of a person's session is either in the voice's context or covered by exactly one
// episode.
func checkNothingLost(t *testing.T, s *stage, who string) (told int) {
	t.Helper()
	h, session := s.talk(who)
	all, err := s.store.Turns.SessionMessages(t.Context(), session.ID)
	if err != nil {
		t.Fatal(err)
	}
	recent, err := s.store.Recall.Recent(t.Context(), h, testSettings().RecentMessages)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[int64]int{}
	for _, m := range recent {
		shown[m.ID]++
	}
	episodes, err := s.store.Turns.Episodes(t.Context(), h, session.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range episodes {
		m, err := s.store.Entries.Memory(t.Context(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		told += len(m.Sources)
		for _, id := range m.Sources {
			shown[id]++
		}
	}
	for _, m := range all {
		if m.Text != "" && shown[m.ID] != 1 {
			t.Fatalf("message %d (%q) is shown %d times, want once", m.ID, m.Text, shown[m.ID])
		}
	}
	return told
}

func TestALongSessionIsCompactedWithoutLoss(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := play(t, func(p *persona.Parts) { p.Settings.PromptBudget = 1200 + r.IntN(3000) })
		told := 0
		for i := range 120 {
			if i%7 == 0 {
				s.say("ann", fmt.Sprintf("What do you think of number %d?", i))
			} else {
				s.listen("ann", chatter(r, i))
			}
			told = checkNothingLost(t, s, "ann")
		}
		if told < 80 {
			t.Errorf("seed %d: only %d messages were compacted", seed, told)
		}
	}
}

func TestEarlyFactsOfALongSessionStayKnown(t *testing.T) {
	t.Parallel()
	s := play(t, func(p *persona.Parts) { p.Settings.PromptBudget = 6000 })
	s.listen("ann", "My dog is called Milo.", "I hid the brass telescope behind the piano.")
	r := rand.New(rand.NewPCG(7, 7))
	var texts []string
	for i := range 2000 {
		texts = append(texts, chatter(r, i))
	}
	s.listen("ann", texts...)
	if told := checkNothingLost(t, s, "ann"); told < 1900 {
		t.Errorf("only %d messages were compacted", told)
	}
	for question, want := range map[string]string{
		"What is my dog called?": "Milo", "Where did I hide the brass telescope?": "behind the piano",
	} {
		if got := s.say("ann", question); !strings.Contains(got, want) {
			t.Errorf("%s is answered %q", question, got)
		}
	}
}

// TestAnEpisodeSummarizesTheStartOfABook pastes a book: the episode covers its beginning and does not search the rest.
func TestAnEpisodeSummarizesTheStartOfABook(t *testing.T) {
	s := play(t, nil)
	s.listen("ann", "My cat is called Tom."+strings.Repeat(" It went on and on.", 1000)+" My dog is called Rex.")
	for i := range 60 {
		s.listen("ann", fmt.Sprintf("So, number %d.", i))
	}
	h, session := s.talk("ann")
	episodes, err := s.store.Turns.Episodes(t.Context(), h, session.ID)
	if err != nil || len(episodes) == 0 {
		t.Fatal(episodes, err)
	}
	if told := episodes[0].Text; !strings.Contains(told, "Tom") || strings.Contains(told, "Rex") {
		t.Errorf("it tells %q", told)
	}
}

func TestAnEpisodeIsForgottenWithItsMessage(t *testing.T) {
	s := play(t, func(p *persona.Parts) { p.Settings.PromptBudget = 1600 })
	s.listen("ann", "The password of the shed is Gulliver.")
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		s.listen("ann", chatter(r, i))
	}
	h, session := s.talk("ann")
	before, err := s.store.Turns.Episodes(t.Context(), h, session.ID)
	if err != nil || len(before) == 0 || !strings.Contains(before[0].Text, "Gulliver") {
		t.Fatalf("episodes %+v, %v: want one that tells of Gulliver", before, err)
	}
	found, err := s.store.Recall.Find(t.Context(), h, recall.Query{Text: "password of the shed", Now: s.clock.Now()})
	if err != nil || len(found.Hits) == 0 {
		t.Fatal(found, err)
	}
	if _, err := s.store.Eraser.Forget(t.Context(), found.Hits[0].Memory.ID); err != nil {
		t.Fatal(err)
	}
	after, err := s.store.Turns.Episodes(t.Context(), h, session.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range after {
		if strings.Contains(e.Text, "Gulliver") {
			t.Errorf("the episode still tells it: %q", e.Text)
		}
	}
	if len(after) != len(before)-1 {
		t.Errorf("%d episodes are left of %d", len(after), len(before))
	}
	s.listen("ann", "And on we go.") // the other messages of the episode return and are compacted again
	checkNothingLost(t, s, "ann")
}

func TestAPromptSummarizesEarlierMessages(t *testing.T) {
	var last prompts.Prompt
	m := llm.Answering(func(p prompts.Prompt) string {
		last = p
		return "Go on."
	})
	s := play(t, func(p *persona.Parts) {
		p.Settings.PromptBudget = 1600
		p.Voice = modelvoice.NewVoice(m, modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now}, 0, 0)
	})
	s.listen("ann", "The shed key hangs under the fig tree.")
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		s.listen("ann", chatter(r, i))
	}
	s.say("ann", "So?")
	if first := last.Messages[0].Text; !strings.Contains(first, "Earlier in this talk:") || !strings.Contains(first, "summed up | ") ||
		!strings.Contains(first, "fig tree") {
		t.Errorf("the prompt begins with\n%s", first)
	}
	if turn := last.Messages[len(last.Messages)-1].Text; !strings.Contains(turn, "This talk has run long") {
		t.Errorf("the turn does not say so:\n%s", turn)
	}
	h, _ := s.talk("ann")
	view, err := s.store.Turns.LastTurn(t.Context(), h)
	if err != nil || !slices.ContainsFunc(view.Items, func(i turns.TurnItem) bool { return i.Reason == "earlier in this talk" }) {
		t.Errorf("the answer does not rest on the episodes: %+v, %v", view.Items, err)
	}
}
