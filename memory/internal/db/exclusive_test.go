package db

import (
	"path/filepath"
	"testing"
)

// TestAFileSomebodyServesIsNotUnclean is about operator's verbs: beside a process that serves, the log it writes is no
// sign of a crash.
func TestAFileSomebodyServesIsNotUnclean(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	serving := openGroundAt(t, path, Options{Now: atMonday})
	accept(t, serving, 3)
	if is, err := usedAlone(t.Context(), path); err != nil || is {
		t.Errorf("beside a serving process: alone %v, %v", is, err)
	}
	accept(t, serving, 3) // it goes on
	if err := serving.Close(); err != nil {
		t.Fatal(err)
	}
	if is, err := usedAlone(t.Context(), path); err != nil || !is {
		t.Errorf("after it: alone %v, %v", is, err)
	}
}
