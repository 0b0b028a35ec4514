package persona_test

// S1: a notepad is shown where it was written, and nowhere else; it goes with its person and with what was said there.

import (
	"strings"
	"testing"

	"familiar/channels"
	"familiar/internal/llm/llmtest"
	"familiar/persona"
	"familiar/persona/tool"
	"familiar/persona/tool/scratchpad"
)

func padded(t *testing.T) func(*persona.Parts) {
	t.Helper()
	return func(p *persona.Parts) { logged(t, tool.DefaultLimits.Day, scratchpad.New(p.Store.Notepads))(p) }
}

func TestS1ANotepadStaysWhereItWasWritten(t *testing.T) {
	s, provider := tooled(t, padded(t),
		llmtest.Calls("", "scratchpad", `{"action":"write","text":"packing list: zinfandel"}`, "scratchpad", `{"action":"append","text":"socks"}`), llmtest.Says("Listed."),
		llmtest.Says("Next."))
	m, _ := s.told("ann", "Keep a packing list for me.")
	s.say("ann", "What comes next?")
	if !strings.Contains(last(provider).Prompt(), "notepad: packing list: zinfandel ⏎ socks") {
		t.Errorf("ann's prompt: %s", last(provider).Prompt())
	}
	s.say("ben", "Hello.")
	s.answer(s.group("ann", "Tess, hello.", true))
	for _, r := range provider.Requests()[3:] {
		if strings.Contains(r.Prompt(), "zinfandel") {
			t.Errorf("another prompt has it: %s", r.Prompt())
		}
	}
	s.hear(s.does("ann", channels.Delete, m.ID, ""))
	s.rest()
	s.say("ann", "And now?")
	if strings.Contains(last(provider).Prompt(), "notepad:") {
		t.Error("it is left after what was said there was forgotten")
	}
}

func TestS12AGroupsNotepadGoesWithThoseWhoSpokeThere(t *testing.T) {
	s, _ := tooled(t, padded(t), llmtest.Calls("", "scratchpad", `{"action":"write","text":"zinfandel"}`), llmtest.Says("Listed."), llmtest.Says("Hi."))
	s.answer(s.group("ann", "Tess, keep a list.", true))
	s.answer(s.group("ben", "Tess, hello.", true))
	if n := s.counted(`SELECT count(*) FROM notepads`); n != 1 {
		t.Fatalf("%d notepads", n)
	}
	ben := int64(s.counted(`SELECT person_id FROM handles WHERE handle = 'ben'`))
	if _, err := s.store.Eraser.ErasePerson(t.Context(), ben); err != nil {
		t.Fatal(err)
	}
	if n := s.counted(`SELECT count(*) FROM notepads`); n != 0 {
		t.Errorf("%d notepads are left", n)
	}
}

func TestANotepadIsBounded(t *testing.T) {
	s, provider := tooled(t, padded(t),
		llmtest.Calls("", "scratchpad", `{"action":"write","text":"`+strings.Repeat("long ", 1000)+`"}`, "scratchpad", `{"action":"tear"}`, "scratchpad", `{"action":"write"}`),
		llmtest.Says("It is too long."))
	s.say("ann", "Keep this.")
	for i, want := range []string{"at most 4096 bytes", "are wrong", `needs a "text"`} {
		if got := toolResults(last(provider))[i]; !strings.Contains(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}
