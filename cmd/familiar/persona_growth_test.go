package main

import (
	"strings"
	"testing"
)

// TestGrowthVerbs shows, compares and resets the growth of two weeks.
func TestGrowthVerbs(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	familiar(t, home, nil, "My cat is called Tom.\n", "chat", "--as", "Ann").must(t)
	run := func(args ...string) string {
		t.Helper()
		return familiar(t, home, nil, "", append([]string{"persona", "growth"}, args...)...).must(t).out
	}
	holds := func(shown string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(shown, want) {
				t.Errorf("%q is missing in:\n%s", want, shown)
			}
		}
	}
	holds(run("reset"), "nell is reset to its file (version 0)")
	store := openStore(t, home)
	for i, state := range []string{
		`{"traits":{"warm":0.02},"skills":{"following_up":{"confidence":0.61,"trend":"improving","sessions":5}}}`,
		`{"traits":{"warm":0.04},"skills":{"following_up":{"confidence":0.64,"trend":"improving","sessions":7}}}`,
	} {
		if err := store.Turns.AddGrowth(t.Context(), "nell", int64(i+1), i, []byte(state)); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Turns.AddGrowth(t.Context(), "nell", 3, 1, []byte(`{}`)); err == nil {
		t.Error("a version made from an old one was written")
	}
	holds(run("show"), "trait\twarm\t", "skill\tfollowing_up\t\t0.64\timproving\t7", "note\tI have become better at following up.")
	holds(run("show", "1"), "skill\tfollowing_up\t\t0.61\timproving\t5")
	holds(run("history"), "2\t", "trait warm +0.02 → +0.04, skill following_up 0.61 → 0.64")
	holds(run("diff", "0", "2", "--json"), `"name": "warm"`, `"to": 0.04`)
	if code := familiar(t, home, nil, "", "persona", "growth", "show", "9").code; code != 3 {
		t.Errorf("an unknown version exits with %d", code)
	}
	if code := familiar(t, home, nil, "", "persona", "growth", "diff", "one", "2").code; code != 2 {
		t.Errorf("no version exits %d", code)
	}
	holds(run("reset"), "nell is reset to its file (version 3)")
	if shown := run("show"); strings.Contains(shown, "note\t") || strings.Contains(shown, "skill\t") {
		t.Errorf("after the reset:\n%s", shown)
	}
	holds(run("history", "--limit", "1"), "3\t")
}
