package backup

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"familiar/channels"
	"familiar/memory"
	annotate "familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// talk records that somebody said something to nell on WhatsApp, and returns who that is. Their keys are in the session.
func talk(t testing.TB, s *Set, store *memory.Store, number, name, text string) (person int64) {
	t.Helper()
	account := number + "@s.whatsapp.net"
	m := channels.Message{
		ID: "said-" + number + text[:3], Room: channels.Room{Channel: "whatsapp", ID: account}, Direct: true, Addressed: true, At: s.Now(), Text: text,
		Author: channels.Author{Handle: channels.Handle{Channel: "whatsapp", ID: account}, Name: name},
	}
	who, room, err := store.Turns.UpsertParticipant(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Turns.RecordTurn(t.Context(), turns.Turn{
		Persona: "nell", Room: room, Started: m.At, Asker: who.ID, Voice: "plain",
		Heard: []model.AnnotatedMessage{{Message: m, PersonID: who.ID, Annotation: annotate.Annotate(m, "", time.UTC)}},
		Reply: &model.Reply{Key: "r" + m.ID, Text: "You said: " + text, At: m.At},
	}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(string(s.Home), "whatsapp", "session.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	keys, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer keys.Close()
	for _, q := range []string{
		`CREATE TABLE IF NOT EXISTS whatsmeow_contacts (our_jid TEXT, their_jid TEXT, push_name TEXT, PRIMARY KEY (our_jid, their_jid))`,
		fmt.Sprintf(`INSERT OR REPLACE INTO whatsmeow_contacts VALUES ('own', '%s', '%s')`, account, name),
	} {
		if _, err := keys.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	return who.ID
}

// inAnyMember reports which of the words some file in a backup holds, in any byte.
func inAnyMember(t testing.TB, s *Set, b Backup, words ...string) (found []string) {
	t.Helper()
	var all bytes.Buffer
	err := s.open(b, func(a *archiveReader) error {
		return a.eachMember(func(_ Member, r io.Reader) error {
			_, err := all.ReadFrom(r)
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words {
		if bytes.Contains(all.Bytes(), []byte(w)) {
			found = append(found, w)
		}
	}
	return found
}

var (
	annsWords = []string{"Gulliver", "zannah", "15550000001"}
	bobsWords = []string{"Tosca", "zbobby", "15550000002"}
)

// TestS12RewrittenBackupsHoldNothingOfAnErasedPerson erases a person of whom there are two backups, and looks at every byte of
// what is left of these.
func TestS12RewrittenBackupsHoldNothingOfAnErasedPerson(t *testing.T) {
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := NewKeys([]string{identity.Recipient().String()}, "", identity.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Run("plain", func(t *testing.T) { rewriteBackups(t, Keys{}) })
	t.Run("encrypted", func(t *testing.T) { rewriteBackups(t, keys) })
}

func rewriteBackups(t *testing.T, keys Keys) {
	s, clock := newSet(t)
	s.Keys = keys
	fillHome(t, s, 3)
	store := openStore(t, s)
	s.Open = store
	ann := talk(t, s, store, "15550000001", "zannah", "My parrot is called Gulliver.")
	talk(t, s, store, "15550000002", "zbobby", "My cat is called Tosca.")
	for range 2 {
		clock.Advance(24 * time.Hour)
		b, _ := create(t, s)
		if found := inAnyMember(t, s, b, annsWords...); len(found) != len(annsWords) {
			t.Fatalf("the backup holds only %q: the test cannot fail", found)
		}
	}
	clock.Advance(time.Hour)
	if _, err := store.Eraser.ErasePerson(t.Context(), ann); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Rewrite(t.Context()); n != 2 || err != nil {
		t.Fatalf("%d backups were rewritten, %v", n, err)
	}
	if n, err := s.Rewrite(t.Context()); n != 0 || err != nil {
		t.Errorf("%d backups were rewritten again, %v", n, err)
	}
	left, err := s.List()
	if err != nil || len(left) != 2 {
		t.Fatalf("%d backups are left, %v", len(left), err)
	}
	for _, b := range left {
		if _, err := s.Verify(b); err != nil {
			t.Error(err)
		}
		if found := inAnyMember(t, s, b, annsWords...); len(found) > 0 {
			t.Errorf("%s still holds %q", filepath.Base(b.Path), found)
		}
		if found := inAnyMember(t, s, b, bobsWords...); len(found) != len(bobsWords) {
			t.Errorf("%s holds only %q of who stays", filepath.Base(b.Path), found)
		}
	}
}

// TestS12ARestoreErasesAgain erases somebody while a backup with their words is made, and restores it.
func TestS12ARestoreErasesAgain(t *testing.T) {
	for _, encrypted := range []bool{false, true} {
		t.Run(fmt.Sprint("encrypted ", encrypted), func(t *testing.T) {
			s, clock := newSet(t)
			if encrypted {
				var err error
				if s.Keys, err = NewKeys(nil, "correct horse battery staple", ""); err != nil {
					t.Fatal(err)
				}
			}
			fillHome(t, s, 3)
			store := openStore(t, s)
			s.Open = store
			ann := talk(t, s, store, "15550000001", "zannah", "My parrot is called Gulliver.")
			talk(t, s, store, "15550000002", "zbobby", "My cat is called Tosca.")
			erased := make(chan error, 1)
			s.Now = func() time.Time { // the copy is made; the archive is not
				if erased != nil {
					_, err := store.Eraser.ErasePerson(t.Context(), ann)
					erased <- err
					erased = nil
				}
				return clock.Now()
			}
			done := erased
			b, _ := create(t, s)
			s.Now = clock.Now
			if !encrypted { // what was erased while it was made is not in it, and goes from its bytes
				defer func() {
					if n, err := s.Rewrite(t.Context()); n != 1 || err != nil {
						t.Errorf("%d backups were rewritten, %v", n, err)
					}
					if found := inAnyMember(t, s, b, annsWords...); len(found) > 0 {
						t.Errorf("rewritten, it holds %q", found)
					}
				}()
			}
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
			default:
				t.Fatal("nobody was erased while the backup was made")
			}
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
			s.Open = nil
			if _, err := s.Restore(t.Context(), b, RestoreOptions{}); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"familiar.db", "whatsapp/session.db"} {
				data, err := os.ReadFile(filepath.Join(string(s.Home), name))
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range annsWords {
					if bytes.Contains(data, []byte(w)) {
						t.Errorf("%s holds %q again", name, w)
					}
				}
				if strings.HasPrefix(name, "familiar") != bytes.Contains(data, []byte("Tosca")) || !bytes.Contains(data, []byte("zbobby")) {
					t.Errorf("%s lost who stays", name)
				}
			}
		})
	}
}

// TestS12ADamagedBackupKeepsNoOtherFromBeingRewritten damages the newer of two backups.
func TestS12ADamagedBackupKeepsNoOtherFromBeingRewritten(t *testing.T) {
	s, clock := newSet(t)
	fillHome(t, s, 3)
	store := openStore(t, s)
	s.Open = store
	ann := talk(t, s, store, "15550000001", "zannah", "My parrot is called Gulliver.")
	older, _ := create(t, s)
	clock.Advance(24 * time.Hour)
	newer, _ := create(t, s)
	writeFile(t, newer.Path, "not an archive")
	clock.Advance(time.Hour)
	if _, err := store.Eraser.ErasePerson(t.Context(), ann); err != nil {
		t.Fatal(err)
	}
	n, err := s.Rewrite(t.Context())
	if n != 1 || !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), newer.Path) {
		t.Errorf("%d backups were rewritten, %v", n, err)
	}
	all, err := s.List()
	if err != nil || len(all) != 2 {
		t.Fatalf("%d backups, %v", len(all), err)
	}
	if found := inAnyMember(t, s, all[1], annsWords...); all[1].Made != older.Made || len(found) > 0 {
		t.Errorf("the older one still holds %q", found)
	}
}
