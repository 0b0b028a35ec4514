package persona

import (
	"testing"
	"time"
)

var may = time.Date(2026, 5, 20, 15, 0, 0, 0, time.UTC)

func TestQuietStopsProactiveMessages(t *testing.T) {
	for text, quiet := range map[string]bool{
		"Please don't write first.":                                  true,
		"please don't write to me first, I prefer to come to you":    true,
		"don’t message me unless I write":                            true,
		"I like you but please never text me first":                  true,
		"Stop messaging me first!":                                   true,
		"please stop checking in on me":                              true,
		"From now on don't contact me out of the blue.":              true,
		"Why don't you write first?":                                 false,
		"I never write first drafts":                                 false,
		"My boss said don't write the first chapter yet":             false,
		"Don't write that down first":                                false,
		"I don't text people first, they text me":                    false,
		"the teacher told us never to write first and revise later.": false,
	} {
		if got := !quietSince(time.Time{}, text, may).IsZero(); got != quiet {
			t.Errorf("%q: %v", text, got)
		}
	}
	was := may.AddDate(0, -1, 0)
	for text, back := range map[string]bool{
		"you can write first again": true, "feel free to message me first": true, "ok, you may text me again.": true,
		"can you write first?": false, "don't write first": false, "I had soup": false,
	} {
		got := quietSince(was, text, may)
		if got.IsZero() != back || !back && !got.Equal(was) {
			t.Errorf("%q: since %v", text, got)
		}
	}
}
