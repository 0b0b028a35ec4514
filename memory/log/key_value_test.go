package log

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/internal/dbtest"

	"familiar/channels"
	"familiar/memory/internal/db"
)

func TestKeyValueStateIsKeptByChannel(t *testing.T) {
	s := New(dbtest.Open(t))
	one, other := s.KeyValue("discord"), s.KeyValue("telegram")
	for _, key := range []string{"cursor/2", "cursor/10", "cursor%", "hash"} {
		if err := one.Put(t.Context(), key, "first"); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(one.Put(t.Context(), "hash", "second"), other.Put(t.Context(), "hash", "theirs")); err != nil {
		t.Fatal(err)
	}
	for shelf, want := range map[channels.StateStore]string{one: "second", other: "theirs"} {
		if got, err := shelf.Get(t.Context(), "hash"); err != nil || got != want {
			t.Errorf("stored %q, %v, want %q", got, err, want)
		}
	}
	for prefix, want := range map[string][]string{
		"cursor/": {"cursor/10", "cursor/2"}, "cursor%": {"cursor%"}, "": {"cursor%", "cursor/10", "cursor/2", "hash"}, "none": nil,
	} {
		if got, err := one.Keys(t.Context(), prefix); err != nil || !slices.Equal(got, want) {
			t.Errorf("under %q stand %q, %v, want %q", prefix, got, err, want)
		}
	}
	for range 2 {
		if err := one.Delete(t.Context(), "hash"); err != nil {
			t.Error(err)
		}
	}
	if _, err := one.Get(t.Context(), "hash"); !errors.Is(err, channels.ErrNotFound) {
		t.Errorf("after it was dropped: %v", err)
	}
}

// TestA11KeyValueErrorsNameNoPerson uses a key that contains a telephone number, as WhatsApp's keys do.
func TestA11KeyValueErrorsNameNoPerson(t *testing.T) {
	s := New(dbtest.Open(t))
	shelf := s.KeyValue("whatsapp")
	if err := s.db.Close(); err != nil {
		t.Fatal(err)
	}
	const key = "number/2026-11-22/+15550001234/3EB0"
	_, unread := shelf.Get(t.Context(), key)
	_, unlisted := shelf.Keys(t.Context(), key)
	for _, err := range []error{unread, unlisted, shelf.Put(t.Context(), key, ""), shelf.Delete(t.Context(), key)} {
		if err == nil || strings.Contains(err.Error(), "15550001234") || !strings.Contains(err.Error(), "number") {
			t.Errorf("it says %v", err)
		}
	}
}

func TestA14StateCountsFromItsFirstReport(t *testing.T) {
	now := dbtest.Monday
	s := New(dbtest.OpenAt(t, t.TempDir()+"/familiar.db", db.Options{Now: func() time.Time { return now }}))
	report := func(phase channels.Phase, says, account string) {
		t.Helper()
		if err := s.SaveChannelState(t.Context(), "telegram", channels.State{Phase: phase, Problem: says, Account: account}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Minute)
	}
	report(channels.Connected, "", "@mira")
	report(channels.Transient, "the network is down", "")
	report(channels.Transient, "the network does not answer", "")
	states, err := s.ChannelStates(t.Context())
	if err != nil || len(states) != 1 {
		t.Fatal(states, err)
	}
	want := ChannelState{
		Channel: "telegram", Since: dbtest.Monday.Add(time.Minute), At: dbtest.Monday.Add(2 * time.Minute),
		State: channels.State{Phase: channels.Transient, Problem: "the network does not answer", Account: "@mira"},
	}
	if got := states[0]; got.State != want.State || !got.Since.Equal(want.Since) || !got.At.Equal(want.At) {
		t.Errorf("stored %+v, want %+v", got, want)
	}
}

func TestOutboxIsCountedByChannel(t *testing.T) {
	s := New(dbtest.Open(t))
	outboxRooms(t, s)
	enqueue(t, s, "mira", 1, "a")
	gone := enqueue(t, s, "mira", 1, "b")
	sent := enqueue(t, s, "mira", 1, "c")
	enqueue(t, s, "otto", 1, "d")
	if err := errors.Join(s.MarkOutboxDead(t.Context(), gone, "blocked"), s.MarkChunkSent(t.Context(), OutboxEntry{ID: sent}, SentChunk{Last: true})); err != nil {
		t.Fatal(err)
	}
	got, err := s.CountOutbox(t.Context(), "mira")
	if want := (OutboxCounts{Unsent: 1, Dead: 1}); err != nil || len(got) != 1 || got["console"] != want {
		t.Errorf("counted %+v, %v", got, err)
	}
}
