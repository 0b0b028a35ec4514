package english

import "testing"

// TestEveryWordListIsUsed finds lists in words.txt that are empty, and names without a list.
func TestEveryWordListIsUsed(t *testing.T) {
	used := []map[string]bool{
		isAfter, Adverbs, Function, calendarWords, Months, notNames, Determiners, Passing,
	}
	for i, words := range used {
		if len(words) == 0 {
			t.Errorf("list %d is empty", i)
		}
	}
	if len(lists) != len(used) {
		t.Errorf("words.txt has %d lists, want %d", len(lists), len(used))
	}
}
