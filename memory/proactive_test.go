package memory_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// decisions renders what is stored about ann, as "subject reason".
func (w *town) decisions() (all []string) {
	w.t.Helper()
	kept, err := w.Turns.ProactiveDecisions(w.t.Context(), "mira", 0, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, d := range kept {
		all = append(all, d.Subject+" "+d.Reason)
	}
	slices.Sort(all)
	return all
}

// planned has ann plan a race, and mira ask first how it went.
func planned(t *testing.T) (w *town, loop model.Loop) {
	w = newTown(t)
	w.record(w.turn("mira", w.message("", "ann", "I'll run a race"), understand.Claim{Kind: rel.Plan, Relation: rel.Planned, Value: "run a race"}))
	h, err := w.Log.Visibility(t.Context(), "mira", 1)
	if err != nil {
		t.Fatal(err)
	}
	loops, err := w.Beliefs.Loops(t.Context(), h, 1)
	if err != nil || len(loops) != 1 {
		t.Fatal(loops, err)
	}
	m := w.message("", "ann", "")
	m.Arrival, m.Addressed, m.Proactive = true, false, "loop:1:after"
	asks := w.turn("mira", m)
	asks.Reply.Text, asks.AskedLoops, asks.Loops, asks.SpokenLoops = "How was the race?", []int64{loops[0].ID}, []int64{loops[0].ID}, []int64{loops[0].ID}
	asks.Asker, asks.Proactive = 1, &turns.ProactiveDecision{Subject: m.Proactive, Reason: "follow-up"}
	w.record(asks)
	return w, loops[0]
}

func TestProactiveDecisionsAreForgottenWithTheirTopic(t *testing.T) {
	w, loop := planned(t)
	h, err := w.Log.Visibility(t.Context(), "mira", 1)
	if err != nil {
		t.Fatal(err)
	}
	last, err := w.Turns.LastTurn(t.Context(), h)
	if err != nil || last.Proactive != "follow-up" {
		t.Errorf("why: %q, %v", last.Proactive, err)
	}
	if up, err := w.Turns.LastProactive(t.Context(), h); err != nil || up.Subject != "loop:1:after" {
		t.Errorf("last said unasked: %+v, %v", up, err)
	}
	if err := w.Turns.RecordDecisions(t.Context(), "mira", []turns.ProactiveDecision{{PersonID: 1, Subject: "loop:1:ahead", Reason: "gap", At: w.clock.Now()}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("race").ID); err != nil {
		t.Fatal(err)
	}
	if kept := w.decisions(); len(kept) != 1 || kept[0] == "loop:1:after follow-up" {
		t.Errorf("after loop %d is gone: %v", loop.ID, kept)
	}
	st, err := w.Turns.ProactiveState(t.Context(), "mira", 1, "2026-01-05")
	if err != nil || st.Spoke.IsZero() || st.Answered {
		t.Errorf("that it spoke is forgotten: %+v, %v", st, err)
	}
	w.say("", "ann", "hello")
	if _, err := w.Turns.LastProactive(t.Context(), h); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("still the last thing said: %v", err)
	}
	if st, err = w.Turns.ProactiveState(t.Context(), "mira", 1, "2026-01-05"); err != nil || !st.Answered {
		t.Errorf("answered: %+v, %v", st, err)
	}
}

func TestProactiveDecisionsArePrunedExceptTheLastSent(t *testing.T) {
	w, _ := planned(t)
	withheld := []turns.ProactiveDecision{{PersonID: 1, Subject: "loop:1:ahead", Reason: "gap", At: w.clock.Now()}}
	for range 3 {
		if err := w.Turns.RecordDecisions(t.Context(), "mira", withheld); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := w.Turns.ProactiveDecisions(t.Context(), "mira", 1, 0)
	if i := slices.IndexFunc(kept, func(d turns.ProactiveDecision) bool { return !d.Sent }); err != nil || len(kept) != 2 || kept[i].Times != 3 {
		t.Errorf("stored %+v, %v", kept, err)
	}
	w.clock.Advance(91 * 24 * time.Hour)
	if _, err := w.Eraser.Prune(t.Context(), w.clock.Now()); err != nil {
		t.Fatal(err)
	}
	if kept := w.decisions(); !slices.Equal(kept, []string{"loop:1:after follow-up"}) {
		t.Errorf("stored %v", kept)
	}
}

// TestProactiveMessagesMakeNobodyKnown queues a proactive message to people it does not know, and in rooms it was never in.
func TestProactiveMessagesMakeNobodyKnown(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "hello")
	m := w.message("", "bob", "")
	m.Arrival, m.Proactive = true, "loop:1:after"
	if _, _, err := w.Turns.UpsertParticipant(t.Context(), m); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("somebody unknown: %v", err)
	}
	m = w.message("", "ann", "")
	m.Arrival, m.Proactive, m.Room.ID = true, "loop:1:after", "elsewhere"
	if _, _, err := w.Turns.UpsertParticipant(t.Context(), m); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("somewhere unknown: %v", err)
	}
	if people, err := w.Log.People(t.Context()); err != nil || len(people) != 1 {
		t.Errorf("known %v, %v", people, err)
	}
}

func TestSpeakUpReservesOneOfTheDay(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "hello")
	m := w.message("", "ann", "")
	m.Arrival, m.Addressed, m.Proactive = true, false, "loop:1:after"
	speak := func(id string, judge bool) bool {
		t.Helper()
		m.ID = id
		handed, err := w.Turns.QueueProactive(t.Context(), turns.ProactiveRequest{Persona: "mira", Room: 1, Day: "2026-01-05", Message: m},
			func(turns.ProactiveState) bool { return judge })
		if err != nil {
			t.Fatal(err)
		}
		return handed
	}
	if speak("a", false) || !speak("a", true) || speak("a", true) || !speak("b", true) {
		t.Error("handed over against the judge, not at all, or twice")
	}
	for day, want := range map[string]int{"2026-01-05": 2, "2026-01-06": 0} {
		if st, err := w.Turns.ProactiveState(t.Context(), "mira", 1, day); err != nil || st.Today != want {
			t.Errorf("%s: %d were set aside, want %d, %v", day, st.Today, want, err)
		}
	}
	pending, err := w.Log.Pending(t.Context(), "mira", channels.Room{Channel: "console", ID: "dm/ann"}, 10)
	if err != nil || len(pending) != 2 || pending[0].Message.Proactive != "loop:1:after" {
		t.Errorf("pending %+v, %v", pending, err)
	}
}
