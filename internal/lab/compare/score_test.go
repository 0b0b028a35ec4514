package compare

import (
	"testing"
)

func TestAFactIsReadFromOneSentenceWithItsHead(t *testing.T) {
	lives := Fact{
		Fact: "Ada lives in Porto.", Wordings: []string{"Ada live|lives|moved Porto"},
		Stale: []string{"live|lives Lisbon"}, Wrong: []string{"lives Paris"},
	}
	for _, c := range []struct {
		line                  string
		present, stale, wrong bool
	}{
		{"known (Ada's word of 2026-05-01): Ada lives in Porto", true, false, false},
		{"- Fri 2026-05-01 09:00 | Ada: It rains. I live in Porto, by the river.", true, false, false},
		{"- Fri 2026-05-01 09:00 | Bob: I live in Porto.", false, false, false},
		{"- Fri 2026-05-01 09:00 | Ada: I live alone. Porto is loud.", false, false, false},
		{"- Fri 2026-05-01 09:00 | Ada: Porto, Porto, Porto", false, false, false},
		{"was so, is not any more (Ada's word of 2026-05-01): Ada lives in Porto", false, false, false},
		{"- Fri 2026-05-01 09:00 | Ada: I live in Lisbon.", false, true, false},
		{"- Fri 2026-05-01 09:00 | Ada: I live in Lisbon [no longer current].", false, false, false},
		{"- Fri 2026-05-01 09:00 | Ada: I live in Lisbon [told differently since], by the river. ⏎ It rains.", false, false, false},
		{"- Fri 2026-05-01 09:00 | Ada: I live in Lisbon. ⏎ It rains [corrected].", false, true, false},
		{"was so, is not any more: Ada lives in Lisbon", false, false, false},
		{"- Fri 2026-05-01 09:00 | Ada: I live in Porto now. I don't live in Lisbon any more.", true, false, false},
		{"- Fri 2026-05-01 09:00 | Ada: I live in Porto now. ⏎ I live in Lisbon.", true, true, false},
		{"known: Ada lives in Paris", false, false, true},
		{"", false, false, false},
	} {
		got := lives.look([]string{c.line})
		if want := (Found{lives.Fact, c.present, c.stale, c.wrong}); got != want {
			t.Errorf("%q: %+v, want %+v", c.line, got, want)
		}
	}
}

func TestWordsOf(t *testing.T) {
	for text, want := range map[string]string{
		"Ida’s great-grandfather, born 1871-02-09!": "ida great-grandfather born 1871 02 09",
		"don't -- stop": "don't stop",
		"":              "",
	} {
		if got := joined(wordsOf(text)); got != want {
			t.Errorf("wordsOf(%q) = %q, want %q", text, got, want)
		}
	}
}

func joined(words []string) (all string) {
	for i, w := range words {
		if i > 0 {
			all += " "
		}
		all += w
	}
	return all
}

func TestAScoreCountsTheReturnAndLaterAnswers(t *testing.T) {
	s := Scenario{
		Facts: []Fact{
			{Fact: "a cat", Wordings: []string{"cat Tom"}, Wrong: []string{"cat Tim"}},
			{Fact: "a boat", Wordings: []string{"boat"}},
			{Fact: "a house", Wordings: []string{"house"}},
		},
		Foreign: []Fact{{Fact: "a goat", Wordings: []string{"goat"}}},
		Probe:   Probe{Asks: []Question{{Fact: "a boat"}, {Fact: "a house"}}},
	}
	m := ModeReport{Steps: []Step{
		{Context: []string{"Ann: my cat Tom"}, Tokens: 5},
		{Context: []string{"Ann: my cat is Tim", "Ann: I have a boat"}},
		{Context: []string{"Bob: a goat"}},
	}}
	m.score(s)
	want := Score{Facts: 3, Present: 1, Share: 0.333, Wrong: 1, Others: 1, Asked: 2, Answerable: 1, Tokens: 5}
	if m.Score != want {
		t.Errorf("score %+v, want %+v", m.Score, want)
	}
}
