package backup

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestS12WhatStandsAsideHoldsNothingOfAnErasedPerson erases somebody after two restores moved databases with their words aside,
// one of which is damaged.
func TestS12WhatStandsAsideHoldsNothingOfAnErasedPerson(t *testing.T) {
	s, clock := newSet(t)
	fillHome(t, s, 3)
	store := openStore(t, s)
	s.Open = store
	ann := talk(t, s, store, "15550000001", "zannah", "My parrot is called Gulliver.")
	talk(t, s, store, "15550000002", "zbobby", "My cat is called Tosca.")
	b, _ := create(t, s)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	s.Open = nil
	var aside []string
	for range 2 {
		clock.Advance(time.Hour)
		done, err := s.Restore(t.Context(), b, RestoreOptions{})
		if err != nil {
			t.Fatal(err)
		}
		aside = append(aside, done.Aside)
	}
	writeFile(t, filepath.Join(aside[1], databaseName), "no database")
	clock.Advance(time.Hour)
	store = openStore(t, s)
	s.Open = store
	if _, err := store.Eraser.ErasePerson(t.Context(), ann); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0} {
		n, left, err := s.EraseAside(t.Context())
		if err != nil || n != want || len(left) != 1 || left[0].Dir != aside[1] {
			t.Errorf("run %d: erased in %d, left %v, %v", i, n, left, err)
		}
	}
	for _, name := range []string{databaseName, "whatsapp/session.db"} {
		data, err := os.ReadFile(filepath.Join(aside[0], name))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range annsWords {
			if bytes.Contains(data, []byte(w)) {
				t.Errorf("%s still holds %q", name, w)
			}
		}
		if !bytes.Contains(data, []byte("zbobby")) {
			t.Errorf("%s lost who stays", name)
		}
	}
}
