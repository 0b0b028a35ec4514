package main

import (
	"testing"
)

func TestDoctorNamesAnIndexBudgetOutOfRange(t *testing.T) {
	t.Parallel()
	doctorFindings(t, configure(t, "recall: {index_mb: 8}\n"), "canary", 1, "recall.index_mb", "is 8: use 16 to 65536, or 0")
	doctorFindings(t, configure(t, "recall: {index_mb: 64}\n"), "canary", 0, "configuration\tok")
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
