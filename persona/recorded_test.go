package persona_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/memorytest"
	"familiar/persona"
)

// elsewhere returns a conversation of 2024 in a room of its own: what Ann says, and after "<" what the persona answers.
func (s *stage) elsewhere(texts ...string) (lines []persona.Recorded) {
	at := time.Date(2024, time.March, 4, 10, 0, 0, 0, time.UTC)
	for i, text := range texts {
		text, own := strings.CutPrefix(text, "<")
		m := s.message("ann", text)
		m.ID, m.Room, m.Addressed = string(rune('a'+i)), channels.Room{Channel: "desk", ID: "import/1"}, false
		m.At = at.Add(time.Duration(i) * time.Minute)
		lines = append(lines, persona.Recorded{Message: m, Own: own})
	}
	return lines
}

func TestARecordedConversationIsRememberedAtItsTime(t *testing.T) {
	clock := &memorytest.Clock{}
	s := playOn(t, memorytest.OpenFile(t, filepath.Join(t.TempDir(), "familiar.db"), clock), clock, nil)
	talk := s.elsewhere("<Good morning, Ann. Do you have a sister?", "My sister Eva lives in Oslo.", "<Your brother Max lives in Lisbon.",
		"/forget me", "my password is hunter2", "I bought a blue bicycle.")
	fresh, err := s.engine.RecordConversation(t.Context(), talk)
	if err != nil || fresh != len(talk) {
		t.Fatalf("%d new, %v", fresh, err)
	}
	again, err := s.engine.RecordConversation(t.Context(), append(talk, s.elsewhere("", "", "", "", "", "", "I sold it again.")[6]))
	if err != nil || again != 1 {
		t.Fatalf("recorded again: %d new, %v", again, err)
	}
	if _, err := s.engine.Sessions().CloseIdleOnce(t.Context(), 0, clock.Now()); err != nil {
		t.Fatal(err)
	}

	memories, err := s.store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "tess"})
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, m := range memories {
		if m.AuthorID != 0 && m.Created.Year() == 2024 {
			said++
		}
		if strings.Contains(m.Text, "Lisbon") || strings.Contains(m.Text, "hunter2") {
			t.Errorf("memory %q", m.Text)
		}
	}
	if said != 5 {
		t.Errorf("%d memories of what Ann said, want 5", said)
	}
	beliefs, err := s.store.Beliefs.ListBeliefs(t.Context(), belief.Filter{Persona: "tess", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range beliefs {
		if strings.Contains(b.Subject+b.Value, "Max") || strings.Contains(b.Value, "Lisbon") {
			t.Errorf("what the persona said is believed: %+v", b)
		}
	}
	answer := s.answer(s.message("ann", "When did I buy a bicycle?"))
	if !strings.Contains(answer, "March 2024") || !strings.Contains(answer, "bicycle") {
		t.Errorf("asked when: %q", answer)
	}
	if answer := s.answer(s.message("ben", "When did Ann buy a bicycle?")); strings.Contains(answer, "2024") {
		t.Errorf("somebody else hears: %q", answer)
	}
}

// TestARecordedConversationForgottenStaysForgotten: importing a file again brings nothing back.
func TestARecordedConversationForgottenStaysForgotten(t *testing.T) {
	clock := &memorytest.Clock{}
	s := playOn(t, memorytest.OpenFile(t, filepath.Join(t.TempDir(), "familiar.db"), clock), clock, nil)
	talk := s.elsewhere("I bought a blue bicycle.", "<Good.")
	if _, err := s.engine.RecordConversation(t.Context(), talk); err != nil {
		t.Fatal(err)
	}
	memories, err := s.store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "tess"})
	if err != nil || len(memories) != 1 {
		t.Fatalf("%d memories, %v", len(memories), err)
	}
	if _, err := s.store.Eraser.Forget(t.Context(), memories[0].ID); err != nil {
		t.Fatal(err)
	}
	if fresh, err := s.engine.RecordConversation(t.Context(), talk); err != nil || fresh != 0 {
		t.Errorf("recorded again: %d new, %v", fresh, err)
	}
	memories, err = s.store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "tess"})
	if err != nil || len(memories) != 0 {
		t.Errorf("%d memories after forgetting, %v", len(memories), err)
	}
}

func TestARecordedConversationWithoutAnAuthorIsRefused(t *testing.T) {
	s := play(t, nil)
	talk := s.elsewhere("Hello.")
	talk[0].Author.Handle.ID = ""
	if _, err := s.engine.RecordConversation(t.Context(), talk); !errors.Is(err, log.ErrMalformed) {
		t.Errorf("error %v", err)
	}
}
