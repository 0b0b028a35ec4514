package memory_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/erase"
	"familiar/memory/internal/dbtest"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
)

// sendAll sends everything that waits.
func (w *town) sendAll() {
	w.t.Helper()
	rooms, err := w.Log.OutboxRooms(w.t.Context(), "mira")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, room := range rooms {
		for {
			o, err := w.Log.NextOutbox(w.t.Context(), "mira", room.ID)
			if errors.Is(err, memory.ErrNotFound) {
				break
			}
			if err == nil {
				err = w.Log.MarkChunkSent(w.t.Context(), o, log.SentChunk{Last: true})
			}
			if err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// waiting returns the texts that wait to be sent.
func (w *town) waiting() (texts []string) {
	w.t.Helper()
	rooms, err := w.Log.OutboxRooms(w.t.Context(), "mira")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, room := range rooms {
		o, err := w.Log.NextOutbox(w.t.Context(), "mira", room.ID)
		if err != nil {
			w.t.Fatal(err)
		}
		texts = append(texts, o.Text)
	}
	return texts
}

// command records a command of somebody that is answered with text and shows memories.
func (w *town) command(who, command, text string, memories ...int64) {
	w.t.Helper()
	if err := w.Log.AnswerCommand(w.t.Context(), w.commandAnswer(who, command, text, memories...)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *town) commandAnswer(who, command, text string, memories ...int64) log.CommandAnswer {
	w.t.Helper()
	m := w.message("", who, command)
	_, room, err := w.Turns.UpsertParticipant(w.t.Context(), m)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.Log.Accept(w.t.Context(), "mira", m); err != nil {
		w.t.Fatal(err)
	}
	pending, err := w.Log.Pending(w.t.Context(), "mira", m.Room, 1)
	if err != nil || len(pending) != 1 {
		w.t.Fatalf("pending %v, %v", pending, err)
	}
	return log.CommandAnswer{
		Persona: "mira", InboxID: pending[0].ID, Room: room, Key: "c-" + m.ID, Text: text, Memories: memories,
	}
}

func plan(what string, on time.Time) understand.Claim {
	c := understand.Claim{Kind: rel.Plan, Relation: "plan", Value: what, Many: true, Quote: what}
	if !on.IsZero() {
		c.Span = &when.Span{From: on, Until: on.AddDate(0, 0, 1)}
	}
	return c
}

// onDisk reports whether a file of the store contains any of the texts.
func (w *town) onDisk(what ...[]byte) bool {
	w.t.Helper()
	if dbtest.OnPostgres() {
		d, _ := w.peek()
		return dbtest.Holds(w.t, d, what...)
	}
	return dbtest.InFiles(w.t, w.Path(), what...)
}

func TestForgetFindsShortMessagesByLineage(t *testing.T) {
	for name, send := range map[string]bool{"sent": true, "waiting": false} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			w.say("", "ann", "hello")
			turn := w.turn("mira", w.message("", "ann", "I am HIV+ and on meds."), fact("has", "HIV+"))
			turn.Reply.Text = "HIV+ is no secret from me."
			heard := w.record(turn)
			m := w.memoryOf("HIV+")
			if send {
				w.sendAll()
			}
			w.command("ann", "/memory", "1 ann: I am HIV+ and on meds.", m.ID)
			later := w.turn("mira", w.message("", "ann", "what do you know?"))
			later.Reply.Text = "You are on that."
			later.Context = []recall.Item{{MemoryID: m.ID, Why: "linked by hiv", Lines: []model.SnippetLine{{MessageID: heard.MessageIDs[0], Text: m.Text}}}}
			w.record(later)
			if send {
				w.sendAll()
			}
			gone, err := w.Eraser.Forget(t.Context(), m.ID)
			if err != nil || gone.Replies != 2 {
				t.Errorf("forgotten %+v, %v", gone, err)
			}
			if left := contents(t, w); strings.Contains(strings.ToLower(left), "hiv") || strings.Contains(left, "meds") || strings.Contains(left, "on that") {
				t.Errorf("it is still on record:\n%s", left)
			}
			if w.onDisk([]byte("HIV+"), []byte("on meds")) {
				t.Error("the files still contain it")
			}
			for _, text := range w.waiting() {
				if text != "I see." {
					t.Errorf("%q would still be sent", text)
				}
			}
		})
	}
}

func TestForgetKeepsRepliesThatOnlySawIt(t *testing.T) {
	for _, tc := range []struct {
		name  string
		exact bool
		used  bool
		reply string
		stays bool
	}{
		{"used", true, true, "Noted.", false},
		{"not used", true, false, "Good morning.", true},
		{"not used, repeated", true, false, "A ferret is an animal.", false},
		{"nobody knows", false, false, "Good morning.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newTown(t)
			w.say("", "ann", "I keep a ferret")
			m := w.memoryOf("ferret")
			turn := w.turn("mira", w.message("club", "ann", "morning"))
			turn.Reply.Text, turn.Exact = tc.reply, tc.exact
			turn.Context = []recall.Item{{MemoryID: m.ID, Why: "matches", Used: tc.used}}
			r := w.record(turn)
			if _, err := w.Eraser.Forget(t.Context(), m.ID); err != nil {
				t.Fatal(err)
			}
			reply, err := w.Message(t.Context(), r.ReplyID)
			if err != nil || (reply.Text == tc.reply) != tc.stays {
				t.Errorf("the reply reads %q, %v", reply.Text, err)
			}
		})
	}
}

func TestS12ForgetErasesRepliesOfTheRunningSession(t *testing.T) {
	w := newTown(t)
	first := w.say("", "ann", "I keep a ferret")
	turn := w.turn("mira", w.message("", "ann", "guess its age"))
	turn.Reply.Text, turn.RecentFrom = "Two winters, I would say.", first.MessageIDs[0]
	r := w.record(turn)
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("ferret").ID); err != nil {
		t.Fatal(err)
	}
	if reply, err := w.Message(t.Context(), r.ReplyID); err != nil || reply.Text != "" {
		t.Errorf("the reply reads %q, %v", reply.Text, err)
	}
}

func TestForgetRestoresAMovedPlan(t *testing.T) {
	friday, saturday := time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC)
	w := newTown(t)
	w.say("", "ann", "interview on Friday", plan("interview", friday))
	w.say("", "ann", "interview on Saturday", plan("interview", saturday))
	loops := func() []model.Loop {
		t.Helper()
		loops, err := w.Beliefs.Loops(t.Context(), w.visibility("", "ann"), w.person("ann"))
		if err != nil {
			t.Fatal(err)
		}
		return loops
	}
	if l := loops(); len(l) != 1 || !l[0].DueFrom.Equal(saturday) {
		t.Fatalf("after moving it: %+v", l)
	}
	if gone, err := w.Eraser.Forget(t.Context(), w.memoryOf("Saturday").ID); err != nil || gone.Loops != 0 {
		t.Fatalf("forgotten %+v, %v", gone, err)
	}
	if l := loops(); len(l) != 1 || !l[0].DueFrom.Equal(friday) {
		t.Errorf("after forgetting Saturday: %+v", l)
	}
	if gone, err := w.Eraser.Forget(t.Context(), w.memoryOf("Friday").ID); err != nil || gone.Loops != 1 || len(loops()) != 0 {
		t.Errorf("after forgetting both: %+v, %v", gone, err)
	}
}

func TestForgetReopensWhatItClosed(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I have an interview", plan("interview", time.Time{}))
	loops, err := w.Beliefs.Loops(t.Context(), w.visibility("", "ann"), w.person("ann"))
	if err != nil || len(loops) != 1 {
		t.Fatalf("%+v, %v", loops, err)
	}
	turn := w.turn("mira", w.message("", "ann", "it went well"))
	turn.ClosedLoops = []int64{loops[0].ID}
	w.record(turn)
	if l, err := w.Beliefs.Loops(t.Context(), w.visibility("", "ann"), w.person("ann")); err != nil || len(l) != 0 {
		t.Fatalf("after closing it: %+v, %v", l, err)
	}
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("went well").ID); err != nil {
		t.Fatal(err)
	}
	if l, err := w.Beliefs.Loops(t.Context(), w.visibility("", "ann"), w.person("ann")); err != nil || len(l) != 1 {
		t.Errorf("after forgetting that it is over: %+v, %v", l, err)
	}
}

func TestForgetAndAnswerAreAtomic(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I keep a ferret")
	m := w.memoryOf("ferret")
	answer := w.commandAnswer("ann", "/forget 1", "")
	spoiled := answer
	spoiled.InboxID = 999
	err := w.Eraser.ForgetAndAnswer(t.Context(), []int64{m.ID}, func(erase.ForgetResult) log.CommandAnswer { return spoiled })
	if !errors.Is(err, memory.ErrNotFound) {
		t.Fatalf("a command that is not pending: %v", err)
	}
	if _, err := w.Entries.Memory(t.Context(), m.ID); err != nil {
		t.Fatalf("it was forgotten without an answer: %v", err)
	}
	w.sendAll()
	err = w.Eraser.ForgetAndAnswer(t.Context(), []int64{m.ID}, func(gone erase.ForgetResult) log.CommandAnswer {
		answer.Text = "gone: " + gone.String()
		return answer
	})
	if err != nil {
		t.Fatal(err)
	}
	if texts := w.waiting(); len(texts) != 1 || texts[0] != "gone: 1 memory, 1 message, 1 reply" {
		t.Errorf("waiting %q", texts)
	}
}

func TestForgetErasesGreetingTopics(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I keep a ferret")
	m := w.memoryOf("ferret")
	turn := w.turn("mira", w.message("", "ann", "hello"))
	turn.Greeted, turn.Reply.Text, turn.Exact = []string{"memory:1", "weather"}, "How is it doing?", true
	r := w.record(turn)
	if _, err := w.Eraser.Forget(t.Context(), m.ID); err != nil {
		t.Fatal(err)
	}
	greeted, err := w.Entries.Greeted(t.Context(), "mira", w.person("ann"))
	if err != nil || len(greeted) != 1 || greeted["weather"].IsZero() {
		t.Errorf("greeted about %v, %v", greeted, err)
	}
	if reply, err := w.Message(t.Context(), r.ReplyID); err != nil || reply.Text != "" {
		t.Errorf("the greeting reads %q, %v", reply.Text, err)
	}
}

func TestAReplyFromForgottenMemoriesIsNotRecorded(t *testing.T) {
	for _, taken := range []string{"no hearing", "before", "after"} {
		t.Run(taken, func(t *testing.T) {
			w := newTown(t)
			neighbour := w.say("", "ann", "I keep a ferret")
			w.say("", "ann", "it bites")
			turn := w.turn("mira", w.message("", "ann", "what bites?"))
			turn.Context = []recall.Item{{MemoryID: w.memoryOf("bites").ID, Lines: []model.SnippetLine{{MessageID: neighbour.MessageIDs[0]}}}}
			if taken == "before" {
				turn.Visibility = w.visibility("", "ann")
			}
			if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("ferret").ID); err != nil {
				t.Fatal(err)
			}
			if taken == "after" {
				turn.Visibility, turn.Context = w.visibility("", "ann"), nil
			}
			_, err := w.Turns.RecordTurn(t.Context(), turn)
			if refused := err != nil && strings.Contains(err.Error(), "forgotten meanwhile"); refused != (taken != "after") {
				t.Errorf("recorded with %v", err)
			}
		})
	}
}

func TestForgetRetractsEvidence(t *testing.T) {
	w := newTown(t)
	r := w.say("", "ann", "I live in Bonn", fact("lives_in", "Bonn"), plan("interview", time.Time{}))
	loops, err := w.Beliefs.Loops(t.Context(), w.visibility("", "ann"), w.person("ann"))
	if err != nil || len(loops) != 1 {
		t.Fatalf("loops %+v, %v", loops, err)
	}
	w.sendAll()
	belief := w.commandAnswer("ann", "/why", "Bonn")
	belief.Beliefs = []int64{r.Changes[0].Belief.ID}
	if err := w.Log.AnswerCommand(t.Context(), belief); err != nil {
		t.Fatal(err)
	}
	loop := w.commandAnswer("ann", "/why", "interview")
	loop.Loops = []int64{loops[0].ID}
	if err := w.Log.AnswerCommand(t.Context(), loop); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("Bonn").ID); err != nil {
		t.Fatal(err)
	}
	if texts := w.waiting(); len(texts) != 0 {
		t.Errorf("%q would still be sent", texts)
	}
}

func TestForgetErasesTheDateOfABelief(t *testing.T) {
	w := newTown(t)
	said := w.clock.Now()
	w.say("", "ann", "I live in Bonn", fact("lives_in", "Bonn"))
	dated := fact("lives_in", "Bonn")
	dated.Span = &when.Span{From: said.AddDate(-7, 0, 0), Until: said.AddDate(-6, 0, 0)}
	turn := w.turn("mira", w.message("", "ann", "in Bonn since 2019"), dated)
	turn.Heard[0].Annotation.EventFrom, turn.Heard[0].Annotation.EventUntil = dated.Span.From, dated.Span.Until
	w.record(turn)
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("since 2019").ID); err != nil {
		t.Fatal(err)
	}
	bs, err := w.Beliefs.Beliefs(t.Context(), w.visibility("", "ann"), belief.Filter{})
	if err != nil || len(bs) != 1 || bs[0].ValidFrom.Before(said) {
		t.Errorf("beliefs %+v, %v", bs, err)
	}
}
