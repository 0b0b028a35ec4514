package backup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/memory"
)

// spoil overwrites the page of the home's database on which word first stands.
func spoil(t testing.TB, s *Set, word string) {
	t.Helper()
	const pageSize = 4096
	data, err := os.ReadFile(s.Home.Database())
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(data), word)
	if at < pageSize {
		t.Fatalf("%q is nowhere beyond the first page", word)
	}
	at -= at % pageSize
	copy(data[at:at+pageSize], strings.Repeat("scribble", pageSize/8))
	writeFile(t, s.Home.Database(), string(data))
}

func TestR7RecoverSavesWhatADamagedDatabaseHolds(t *testing.T) {
	for name, words := range map[string][]string{
		"a leaf": {"heron number 100"}, "the first leaf": {"heron number 1\""}, "the last leaf": {"heron number 399"},
		"several leaves": {"heron number 50", "heron number 200", "heron number 260", "heron number 320"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newSet(t)
			fillHome(t, s, 400)
			for _, word := range words {
				spoil(t, s, word)
			}
			damaged, err := os.ReadFile(s.Home.Database())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := memory.Open(t.Context(), s.Home.Database(), memory.Options{Now: s.Now}); !errors.Is(err, memory.ErrCorrupt) || !strings.Contains(err.Error(), "`familiar recover`") {
				t.Fatalf("opening it: %v", err)
			}
			aside := filepath.Join(t.TempDir(), "saved.db")
			if _, err := s.Recover(t.Context(), aside); err != nil {
				t.Fatal(err)
			}
			if now, err := os.ReadFile(s.Home.Database()); err != nil || string(now) != string(damaged) {
				t.Errorf("the damaged file was changed: %v", err)
			}
			done, err := s.Recover(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			kept := len(stored(t, s))
			if got := len(inboxIDs(t, aside)); got != kept {
				t.Errorf("%d messages in the file aside, %d in the home", got, kept)
			}
			if lost := 400 - kept; lost < 1 || lost > 40*len(words) {
				t.Errorf("%d of 400 messages are lost with %d pages", lost, len(words))
			}
			for _, table := range done.Tables {
				if table.Table == "inbox" && (table.Saved != int64(kept) || table.Exact && table.Lost != int64(400-kept)) {
					t.Errorf("it says %+v, and %d were saved", table, kept)
				}
			}
			if now, err := os.ReadFile(filepath.Join(done.Aside, databaseName)); err != nil || string(now) != string(damaged) {
				t.Errorf("the damaged file was not kept: %v", err)
			}
			if _, err := s.Recover(t.Context(), ""); !errors.Is(err, ErrSound) {
				t.Errorf("a second time: %v", err)
			}
		})
	}
}

func TestRecoverOfWhatIsNoDatabase(t *testing.T) {
	s, _ := newSet(t)
	fillHome(t, s, 3)
	writeFile(t, s.Home.Database(), "My notes about lighthouses, which are not a database.")
	if _, err := s.Recover(t.Context(), ""); !errors.Is(err, memory.ErrCorrupt) || !strings.Contains(err.Error(), "nothing of it can be read") {
		t.Errorf("got %v", err)
	}
	if data, err := os.ReadFile(s.Home.Database()); err != nil || !strings.HasPrefix(string(data), "My notes") {
		t.Errorf("the file became %q, %v", data, err)
	}
}
