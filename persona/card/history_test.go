package card

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"familiar/persona/lore"
)

func TestHistoryKeepsTheNewestVersions(t *testing.T) {
	const maxVersions = 50
	dir, at := t.TempDir(), time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	for i := range maxVersions + 10 {
		text := fmt.Appendf(nil, "name: N%d\n", i)
		for range 2 { // the same text is one version
			if err := Keep(dir, "nell", text, Set, at.Add(time.Duration(i)*time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
	}
	all, err := Versions(dir, "nell")
	if err != nil || len(all) != maxVersions || all[0].Number != 11 {
		t.Fatalf("%d versions from %d, %v", len(all), all[0].Number, err)
	}
	last, err := FindVersion(dir, "nell", maxVersions+10)
	if text, textErr := last.Text(); err != nil || textErr != nil || string(text) != "name: N59\n" || last.Change != Set || !last.At.Equal(at.Add(59*time.Minute)) {
		t.Errorf("the last is %+v %q, %v, %v", last, text, err, textErr)
	}
	if _, err := FindVersion(dir, "nell", 1); !errors.Is(err, ErrNoCard) {
		t.Errorf("a dropped version: %v", err)
	}
	if info, err := os.Stat(historyDir(dir, "nell")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v, %v", info.Mode(), err)
	}
	if entries, err := Cards(dir); err != nil || len(entries) != 2 {
		t.Errorf("the history is taken for personas: %v, %v", entries, err)
	}
	if _, err := Versions(dir, "../x"); !errors.Is(err, ErrNoCard) {
		t.Errorf("a key outside: %v", err)
	}
	for i := range 3 { // each of more than a third of what there is room for
		if err := KeepLore(dir, "nell", bytes.Repeat([]byte{byte('a' + i)}, lore.MaxFile), Paged, at); err != nil {
			t.Fatal(err)
		}
	}
	a := loreArchive(dir, "nell")
	a.mostBytes = 2 * lore.MaxFile
	if err := a.keep([]byte("{}"), Paged, at); err != nil {
		t.Fatal(err)
	}
	if kept, err := LoreVersions(dir, "nell"); err != nil || len(kept) != 2 || kept[1].Number != 4 {
		t.Errorf("beyond the room for lorebooks: %+v, %v", kept, err)
	}
}
