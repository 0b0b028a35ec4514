package main

import (
	"strings"
	"testing"

	"familiar/config"
)

func TestDoctorNamesAnIndexBudgetOutOfRange(t *testing.T) {
	t.Parallel()
	doctorFindings(t, configure(t, "recall: {index_mb: 8}\n"), "canary", 1, "recall.index_mb", "is 8: use 16 to 65536, or 0")
	doctorFindings(t, configure(t, "recall: {index_mb: 64}\n"), "canary", 0, "configuration\tok")
}

func TestIndexMemoryIsComparedWithTheMachines(t *testing.T) {
	for _, tt := range []struct {
		mb     int
		memory int64
		unwise bool
	}{{0, 1 << 30, false}, {512, 1 << 30, false}, {513, 1 << 30, true}, {513, 0, false}} {
		warned := checkIndexMemory(&config.Config{Recall: config.Recall{IndexMB: tt.mb}}, tt.memory)
		if len(warned) > 0 != tt.unwise || tt.unwise && !strings.Contains(warned[0], "set at most 512") {
			t.Errorf("%d MB of %d: got %q", tt.mb, tt.memory, warned)
		}
	}
}

// F6: sessions that the model failed to read three times in a row are shown.
func TestF6DoctorNamesSessionsThatCouldNotBeRead(t *testing.T) {
	t.Parallel()
	home := configure(t, "")
	familiar(t, home, nil, "My name is Ann.\n", "chat", "--as", "Ann").must(t)
	store := openStore(t, home)
	for range 3 {
		if _, err := store.Turns.NoteUselessReading(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	doctorFindings(t, home, "canary", 0, "1 session could not be read by the model three times in a row", "memory refine --dry-run")
}
