package memory_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/erase"
	"familiar/memory/internal/dbtest"
	"familiar/memory/log"
)

// erasures returns what was erased, without the last one, of KindHighest.
func (w *town) erasures() []erase.Erasure {
	w.t.Helper()
	all, err := w.Eraser.Erasures(w.t.Context(), time.Time{})
	if err != nil || len(all) == 0 || all[len(all)-1].Kind != erase.KindHighest {
		w.t.Fatalf("erasures %+v, %v", all, err)
	}
	return all[:len(all)-1]
}

// copied returns a town on a backup of the store as it is now.
func (w *town) copied() *town {
	w.t.Helper()
	address := filepath.Join(w.t.TempDir(), "copy.db")
	if dbtest.OnPostgres() {
		address = dbtest.Copy(w.t, w.Path())
	} else if err := w.Backup(w.t.Context(), address); err != nil {
		w.t.Fatal(err)
	}
	store, err := memory.Open(w.t.Context(), address, memory.Options{Now: w.clock.Now, NoSync: true})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = store.Close() })
	return &town{Store: store, t: w.t, clock: w.clock, n: w.n}
}

func TestEveryErasureIsOnRecord(t *testing.T) {
	w := newTown(t)
	ferret := w.say("", "ann", "I keep a ferret", fact("pet_name:ferret", "ferret"))
	heron := w.say("", "ann", "I saw a heron")
	wombat := w.message("", "ann", "I drew a wombat")
	wombat.ExpiresAfter = time.Hour
	vanishing := w.record(w.turn("mira", wombat))
	otter := w.message("", "ann", "I like the otter")
	deleted := w.record(w.turn("mira", otter))

	memory := w.memoryOf("ferret").ID
	if _, err := w.Eraser.Forget(t.Context(), memory); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Eraser.DeleteMessage(t.Context(), "mira", w.act(channels.Delete, otter).ID, deleted.MessageIDs[0]); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(2 * time.Hour)
	if _, err := w.Eraser.Expire(t.Context(), w.clock.Now()); err != nil {
		t.Fatal(err)
	}
	all := w.erasures()
	for i, want := range []struct {
		kind    string
		message int64
	}{{erase.KindForget, ferret.MessageIDs[0]}, {erase.KindDelete, deleted.MessageIDs[0]}, {erase.KindExpire, vanishing.MessageIDs[0]}} {
		if len(all) <= i || all[i].Kind != want.kind || !slices.Contains(all[i].Messages, want.message) || len(all[i].Memories) != 1 {
			t.Fatalf("erasure %d: want %+v in %+v", i, want, all)
		}
	}
	if len(all) != 3 || all[0].Memories[0] != memory || !slices.Contains(all[0].Messages, ferret.ReplyID) {
		t.Errorf("erasures %+v", all)
	}
	if slices.Contains(all[0].Messages, heron.MessageIDs[0]) {
		t.Errorf("what is kept is on record: %+v", all)
	}
}

// TestR8ARestoredCopyErasesAgain applies the record of erasures to a copy made before, twice.
func TestR8ARestoredCopyErasesAgain(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I keep a ferret", fact("pet_name:ferret", "ferret"))
	w.say("", "ann", "I saw a heron")
	old := w.copied()
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("ferret").ID); err != nil {
		t.Fatal(err)
	}
	w.say("", "ann", "I drew a wombat")
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("wombat").ID); err != nil {
		t.Fatal(err)
	}
	list, err := w.Eraser.Erasures(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	gone, err := old.Eraser.ApplyErasures(t.Context(), list)
	if err != nil || gone.Memories != 1 || gone.Messages != 1 || gone.Replies != 1 {
		t.Errorf("erased %v, %v", gone, err)
	}
	if gone, err = old.Eraser.ApplyErasures(t.Context(), list); err != nil || gone != (erase.ForgetResult{}) {
		t.Errorf("the second time erased %v, %v", gone, err)
	}
	if old.onDisk([]byte("ferret")) || !old.onDisk([]byte("heron")) {
		t.Error("the copy holds what was erased, or lost what was not")
	}
	if got := old.erasures(); len(got) != 2 {
		t.Errorf("the copy passes on %+v", got)
	}
	// What is new in the copy gets none of the ids on the list, so the list erases none of it.
	old.say("", "ann", "I painted a badger")
	old.say("", "bob", "I painted a walrus")
	if gone, err = old.Eraser.ApplyErasures(t.Context(), list); err != nil || gone != (erase.ForgetResult{}) {
		t.Errorf("the list erased new rows: %v, %v", gone, err)
	}
}

func TestARecordOfErasuresHoldsNoWord(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I keep a ferret")
	memories, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{})
	if err != nil {
		t.Fatal(err)
	}
	ids := []int64{memories[0].ID}
	m := w.message("", "ann", "/forget yes")
	if _, err := w.Log.Accept(t.Context(), "mira", m); err != nil {
		t.Fatal(err)
	}
	room, err := w.Log.RoomByAddress(t.Context(), m.Room)
	if err != nil {
		t.Fatal(err)
	}
	pending, err := w.Log.Pending(t.Context(), "mira", m.Room, 10)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Eraser.ForgetAndAnswer(t.Context(), ids, func(erase.ForgetResult) log.CommandAnswer {
		return log.CommandAnswer{Persona: "mira", InboxID: pending[0].ID, Room: room, Key: "k", Text: "Forgotten."}
	}); err != nil {
		t.Fatal(err)
	}
	if all := w.erasures(); len(all) != 1 || all[0].Kind != erase.KindForget {
		t.Errorf("erasures %+v", all)
	}
	rows := strings.Join(texts(t, w, `SELECT kind || people || messages || memories FROM erasures`), "\n")
	if strings.ContainsFunc(strings.TrimPrefix(rows, erase.KindForget), func(r rune) bool { return r >= 'a' && r <= 'z' }) {
		t.Errorf("the record holds words: %s", rows)
	}
}

// texts returns the texts that a query finds.
func texts(t *testing.T, w *town, query string) (all []string) {
	t.Helper()
	rows, err := w.db().Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestR8ARestoredCopyTakesBackConsents takes a consent back after a backup was made: the restored copy has none, but one that was given
// again later stays.
func TestR8ARestoredCopyTakesBackConsents(t *testing.T) {
	w := newTown(t)
	w.say("", "zann", "I keep a ferret")
	w.say("", "zbob", "I keep a wombat")
	rooms := texts(t, w, `SELECT person_id || ' ' || id FROM rooms ORDER BY id`)
	agree := func(in *town, nth int, given bool) (person int64) {
		t.Helper()
		var room int64
		if _, err := fmt.Sscan(rooms[nth], &person, &room); err != nil {
			t.Fatal(err)
		}
		if err := in.Training.SetConsent(t.Context(), "mira", person, room, given); err != nil {
			t.Fatal(err)
		}
		in.clock.Advance(time.Minute)
		return person
	}
	ann, bob := agree(w, 0, true), agree(w, 1, true)
	old := w.copied()
	agree(w, 0, false)
	list, err := w.Eraser.Erasures(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := old.Eraser.ApplyErasures(t.Context(), list); err != nil {
			t.Fatal(err)
		}
		for person, want := range map[int64]bool{ann: false, bob: true} {
			if c, err := old.Training.Consent(t.Context(), "mira", person); err != nil || c.Given != want {
				t.Errorf("person %d: %+v, %v", person, c, err)
			}
		}
	}
	old.clock.Set(w.clock.Now().Add(time.Hour))
	agree(old, 0, true)
	if _, err := old.Eraser.ApplyErasures(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	if c, err := old.Training.Consent(t.Context(), "mira", ann); err != nil || !c.Given {
		t.Errorf("what she agreed to since is gone: %+v, %v", c, err)
	}
}
