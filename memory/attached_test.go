package memory_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/model"
)

// file stores a file as a channel that fetches it now, and returns its path.
func (w *town) file(name string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, "attachments", "net", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("a picture"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.aged(path, 0)
	return path
}

// aged sets the age of a file.
func (w *town) aged(path string, age time.Duration) {
	w.t.Helper()
	at := w.clock.Now().Add(-age)
	if err := os.Chtimes(path, at, at); err != nil {
		w.t.Fatal(err)
	}
}

// with returns somebody's next message, with files.
func (w *town) with(text string, paths ...string) channels.Message {
	m := w.message("", "ann", text)
	for _, path := range paths {
		m.Attachments = append(m.Attachments, channels.Attachment{Kind: "image", Path: path})
	}
	return m
}

// heard records a message and returns its id.
func (w *town) heard(m channels.Message) int64 {
	w.t.Helper()
	done, err := w.Turns.RecordTurn(w.t.Context(), w.turn("mira", m))
	if err != nil {
		w.t.Fatal(err)
	}
	return done.MessageIDs[0]
}

// act accepts an action on a message and returns it as it waits in the inbox.
func (w *town) act(act channels.Action, of channels.Message) log.InboxEntry {
	w.t.Helper()
	m := w.message("", "ann", "")
	m.Action, m.TargetID = act, of.ID
	if _, err := w.Log.Accept(w.t.Context(), "mira", m); err != nil {
		w.t.Fatal(err)
	}
	return w.waits(m)
}

// waits returns a message as it waits in the inbox.
func (w *town) waits(m channels.Message) log.InboxEntry {
	w.t.Helper()
	pending, err := w.Log.Pending(w.t.Context(), "mira", m.Room, 100)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, h := range pending {
		if h.Message.ID == m.ID {
			return h
		}
	}
	w.t.Fatalf("%s does not wait", m.ID)
	return log.InboxEntry{}
}

// there checks which files are on disk.
func (w *town) there(when string, want map[string]bool) {
	w.t.Helper()
	for path, there := range want {
		if _, err := os.Stat(path); (err == nil) != there {
			w.t.Errorf("%s: %s: on disk is %v, want %v", when, filepath.Base(path), err == nil, there)
		}
	}
}

// TestFilesAreDeletedWithTheirMessages deletes messages, one with a file that came twice and one with a file outside the
// store's folder.
func TestFilesAreDeletedWithTheirMessages(t *testing.T) {
	w := newTown(t)
	alone, twice := w.file("alone.jpg"), w.file("twice.jpg")
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.jpg")
	if err := os.WriteFile(elsewhere, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first, second := w.with("Look!", alone, twice, elsewhere), w.with("Again!", twice)
	one, other := w.heard(first), w.heard(second)
	for _, step := range []struct {
		message channels.Message
		id      int64
		want    map[string]bool
	}{
		{first, one, map[string]bool{alone: false, twice: true, elsewhere: true}},
		{second, other, map[string]bool{twice: false, elsewhere: true}},
	} {
		if _, err := w.Eraser.DeleteMessage(t.Context(), "mira", w.act(channels.Delete, step.message).ID, step.id); err != nil {
			t.Fatal(err)
		}
		w.there(step.message.Text, step.want)
	}
}

func TestFilesAreDeletedWithAForgottenMemory(t *testing.T) {
	w := newTown(t)
	path := w.file("dog.jpg")
	w.heard(w.with("This is Rex.", path))
	all, err := w.Entries.ListMemories(t.Context(), entry.MemoryFilter{})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if _, err := w.Eraser.Forget(t.Context(), all[0].ID); err != nil {
		t.Fatal(err)
	}
	w.there("forgotten", map[string]bool{path: false})
}

// TestFilesAreDeletedWithEditedMessages edits and deletes waiting and answered messages.
func TestFilesAreDeletedWithEditedMessages(t *testing.T) {
	w := newTown(t)
	old, now := w.file("old.jpg"), w.file("new.jpg")
	said := w.with("Look!", old)
	if _, err := w.Log.Accept(t.Context(), "mira", said); err != nil {
		t.Fatal(err)
	}
	edit := w.act(channels.Edit, said)
	edit.Message.Attachments = w.with("", now).Attachments
	if err := w.Log.AmendPending(t.Context(), edit, w.waits(said)); err != nil {
		t.Fatal(err)
	}
	w.there("edited while it waits", map[string]bool{old: false, now: true})
	if err := w.Log.AmendPending(t.Context(), w.act(channels.Delete, said), w.waits(said)); err != nil {
		t.Fatal(err)
	}
	w.there("deleted while it waits", map[string]bool{now: false})

	old, now = w.file("old.jpg"), w.file("new.jpg")
	said = w.with("Look!", old)
	id := w.heard(said)
	person, err := w.Log.PersonByHandle(t.Context(), said.Author.Handle)
	if err != nil {
		t.Fatal(err)
	}
	h := model.AnnotatedMessage{InboxID: w.act(channels.Edit, said).ID, Message: w.with("Look here!", now), PersonID: person.ID}
	asIs := func([]model.Loop) (model.Annotation, []int64) { return model.Annotation{}, nil }
	if _, err := w.Eraser.EditMessage(t.Context(), "mira", id, h, asIs); err != nil {
		t.Fatal(err)
	}
	w.there("edited", map[string]bool{old: false, now: true})
}

// TestPruneFindsOrphanedFiles leaves files behind as a crash would: between a commit and the removal, and before
// a fetched file's message is stored.
func TestPruneFindsOrphanedFiles(t *testing.T) {
	w := newTown(t)
	left, part, fetched, said, waiting, dead := w.file("left.jpg"), w.file(".part-1"), w.file("fetched.jpg"), w.file("said.jpg"),
		w.file("waiting.jpg"), w.file("dead.jpg")
	w.heard(w.with("Look!", said))
	gone, waits := w.with("Look!", dead), w.with("Look!", waiting)
	for _, m := range []channels.Message{gone, waits} {
		if _, err := w.Log.Accept(t.Context(), "mira", m); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Log.MarkInboxDead(t.Context(), w.waits(gone).ID, "a bug"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{left, part, said, waiting, dead} {
		w.aged(path, 2*time.Hour)
	}
	w.aged(fetched, time.Minute)
	pruned, err := w.Eraser.Prune(t.Context(), w.clock.Now())
	if err != nil || pruned.Files != 2 || pruned.String() != "pruned 2 files" {
		t.Errorf("%v, %v", pruned, err)
	}
	w.there("pruned", map[string]bool{left: false, part: false, fetched: true, said: true, waiting: true, dead: true})
}
