package memory_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/transfer"
)

// stranger is a pairing request of somebody.
func (w *town) stranger(who, code string) log.PairingRequest {
	return log.PairingRequest{
		Persona: "mira", Message: w.message("", who, "a stranger's secret wish"), Code: code, Text: "Your code is " + code,
		TTL: 10 * time.Minute, MaxPending: 3,
	}
}

// pair asks for a code and returns the room in which it is sent, the zero Room when it is not.
func (w *town) pair(r log.PairingRequest) model.Room {
	w.t.Helper()
	room, err := w.Log.RequestPairing(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return room
}

func (w *town) codes() (codes []string) {
	w.t.Helper()
	all, err := w.Log.Pairings(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, p := range all {
		codes = append(codes, p.Code)
	}
	return codes
}

// TestA4AStrangerGetsACodeAndNothingElseIsStored reads every table after a stranger got an answer.
func TestA4AStrangerGetsACodeAndNothingElseIsStored(t *testing.T) {
	w := newTown(t)
	r := w.stranger("zed", "ABCD2345")
	room := w.pair(r)
	out, err := w.Log.NextOutbox(t.Context(), "mira", room.ID)
	if err != nil || out.Text != r.Text || out.Room.Room != r.Message.Room || out.ReplyTo != r.Message.ID {
		t.Fatalf("to be said: %+v, %v", out, err)
	}
	for _, table := range []string{"people", "handles", "room_people", "sessions", "messages", "memories", "turns", "inbox"} {
		if n := count(t, w, table); n != 0 {
			t.Errorf("%d rows in %s", n, table)
		}
	}
	var export bytes.Buffer
	if _, err := w.Transfer.Export(t.Context(), &export, transfer.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(export.String(), "zed") {
		t.Errorf("an export carries the stranger:\n%s", export.String())
	}
}

func TestA4AtMostThreeCodesArePendingAndOnePerAccount(t *testing.T) {
	w := newTown(t)
	for i := range 5 {
		w.pair(w.stranger(fmt.Sprintf("zed%d", i), fmt.Sprintf("CODE%d", i)))
	}
	if room := w.pair(w.stranger("zed0", "AGAIN")); room.ID != 0 {
		t.Error("an account that has a code is told another")
	}
	if got := strings.Join(w.codes(), " "); got != "CODE0 CODE1 CODE2" {
		t.Errorf("pending: %s", got)
	}
	w.clock.Advance(10 * time.Minute)
	if got := w.codes(); len(got) != 0 {
		t.Errorf("pending after their life: %s", got)
	}
	if _, err := w.Log.ApprovePairing(t.Context(), "CODE0", "tess", ""); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("approving an expired code: %v", err)
	}
	if room := w.pair(w.stranger("zed4", "FRESH")); room.ID == 0 {
		t.Error("expired codes still take the places of new ones")
	}
}

// TestA1AStrangersMessageIsAnsweredOnce delivers one event again at once, and after its code was sent and expired.
func TestA1AStrangersMessageIsAnsweredOnce(t *testing.T) {
	w := newTown(t)
	r := w.stranger("zed", "FIRST")
	room := w.pair(r)
	w.sendAll()
	w.clock.Advance(time.Hour)
	r.Code = "SECOND"
	if again := w.pair(r); room.ID == 0 || again.ID != 0 {
		t.Errorf("sent in room %d, again in room %d", room.ID, again.ID)
	}
}

func TestA4AnApprovedPersonOwnsTheirRoom(t *testing.T) {
	w := newTown(t)
	r := w.stranger("zed", "ABCD2345")
	asked := w.pair(r)
	zed := r.Message.Author.Handle
	if yes, err := w.Log.IsAllowed(t.Context(), zed); err != nil || yes {
		t.Fatalf("allowed before: %v, %v", yes, err)
	}
	let, err := w.Log.ApprovePairing(t.Context(), " abcd-2345", "tess", "")
	if err != nil || let.Handle != zed || let.Name != "zed" {
		t.Fatalf("approved %+v, %v", let, err)
	}
	if yes, err := w.Log.IsAllowed(t.Context(), zed); err != nil || !yes {
		t.Errorf("allowed after: %v, %v", yes, err)
	}
	person, room, err := w.Turns.UpsertParticipant(t.Context(), w.message("", "zed", "hello"))
	if err != nil || room.ID != asked.ID || room.PersonID != person.ID || person.ID == 0 {
		t.Errorf("entered %+v as %+v, %v", room, person, err)
	}
	if err := w.Log.Revoke(t.Context(), zed); err != nil {
		t.Fatal(err)
	}
	if yes, _ := w.Log.IsAllowed(t.Context(), zed); yes {
		t.Error("allowed after that was revoked")
	}
	if err := w.Log.Revoke(t.Context(), zed); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("revoking nothing: %v", err)
	}
}

func TestA4TheSameIDOnAnotherNetworkIsAnotherAccount(t *testing.T) {
	w := newTown(t)
	w.pair(w.stranger("zed", "ABCD2345"))
	if _, err := w.Log.ApprovePairing(t.Context(), "ABCD2345", "tess", ""); err != nil {
		t.Fatal(err)
	}
	if yes, err := w.Log.IsAllowed(t.Context(), channels.Handle{Channel: "elsewhere", ID: "zed"}); err != nil || yes {
		t.Errorf("allowed elsewhere: %v, %v", yes, err)
	}
}

func TestPruneForgetsStrangersAfterAWeek(t *testing.T) {
	w := newTown(t)
	w.pair(w.stranger("zed", "ABCD2345"))
	w.pair(w.stranger("ann", "EFGH2345"))
	w.sendAll()
	if _, err := w.Log.ApprovePairing(t.Context(), "EFGH2345", "tess", ""); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Turns.UpsertParticipant(t.Context(), w.message("", "ann", "hello")); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(8 * 24 * time.Hour)
	if p, err := w.Eraser.Prune(t.Context(), w.clock.Now()); err != nil || p.Strangers != 1 {
		t.Errorf("pruned %+v, %v", p, err)
	}
	rooms, err := w.Log.Rooms(t.Context())
	if err != nil || len(rooms) != 1 || rooms[0].Room.ID != "dm/ann" {
		t.Errorf("left: %+v, %v", rooms, err)
	}
	if n := count(t, w, "pairings"); n != 0 {
		t.Errorf("%d codes are left", n)
	}
}

func TestAnsweredCountsTheDaysTurnsOfAGroup(t *testing.T) {
	w := newTown(t)
	w.say("club", "ann", "yesterday")
	w.clock.Advance(24 * time.Hour)
	since := w.clock.Now()
	w.say("club", "ann", "one")
	w.say("club", "bob", "two")
	w.say("club", "ann", "three")
	w.say("", "ann", "in her own room")
	w.say("attic", "ann", "in another group")
	m := w.message("club", "ann", "")
	all, theirs, err := w.Log.CountAnswers(t.Context(), "mira", m.Room, m.Author.Handle, since)
	if err != nil || all != 3 || theirs != 2 {
		t.Errorf("answered %d, %d of them ann, %v", all, theirs, err)
	}
	for _, who := range []string{"ann", "ann", "bob"} { // a waiting stranger counts once
		if _, err := w.Log.Accept(t.Context(), "mira", w.message("club", who, "hello?")); err != nil {
			t.Fatal(err)
		}
	}
	all, theirs, err = w.Log.CountAnswers(t.Context(), "mira", m.Room, m.Author.Handle, since)
	if err != nil || all != 5 || theirs != 3 {
		t.Errorf("answered or about to be %d, %d of them ann, %v", all, theirs, err)
	}
}

// count returns the number of rows of a table, read on a separate connection.
func count(t *testing.T, w *town, table string) (n int) {
	t.Helper()
	if err := w.db().QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
