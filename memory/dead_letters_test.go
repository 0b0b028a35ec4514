package memory_test

// A8: a text that is given up stays visible until it is sent again or dropped.

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/turns"
)

// lose has mira reply to ann with a text that the network refuses for good.
func (w *town) lose(text string) (row int64, said turns.TurnResult) {
	w.t.Helper()
	turn := w.turn("mira", w.message("", "ann", "Hello."))
	turn.Reply.Text = text
	said = w.record(turn)
	if err := w.Log.MarkOutboxDead(w.t.Context(), said.OutboxID, "the chat is closed"); err != nil {
		w.t.Fatal(err)
	}
	return said.OutboxID, said
}

func (w *town) letter(row int64) log.OutboxEntry {
	w.t.Helper()
	o, err := w.Log.Outbox(w.t.Context(), row)
	if err != nil {
		w.t.Fatal(err)
	}
	return o
}

func TestA8ADeadLetterCanBeSentAgainOnce(t *testing.T) {
	w := newTown(t)
	row, _ := w.lose("A heron.")
	if o := w.letter(row); o.State() != log.DeadLetter || o.Text != "A heron." || o.LastError != "the chat is closed" || !o.Died.Equal(w.clock.Now()) {
		t.Errorf("given up: %+v", o)
	}
	w.clock.Advance(time.Hour)
	if _, err := w.Log.ResendOutbox(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	next, err := w.Log.NextOutbox(t.Context(), "mira", 1)
	if err != nil || next.ID != row || next.Text != "A heron." || next.Attempts != 0 || next.Key != w.letter(row).Key {
		t.Errorf("queued %+v, %v", next, err)
	}
	if _, err := w.Log.ResendOutbox(t.Context(), row); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("queued again: %v", err)
	}
	if err := w.Log.MarkChunkSent(t.Context(), log.OutboxEntry{ID: row}, log.SentChunk{Last: true}); err != nil {
		t.Fatal(err)
	}
	if o := w.letter(row); o.State() != log.Sent {
		t.Errorf("sent: %+v", o)
	}
	if _, err := w.Log.ResendOutbox(t.Context(), 99); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("one that never was: %v", err)
	}
}

func TestA8ADroppedLetterIsGone(t *testing.T) {
	w := newTown(t)
	row, said := w.lose("the canary is zanzibarquagga")
	if err := w.Eraser.DropLetter(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	if o := w.letter(row); o.State() != log.Dropped || o.Text != "" || !o.Dropped.Equal(w.clock.Now()) || o.LastError != "the chat is closed" {
		t.Errorf("dropped: %+v", o)
	}
	if m, err := w.Turns.SessionMessages(t.Context(), said.SessionID); err != nil || m[len(m)-1].Text != "" {
		t.Errorf("the persona still said %+v, %v", m, err)
	}
	for _, file := range []string{"", "-wal"} {
		data, err := os.ReadFile(w.Path() + file)
		if err != nil && !os.IsNotExist(err) || bytes.Contains(data, []byte("zanzibarquagga")) {
			t.Errorf("the text is in the file %q, %v", file, err)
		}
	}
	for what, err := range map[string]error{
		"dropped again": w.Eraser.DropLetter(t.Context(), row),
		"sent again":    func() error { _, err := w.Log.ResendOutbox(t.Context(), row); return err }(),
	} {
		if !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	left, err := w.Log.DeadLetters(t.Context(), "mira")
	st, failed := w.Lifecycle.Stats(t.Context(), "mira")
	counts, uncounted := w.Log.CountOutbox(t.Context(), "mira")
	if err := errors.Join(err, failed, uncounted); err != nil || len(left) != 0 || st.Dead != 0 || counts["console"].Dead != 0 {
		t.Errorf("still a dead letter: %+v, %d, %+v, %v", left, st.Dead, counts, err)
	}
	w.clock.Advance(31 * 24 * time.Hour)
	if _, err := w.Eraser.Prune(t.Context(), w.clock.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Log.Outbox(t.Context(), row); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a month later: %v", err)
	}
}

// TestA8AForgottenLetterCannotBeSentAgain forgets what the dead reply was made from.
func TestA8AForgottenLetterCannotBeSentAgain(t *testing.T) {
	w := newTown(t)
	row, _ := w.lose("A heron.")
	heard, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: "Hello"})
	if err != nil || len(heard) != 1 {
		t.Fatal(heard, err)
	}
	if _, err := w.Eraser.Forget(t.Context(), heard[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Log.ResendOutbox(t.Context(), row); !errors.Is(err, log.ErrTextGone) || w.letter(row).State() != log.DeadLetter {
		t.Errorf("sent again: %v", err)
	}
}

func TestA8AMessageGivenUpCanBeAnsweredAfterAll(t *testing.T) {
	w := newTown(t)
	m := w.message("", "ann", "the canary is zanzibarquagga")
	if _, err := w.Log.Accept(t.Context(), "mira", m); err != nil {
		t.Fatal(err)
	}
	pending, err := w.Log.Pending(t.Context(), "mira", m.Room, 9)
	if err != nil || len(pending) != 1 {
		t.Fatal(pending, err)
	}
	row := pending[0].ID
	giveUp := func() {
		t.Helper()
		if _, err := w.Log.MarkInboxFailed(t.Context(), row, "a bug"); err != nil {
			t.Fatal(err)
		}
		if err := w.Log.MarkInboxDead(t.Context(), row, "a bug"); err != nil {
			t.Fatal(err)
		}
	}
	giveUp()
	dead, err := w.Log.DeadMessages(t.Context(), "mira")
	if err != nil || len(dead) != 1 || dead[0].ID != row || dead[0].Message.Text != m.Text || dead[0].LastError != "a bug" || dead[0].Attempts != 1 || !dead[0].Died.Equal(w.clock.Now()) {
		t.Errorf("given up: %+v, %v", dead, err)
	}
	if err := w.Log.RetryInbox(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	if again, err := w.Log.Pending(t.Context(), "mira", m.Room, 9); err != nil || len(again) != 1 {
		t.Errorf("it does not wait: %+v, %v", again, err)
	}
	giveUp()
	if err := w.Log.DropInbox(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	dead, err = w.Log.DeadMessages(t.Context(), "mira")
	retried, dropped := w.Log.RetryInbox(t.Context(), row), w.Log.DropInbox(t.Context(), row)
	if err != nil || len(dead) != 0 || !errors.Is(retried, memory.ErrNotFound) || !errors.Is(dropped, memory.ErrNotFound) {
		t.Errorf("dropped: %+v, %v, %v, %v", dead, err, retried, dropped)
	}
	if fresh, err := w.Log.Accept(t.Context(), "mira", m); err != nil || fresh {
		t.Errorf("it came back as new: %v, %v", fresh, err)
	}
	if w.onDisk([]byte("zanzibarquagga")) {
		t.Error("its text is in the file")
	}
}
