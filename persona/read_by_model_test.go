package persona_test

import (
	"testing"

	"familiar/persona"
	"familiar/prompts"
)

// TestF1WhatAModelReadIsKnownByMessage checks that exactly the messages a model has read count as read, and the memories
// made from them.
func TestF1WhatAModelReadIsKnownByMessage(t *testing.T) {
	s := play(t, func(p *persona.Parts) {
		p.Model = scribe(t, "", []prompts.Extracted(nil)...)
	})
	read := func() (messages, memories int) {
		t.Helper()
		all := make([]int64, 20)
		for i := range all {
			all[i] = int64(i + 1)
		}
		r, err := s.store.Turns.ReadByModel(t.Context(), all, all)
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Messages), len(r.Memories)
	}
	s.say("ann", "I fly to Oslo on Friday.")
	if messages, memories := read(); messages != 0 || memories != 0 {
		t.Errorf("before: %d messages and %d memories are read", messages, memories)
	}
	s.readAll()
	messages, memories := read()
	if messages == 0 || memories == 0 {
		t.Errorf("after: %d messages and %d memories are read", messages, memories)
	}
	s.say("ann", "Bea came along to the harbour.")
	if again, _ := read(); again != messages {
		t.Errorf("%d messages are read after another one, want %d", again, messages)
	}
}
