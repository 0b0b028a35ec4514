package memory_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"familiar/memory"
)

// TestS1AnArchiveHoldsOnlyWhatIsTheirs exports one of several people and looks for the words of each.
func TestS1AnArchiveHoldsOnlyWhatIsTheirs(t *testing.T) {
	w := newTown(t)
	turn := w.turn("mira", w.message("", "ann", "I keep a <b>ferret</b>"), fact("pet_name:ferret", "Gulliver"))
	turn.Reply.Text = "A ferret, how nice."
	w.record(turn)
	w.say("club", "ann", "I saw a heron")
	w.say("club", "bob", "Ann has a wombat")
	w.say("", "bob", "I drew an otter")
	for _, who := range []string{"ann", "bob"} {
		rooms, err := w.Turns.DirectRooms(t.Context(), w.person(who))
		if err == nil {
			err = w.Training.SetConsent(t.Context(), "mira", w.person(who), rooms[0].ID, true)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	files, err := w.Transfer.PersonArchive(t.Context(), w.person("ann"), time.UTC)
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	page := string(files[0].Content)
	for _, want := range []string{"I keep a &lt;b&gt;ferret&lt;/b&gt;", "A ferret, how nice.", "Gulliver", "heron", "console:ann", "2026-01-05 09:01", "<h2>Training of models with what was said</h2>", `mira</td><td class="text">allowed<`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	for _, f := range files {
		for _, others := range []string{"wombat", "otter", "bob"} {
			if strings.Contains(string(f.Content), others) {
				t.Errorf("%s holds %q of somebody else", f.Name, others)
			}
		}
	}
	if _, err := w.Transfer.PersonArchive(t.Context(), 99, time.UTC); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("nobody's archive: %v", err)
	}
}
