package db

import (
	"path/filepath"
	"testing"
)

// TestAServedFileIsNotUnclean is about operators' commands: while another process serves, its log is no sign of a
// crash.
func TestAServedFileIsNotUnclean(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.db")
	serving := openTestAt(t, path, Options{Now: atMonday})
	accept(t, serving, 3)
	if is, err := usedAlone(t.Context(), path); err != nil || is {
		t.Errorf("next to a serving process: alone %v, %v", is, err)
	}
	accept(t, serving, 3) // the process continues
	if err := serving.Close(); err != nil {
		t.Fatal(err)
	}
	if is, err := usedAlone(t.Context(), path); err != nil || !is {
		t.Errorf("after it: alone %v, %v", is, err)
	}
}
