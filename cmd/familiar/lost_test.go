package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"familiar/channels"
	"familiar/channels/webhook/webhooktest"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// loseIn gives up a reply of a persona's and a message to it, in the first room of a home, at a time.
func loseIn(ctx context.Context, home, persona, text string, at time.Time) (err error) {
	store, err := memory.Open(ctx, filepath.Join(home, "familiar.db"), memory.Options{Now: func() time.Time { return at }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	rooms, err := store.Log.Rooms(ctx)
	if err != nil {
		return err
	}
	said, err := store.Turns.RecordTurn(ctx, turns.Turn{
		Persona: persona, Room: rooms[0], Reply: &model.Reply{Key: fmt.Sprint(persona, " lost at ", at), Text: text},
	})
	if err != nil {
		return err
	}
	if err := store.Log.MarkOutboxDead(ctx, said.OutboxID, "Forbidden: the chat is closed"); err != nil {
		return err
	}
	m := channels.Message{
		ID: fmt.Sprint("lost at ", at), Room: rooms[0].Room, Direct: true, Addressed: true, Text: "Answer this: " + text, At: at,
		Author: channels.Author{Handle: channels.Handle{Channel: rooms[0].Room.Channel, ID: "ann"}, Name: "Ann"},
	}
	if _, err := store.Log.Accept(ctx, persona, m); err != nil {
		return err
	}
	pending, err := store.Log.Pending(ctx, persona, m.Room, 1)
	if err != nil {
		return err
	}
	return store.Log.MarkInboxDead(ctx, pending[0].ID, "panic: boom\nat line 3")
}

// lose gives up a reply and a message in a home: lose HOME TEXT [PERSONA].
func lose(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: lose HOME TEXT [PERSONA]")
	}
	persona := "nell"
	if len(args) == 3 {
		persona = args[2]
	}
	at, err := time.Parse(time.RFC3339, ts.Getenv("FAMILIAR_TEST_NOW"))
	ts.Check(err)
	ts.Check(loseIn(context.Background(), ts.MkAbs(args[0]), persona, args[1], at))
}

// TestA8ADeadLetterIsSeenToldAndSentAgain loses a reply on a real network, and looks at it, sends it again and drops it as the
// operator does.
func TestA8ADeadLetterIsSeenToldAndSentAgain(t *testing.T) {
	t.Parallel()
	p := webhooktest.Start(webhookSecret, time.Now, "hall")
	t.Cleanup(p.Close)
	address := freeAddress(t)
	home := configure(t, fmt.Sprintf("channels:\n  webhook: {secret: \"env:WEBHOOK\", listen: %q, url: %q, direct: open}\n", address, p.URL))
	env := []string{"WEBHOOK=" + webhookSecret}
	run := func(args ...string) result { t.Helper(); return familiar(t, home, env, "", args...) }
	n := 0
	says := func(text string) {
		n++
		p.Deliver(func() string { return "http://" + address + "/events" },
			map[string]any{"id": fmt.Sprint(n), "room": "hall", "author": map[string]any{"id": "ann", "name": "Ann"}, "text": text})
	}
	shown := func() (texts []string) {
		for _, r := range repliesIn(p.Shown(), "hall") {
			texts = append(texts, r.text)
		}
		return texts
	}
	process := start(t, home, env, "run")
	stop := func() {
		t.Helper()
		process.signal(syscall.SIGTERM)
		process.exit()
	}
	p.Break(webhooktest.Fault{Status: http.StatusBadRequest})
	says("My dog is called Rex.")
	store := openStore(t, home)
	dead := func() []log.OutboxEntry {
		all, err := store.Log.DeadLetters(t.Context(), "nell")
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	eventually(t, "a dead letter", func() bool { return len(dead()) == 1 })
	id := fmt.Sprint(dead()[0].ID)
	if out := run("outbox", "list", "--dead").must(t).out; !strings.HasPrefix(out, id+"\tdead\twebhook/hall\t") || !strings.Contains(out, "400") {
		t.Errorf("listed %q", out)
	}
	doctor := run("doctor")
	for _, part := range []string{"outbox\twarning\t1 dead letter in webhook/hall, ", "familiar outbox resend NUMBER"} {
		if !strings.Contains(doctor.out, part) {
			t.Errorf("nothing of %q in\n%s", part, doctor.out)
		}
	}
	if out := run("channel", "status", "webhook").must(t).out; !strings.Contains(out, "1 dead letter in webhook/hall") || !strings.Contains(out, "familiar outbox list --dead") {
		t.Errorf("the status is\n%s", out)
	}
	says("What is my dog called?")
	eventually(t, "an answer", func() bool { return len(shown()) == 1 })
	if said := shown()[0]; !strings.Contains(said, "may not have reached you") && !strings.Contains(said, "did not get through to you") {
		t.Errorf("the answer is %q", said)
	}
	if out := run("outbox", "resend", id).must(t).out; !strings.Contains(out, "the running bot takes it up within 15 seconds") {
		t.Errorf("said %q", out)
	}
	run("outbox", "resend", id).fails(t, 3, "is no dead letter but waiting")
	stop()
	process = start(t, home, env, "run")
	eventually(t, "the lost answer", func() bool { return len(shown()) == 2 })
	stop()
	if out := run("outbox", "list").must(t).out; out != "" || strings.Contains(run("doctor").out, "dead letter") {
		t.Errorf("left over: %q", out)
	}
}
