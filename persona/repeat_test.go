package persona_test

import (
	"strings"
	"testing"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/persona/mind"
)

// TestSayingItAgainAddsNothing has the persona repeat a recalled fact a thousand times: beliefs, their confidence and their
// evidence stay the same.
func TestSayingItAgainAddsNothing(t *testing.T) {
	t.Parallel()
	s := play(t, nil)
	s.say("ann", "My cat is called Tom.")
	person, err := s.store.Log.PersonByHandle(t.Context(), s.message("ann", "").Author.Handle)
	if err != nil {
		t.Fatal(err)
	}
	believed := func() (beliefs []model.Belief) {
		t.Helper()
		room, err := s.store.Log.RoomByAddress(t.Context(), s.message("ann", "").Room)
		if err != nil {
			t.Fatal(err)
		}
		h, err := s.store.Log.Visibility(t.Context(), "tess", room.ID)
		if err != nil {
			t.Fatal(err)
		}
		if beliefs, err = s.store.Beliefs.Beliefs(t.Context(), h, belief.Filter{}); err != nil || len(beliefs) == 0 {
			t.Fatalf("believed is %+v, %v", beliefs, err)
		}
		return beliefs
	}
	before := believed()
	repeated := 0
	for range 1000 {
		if strings.Contains(s.say("ann", "What is my cat called?"), "Tom") {
			repeated++
		}
	}
	if repeated < 900 {
		t.Fatalf("the fact was repeated %d times only", repeated)
	}
	after := believed()
	if len(after) != len(before) {
		t.Fatalf("%d beliefs, before %d", len(after), len(before))
	}
	for i, b := range after {
		was := before[i]
		if len(b.Evidence) != len(was.Evidence) || mind.Confidence(b.Evidence, s.clock.Now()) != mind.Confidence(was.Evidence, s.clock.Now()) {
			t.Errorf("belief %q rests on %d quotes, before on %d", b.Value, len(b.Evidence), len(was.Evidence))
		}
	}
	inferred, err := s.store.Entries.ListMemories(t.Context(), entry.MemoryFilter{PersonID: person.ID, Limit: 5000})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range inferred {
		if m.Origin != model.OriginMessage || m.AuthorID != person.ID {
			t.Errorf("memory %d of origin %s came of it: %q", m.ID, m.Origin, m.Text)
		}
	}
}
