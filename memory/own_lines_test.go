package memory_test

import (
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/recall"
)

// S12: a reply that repeats what is forgotten goes with it, also if it repeats a reply that was made from it.

// ownLine is a reply as it is recalled.
func ownLine(reply int64, text string) recall.Item {
	return recall.Item{Own: true, Why: "matches", Lines: []model.SnippetLine{{MessageID: reply, Text: text}}}
}

// items counts what is on record of what shaped the replies.
func (w *town) items() (n int) {
	w.t.Helper()
	if err := w.db().QueryRow(`SELECT count(*) FROM turn_items`).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestTheContextOfATalkDoesNotGrowThroughOwnLines(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I keep a ferret")
	m := w.memoryOf("ferret")
	lines := []recall.Item{{MemoryID: m.ID, Why: "matches"}}
	for _, what := range []string{"the boat", "the harbour", "the old lamp", "the ferry", "the stairs"} {
		w.say("", "ann", "I like "+what)
		lines = append(lines, recall.Item{MemoryID: w.memoryOf(what).ID, Why: "matches"})
	}
	most := 0
	for turn := range 12 {
		t1 := w.turn("mira", w.message("", "ann", "and then?"))
		t1.Reply.Text, t1.Context, t1.Used = "The ferret again.", lines, []int64{m.ID}
		before := w.items()
		r := w.record(t1)
		lines = append(lines, ownLine(r.ReplyID, t1.Reply.Text))
		if added := w.items() - before; turn > 0 {
			most = max(most, added)
		}
		lines = lines[max(0, len(lines)-10):]
	}
	if most > 11 {
		t.Errorf("a turn with 10 items, some of them own lines, left %d on record", most)
	}
}

func TestForgetFollowsOwnLines(t *testing.T) {
	for name, c := range map[string]struct {
		later string
		stays bool
	}{
		"repeated": {"As I said, the ferret.", false},
		"not":      {"Good night.", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			w.say("", "ann", "I keep a ferret")
			m := w.memoryOf("ferret")
			first := w.turn("mira", w.message("club", "ann", "guess"))
			first.Reply.Text, first.Context = "The ferret, I suppose.", []recall.Item{{MemoryID: m.ID, Why: "matches"}}
			r := w.record(first)
			later := w.turn("mira", w.message("hall", "ann", "what did you say?"))
			later.Reply.Text, later.Context = c.later, []recall.Item{ownLine(r.ReplyID, first.Reply.Text)}
			again := w.record(later)
			if _, err := w.Eraser.Forget(t.Context(), m.ID); err != nil {
				t.Fatal(err)
			}
			for id, stays := range map[int64]bool{r.ReplyID: false, again.ReplyID: c.stays} {
				if reply, err := w.Message(t.Context(), id); err != nil || (reply.Text != "") != stays {
					t.Errorf("reply %d reads %q, %v", id, reply.Text, err)
				}
			}
		})
	}
}

// TestForgetFindsLoopsThatWereOnlyShown has an open loop in the prompt of a voice that does not report what it used: the reply
// goes if it repeats the loop's words.
func TestForgetFindsLoopsThatWereOnlyShown(t *testing.T) {
	for reply, stays := range map[string]bool{"How was the interview?": false, "Good morning.": true} {
		w := newTown(t)
		w.say("", "ann", "I have an interview", plan("interview", time.Time{}))
		loops, err := w.Beliefs.Loops(t.Context(), w.visibility("", "ann"), w.person("ann"))
		if err != nil || len(loops) != 1 {
			t.Fatalf("%+v, %v", loops, err)
		}
		turn := w.turn("mira", w.message("club", "ann", "morning"))
		turn.Reply.Text, turn.Loops = reply, []int64{loops[0].ID}
		before := w.items()
		r := w.record(turn)
		if w.items() != before {
			t.Errorf("%q: a loop that it does not speak of has a row", reply)
		}
		if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("interview").ID); err != nil {
			t.Fatal(err)
		}
		if m, err := w.Message(t.Context(), r.ReplyID); err != nil || (m.Text != "") != stays {
			t.Errorf("%q reads %q afterwards, %v", reply, m.Text, err)
		}
	}
}

func TestWhyShowsLoopsThatWereOnlyShown(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I have an interview", plan("interview", time.Time{}))
	turn := w.turn("mira", w.message("", "ann", "morning"))
	turn.Loops = []int64{1}
	w.record(turn)
	why, err := w.Turns.LastTurn(t.Context(), w.visibility("", "ann"))
	if err != nil || len(why.Items) != 1 || why.Items[0].LoopID != 1 || why.Items[0].Used {
		t.Errorf("it was made with %+v, %v", why.Items, err)
	}
}
