package backup

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"filippo.io/age"

	"familiar/channels"
	"familiar/config"
	"familiar/memory"
	"familiar/memory/login"
	"familiar/memory/memorytest"
)

// newSet returns the backups of a new home with a clock of its own.
func newSet(t testing.TB) (*Set, *memorytest.Clock) {
	t.Helper()
	clock, ids := new(memorytest.Clock), 0
	home := config.Home(t.TempDir())
	return &Set{Home: home, Now: clock.Now, NewID: func() string {
		ids++
		return fmt.Sprintf("%s-%d", filepath.Base(string(home)), ids)
	}}, clock
}

// openStore opens the database of the set's home.
func openStore(t testing.TB, s *Set) *memory.Store {
	t.Helper()
	store, err := memory.Open(t.Context(), s.Home.Database(), memory.Options{Now: s.Now, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// fillHome makes a home with n messages, a configuration, a persona and WhatsApp's keys.
func fillHome(t testing.TB, s *Set, n int) {
	t.Helper()
	store := openStore(t, s)
	accept(t, store, 0, n)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	writeFile(t, s.Home.File(), "persona: nell\n")
	writeFile(t, filepath.Join(s.Home.Personas(), "rook.yaml"), "name: Rook\n")
	keys, err := memory.Open(t.Context(), filepath.Join(string(s.Home), "whatsapp", "session.db"), memory.Options{Now: s.Now})
	if err != nil { // any SQLite database does
		t.Fatal(err)
	}
	if err := keys.Close(); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(string(s.Home), "whatsapp", "session.db.lock"), "")
}

// accept stores the messages from..to-1 in the inbox.
func accept(t testing.TB, store *memory.Store, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if _, err := store.Log.Accept(t.Context(), "nell", message(i)); err != nil {
			t.Fatal(err)
		}
	}
}

func message(i int) channels.Message {
	return channels.Message{
		ID: fmt.Sprintf("e%d", i), Room: channels.Room{Channel: "console", ID: "main"}, Text: fmt.Sprintf("heron number %d", i),
		At: memorytest.Start, Direct: true, Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ada"}, Name: "Ada"},
	}
}

// stored returns the ids of the messages in a home's inbox, in order.
func stored(t testing.TB, s *Set) (ids []string) {
	t.Helper()
	store := openStore(t, s)
	if err := errors.Join(store.Check(t.Context()), store.Close()); err != nil {
		t.Fatal(err)
	}
	return inboxIDs(t, s.Home.Database())
}

// inboxIDs reads the ids as another program would.
func inboxIDs(t testing.TB, path string) (ids []string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT event_id FROM inbox ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return ids
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func create(t testing.TB, s *Set) (Backup, Manifest) {
	t.Helper()
	b, m, err := s.Create(t.Context(), Asked)
	if err != nil {
		t.Fatal(err)
	}
	return b, m
}

func TestR7ABackupIsRestoredInPlaceOfADamagedDatabase(t *testing.T) {
	s, clock := newSet(t)
	fillHome(t, s, 50)
	b, m := create(t, s)
	if !m.Credentials || m.Schema == 0 || m.Rows["inbox"] != 50 || b.Encrypted {
		t.Errorf("the manifest says %+v", m)
	}
	var names []string
	for _, member := range m.Members {
		names = append(names, member.Name)
	}
	if want := []string{"familiar.db", "familiar.yaml", "personas/rook.yaml", "whatsapp/session.db"}; !slices.Equal(names, want) {
		t.Errorf("it holds %v, want %v", names, want)
	}
	writeFile(t, s.Home.Database(), "scribble")
	writeFile(t, s.Home.File(), "persona: rook\n")
	clock.Advance(1)
	done, err := s.Restore(t.Context(), b, RestoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := stored(t, s); len(got) != 50 {
		t.Errorf("%d messages are there after the restore, want 50", len(got))
	}
	if done.Unread == nil {
		t.Error("it did not say that the damaged database could not be asked for erasures")
	}
	for name, want := range map[string]string{"familiar.db": "scribble", "familiar.yaml": "persona: rook\n", "personas/rook.yaml": "name: Rook\n"} {
		if got, err := os.ReadFile(filepath.Join(done.Aside, name)); err != nil || string(got) != want {
			t.Errorf("of what stood there, %s is %q, %v", name, got, err)
		}
	}
	if got, err := os.ReadFile(s.Home.File()); err != nil || string(got) != "persona: nell\n" {
		t.Errorf("the restored configuration is %q, %v", got, err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.Home.Backups(), ".work-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRestoreIntoAnotherHome(t *testing.T) {
	s, _ := newSet(t)
	fillHome(t, s, 5)
	b, m := create(t, s)
	other, _ := newSet(t)
	other.Home = config.Home(filepath.Join(t.TempDir(), "new", "home"))
	done, err := other.Restore(t.Context(), b, RestoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if done.Aside != "" || len(stored(t, other)) != 5 {
		t.Errorf("restored %+v", done)
	}
	if id, err := other.homeID(); err != nil || id != m.Home {
		t.Errorf("the restored home is %s, %v, want %s", id, err, m.Home)
	}
}

// A browser that was logged out after the backup stays logged out (S17).
func TestS17ARestoreLogsBrowsersOut(t *testing.T) {
	s, clock := newSet(t)
	store := openStore(t, s)
	token, err := store.Logins.CreateLink(t.Context(), rand.Reader, login.Link{Role: login.Operator, Expires: clock.Now().Add(login.LinkLifetime)})
	if err != nil {
		t.Fatal(err)
	}
	cookie, _, err := store.Logins.Redeem(t.Context(), rand.Reader, token, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	b, _ := create(t, s)
	if _, err := s.Restore(t.Context(), b, RestoreOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(t, s).Logins.Session(t.Context(), cookie); !errors.Is(err, login.ErrSession) {
		t.Errorf("a session of the backup: %v, want ErrSession", err)
	}
}

func TestRestoreOfTheDatabaseAlone(t *testing.T) {
	s, clock := newSet(t)
	fillHome(t, s, 5)
	b, _ := create(t, s)
	writeFile(t, s.Home.File(), "persona: rook\n")
	clock.Advance(1)
	if _, err := s.Restore(t.Context(), b, RestoreOptions{DatabaseOnly: true}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(s.Home.File()); string(got) != "persona: rook\n" {
		t.Errorf("the configuration became %q", got)
	}
}

// TestRestoreLeavesADatabaseInUseAlone expects an error while another process has the database open.
func TestRestoreLeavesADatabaseInUseAlone(t *testing.T) {
	s, _ := newSet(t)
	fillHome(t, s, 5)
	b, _ := create(t, s)
	openStore(t, s)
	if _, err := s.Restore(t.Context(), b, RestoreOptions{}); err == nil || !strings.Contains(err.Error(), "another process has the database open") {
		t.Errorf("got %v", err)
	}
}

func TestEncryptedBackups(t *testing.T) {
	s, clock := newSet(t)
	fillHome(t, s, 5)
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	keys := func(recipients []string, passphrase, identity string) Keys {
		k, err := NewKeys(recipients, passphrase, identity)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	public := []string{id.Recipient().String()}
	s.Keys = keys(public, "", "")
	b, _ := create(t, s)
	data, err := os.ReadFile(b.Path)
	if err != nil || !strings.HasPrefix(string(data), "age-encryption.org/") || !strings.HasSuffix(b.Path, ".tar.zst.age") {
		t.Errorf("%s begins %.30q, %v", b.Path, data, err)
	}
	if _, err := s.Verify(b); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "--identity") {
		t.Errorf("without a key: %v", err)
	}
	other, _ := age.GenerateX25519Identity()
	s.Keys = keys(public, "", other.String())
	if _, err := s.Restore(t.Context(), b, RestoreOptions{}); !errors.Is(err, ErrLocked) {
		t.Errorf("with another key: %v", err)
	}
	s.Keys = keys(public, "", "# mine\n"+id.String()+"\n")
	if _, err := s.Drill(t.Context(), b); err != nil {
		t.Error(err)
	}
	clock.Advance(1_000_000)
	s.Keys = keys(nil, "correct horse", "")
	b, _ = create(t, s)
	if _, err := s.Verify(b); err != nil {
		t.Error(err)
	}
	s.Keys = keys(nil, "wrong horse", "")
	if _, err := s.Verify(b); !errors.Is(err, ErrLocked) {
		t.Errorf("with another passphrase: %v", err)
	}
	for _, bad := range [][3]string{{"age1nonsense"}, {"", "", "AGE-SECRET-KEY-1NONSENSE"}, {public[0], "both"}} {
		if _, err := NewKeys(strings.Fields(bad[0]), bad[1], bad[2]); err == nil || strings.Contains(err.Error(), "NONSENSE") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestADamagedDatabaseIsNotBackedUp(t *testing.T) {
	s, _ := newSet(t)
	fillHome(t, s, 200)
	data, err := os.ReadFile(s.Home.Database())
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(data), "heron number 100") / 4096 * 4096
	copy(data[at:], strings.Repeat("scribble", 512))
	writeFile(t, s.Home.Database(), string(data))
	if _, _, err := s.Create(t.Context(), Scheduled); !errors.Is(err, memory.ErrCorrupt) {
		t.Errorf("got %v, want ErrCorrupt", err)
	}
	if all, err := s.List(); err != nil || len(all) > 0 {
		t.Errorf("left %v, %v", all, err)
	}
}
