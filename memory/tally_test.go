package memory_test

import (
	"maps"
	"testing"
	"time"

	"familiar/memory/turns"
)

// TestTallyCountsForEachPerson imports talk that is older than what was recorded before it.
func TestTallyCountsForEachPerson(t *testing.T) {
	w := newTown(t)
	mention := func(who, text string, entities ...string) turns.TurnResult {
		turn := w.turn("mira", w.message("club", who, text))
		turn.Heard[0].Annotation.Analysis.Entities = entities
		return w.record(turn)
	}
	r := w.say("club", "ann", "my interview is on Friday", plan("interview", w.clock.Now().AddDate(0, 0, 3)))
	mention("ann", "Rex and Rome", "Rex", "Rome")
	mention("bob", "Rex again", "Rex")
	loops, err := w.Beliefs.Loops(t.Context(), w.visibility("club", "ann"), w.person("ann"))
	if err != nil || len(loops) != 1 {
		t.Fatalf("loops %+v, %v", loops, err)
	}
	last := w.turn("mira", w.message("club", "ann", "the interview went well"))
	last.ClosedLoops = []int64{loops[0].ID}
	w.clock.Advance(48 * time.Hour) // it is recorded long after it was said
	w.record(last)

	tally := func(session int64) map[int64]turns.Tally {
		t.Helper()
		all, err := w.Turns.Sessions(t.Context(), turns.SessionFilter{Persona: "mira"})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if s.ID == session {
				got, err := w.Turns.Tally(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
		}
		t.Fatalf("no session %d", session)
		return nil
	}
	ann, bob := w.person("ann"), w.person("bob")
	want := map[int64]turns.Tally{
		0:   {NewTopics: 2, Achieved: 1},
		ann: {NewTopics: 2, Achieved: 1},
		bob: {NewTopics: 1},
	}
	if got := tally(r.SessionID); !maps.Equal(got, want) {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	next := w.turn("mira", w.message("", "bob", "Rex, and Oslo"))
	next.Heard[0].Annotation.Analysis.Entities = []string{"Rex", "Oslo"}
	want = map[int64]turns.Tally{0: {NewTopics: 1}, bob: {NewTopics: 1}}
	if got := tally(w.record(next).SessionID); !maps.Equal(got, want) {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}
