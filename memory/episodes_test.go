package memory_test

import (
	"testing"

	"familiar/memory/turns"
)

// TestNoEpisodeIsReadOnceItsMessageIsErased reads the episodes of a session again after one was added and after a message
// of one was forgotten.
func TestNoEpisodeIsReadOnceItsMessageIsErased(t *testing.T) {
	w := newTown(t)
	first := w.say("club", "ann", "We sailed to Skye.")
	second := w.say("club", "ann", "There I bought a red kite.")
	h := w.visibility("club", "ann")
	told := func() (texts []string) {
		t.Helper()
		episodes, err := w.Turns.Episodes(t.Context(), h, first.SessionID)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range episodes {
			texts = append(texts, e.Text)
		}
		return texts
	}
	compact := func(text string, message int64) {
		t.Helper()
		if err := w.Turns.Compact(t.Context(), first.SessionID, []turns.NewEpisode{{Text: text, Salience: 0.5, Sources: []int64{message}}}); err != nil {
			t.Fatal(err)
		}
	}
	compact("They sailed to Skye.", first.MessageIDs[0])
	if got := told(); len(got) != 1 {
		t.Fatalf("told %q", got)
	}
	compact("Ann bought a kite.", second.MessageIDs[0])
	if got := told(); len(got) != 2 || got[1] != "Ann bought a kite." {
		t.Errorf("after another: %q", got)
	}
	said, err := w.Log.MemoriesFromMessages(t.Context(), first.MessageIDs)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Eraser.Forget(t.Context(), said[0]); err != nil {
		t.Fatal(err)
	}
	if got := told(); len(got) != 1 || got[0] != "Ann bought a kite." {
		t.Errorf("after it was forgotten: %q", got)
	}
}
