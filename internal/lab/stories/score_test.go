package stories

import (
	"math"
	"strings"
	"testing"

	"familiar/memory/model"
	"familiar/prompts"
)

func TestRepeated(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries []string
		want    int
	}{
		{"the same in other words around it", []string{"told: bought a green boat in Hoorn.", "Tue 2026-01-06 | Nora: I bought a green boat in Hoorn, finally"}, 1},
		{"twice the same: the second", []string{"- Nora bought a green boat.", "- Nora bought a green boat."}, 1},
		{"other content", []string{"- Nora bought a green boat.", "- Nora sold a red bicycle."}, 0},
		{"too short to repeat", []string{"- Nora sails.", "Nora: I sail every Sunday with Piet"}, 0},
		{"a summary has more", []string{"last talk, summed up: Nora bought a green boat, Piet lost his keys", "wish: Nora wants short answers in the evening"}, 0},
	} {
		if got := repeated(c.entries); len(got) != c.want {
			t.Errorf("%s: repeated %q", c.name, got)
		}
	}
}

func TestMarks(t *testing.T) {
	s := &Story{ID: "x", Vital: []Fact{{Fact: "boat", Any: []string{"PETREL"}}, {Fact: "dog", Any: []string{"bolt"}}}, Stale: []Fact{{Fact: "old", Any: []string{"for sale"}}}}
	r := examine(s, prompts.Prompt{
		System:   "You are Bram.",
		Messages: []prompts.Message{{Role: prompts.User, Text: "Nora: she is ⏎ called Petrel\nand was for sale"}},
		Notes:    []prompts.Note{{Text: "Nora: I'm a nurse [no longer current]"}, {Text: "Nora: [2] is a number"}, {Text: "Nora: plain"}},
	})
	if len(r.Marked) != 1 || !strings.Contains(r.Marked[0], "nurse") {
		t.Errorf("marked %q", r.Marked)
	}
	if len(r.Missing) != 1 || r.Missing[0] != "dog" || len(r.Stale) != 1 {
		t.Errorf("missing %q, stale %q", r.Missing, r.Stale)
	}
}

func TestCommonPrefix(t *testing.T) {
	p := func(text string) prompts.Prompt { return prompts.Prompt{System: text} }
	for _, c := range []struct {
		a, b string
		want float64
	}{{"abcd", "abcd", 1}, {"abcd", "abxy", 0.5}, {"abcd", "abcdefgh", 1}, {"abcd", "xbcd", 0}, {"", "", 0}} {
		if got := commonPrefix(p(c.a), p(c.b)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q and %q share %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestSum(t *testing.T) {
	total := Sum([]Report{
		{Vital: 4, Missing: []string{"a"}, Tokens: 100, Prefix: 1, Bad: &BadAnswers{Said: 2, False: 3, Displaced: []string{"x"}}},
		{Vital: 4, Stale: []string{"b"}, Tokens: 300, Prefix: 0.5, Bad: &BadAnswers{Said: 1, Unfit: []string{"y"}}},
	})
	if total.Vital != 7.0/8 || total.Stale != 1 || total.Tokens != 200 || total.Prefix != 0.75 || total.Judged != nil {
		t.Errorf("in all %+v", total)
	}
	if *total.Bad != (BadTotal{Said: 3, Unfit: 1, False: 3, Displaced: 1}) {
		t.Errorf("bad answers in all %+v", *total.Bad)
	}
}

// TestF3DisplacedFacts looks for facts that a false claim replaced or ended.
func TestF3DisplacedFacts(t *testing.T) {
	told := model.Evidence{MessageID: 1, Quote: "I live in Hoorn", Stance: 1}
	lie := model.Evidence{MessageID: 2, Quote: "Piet went to Lagos", Sentence: "Nora moved to Lagos.", Stance: 1, JobRun: 3}
	against := model.Evidence{MessageID: 2, Quote: "Piet went to Lagos", Stance: -1, ByModel: true, JobRun: 3}
	claims := []falseClaim{{Quote: lie.Quote, Sentence: lie.Sentence, Value: "Lagos", displaces: true}}
	moved := model.Belief{ID: 2, Status: model.Active, Relation: "lives_in", Value: "Lagos", Evidence: []model.Evidence{lie}}
	truly := model.Belief{ID: 3, Status: model.Active, Relation: "lives_in", Value: "Edam", Evidence: []model.Evidence{{Quote: "I moved to Edam", Stance: 1}}}
	home := func(status model.BeliefStatus, by int64, evidence ...model.Evidence) model.Belief {
		return model.Belief{ID: 1, Status: status, Relation: "lives_in", Value: "Hoorn", SupersededBy: by, Evidence: evidence}
	}
	for _, c := range []struct {
		name    string
		beliefs []model.Belief
		want    int
	}{
		{"replaced by a false claim", []model.Belief{home(model.Superseded, 2, told), moved}, 1},
		{"ended by a false claim", []model.Belief{home(model.Retracted, 0, told, against)}, 1},
		{"beside a false claim", []model.Belief{home(model.Active, 0, told), moved}, 0},
		{"replaced by a fact", []model.Belief{home(model.Superseded, 3, told), truly}, 0},
		{"a false claim replaced", []model.Belief{home(model.Superseded, 3, lie), truly}, 0},
	} {
		if got := displaced(c.beliefs, claims); len(got) != c.want {
			t.Errorf("%s: displaced %q", c.name, got)
		}
	}
}

func TestUnfit(t *testing.T) {
	speakers := []string{"Bram", "Nora"}
	for _, said := range []string{
		"<think>hm</think>Aye.", "Aye.<|im_end|>", `{"reply": "Aye."}`, "Aye.\n```json\n{}\n```", "As an AI, I cannot sail.", "Bram: Aye.", "Aye.\n**Nora:** and?",
		"I'm sorry, but I can't help with that.", "The user is asking about boats.",
	} {
		if unfit(said, speakers) == "" {
			t.Errorf("%q passes", said)
		}
	}
	for _, said := range []string{"Aye, Nora: that is so.", "Bram Street it is.", "I can't help laughing.", "The boat {sort of} floats <3"} {
		if why := unfit(said, speakers); why != "" {
			t.Errorf("%q does not pass: %s", said, why)
		}
	}
}

// TestTheBadAnswersRotate makes sure that a second play gives the same bad answers, and that no two answers for a program
// in a row are useless.
func TestTheBadAnswersRotate(t *testing.T) {
	reply := prompts.Prompt{Name: "reply", Rules: "- Be brief.", Speakers: []string{"Nora"}}
	work := prompts.Prompt{Name: "check", JSON: true}
	s, again := &spoiler{story: &Story{Persona: "a ferryman called Bram"}}, &spoiler{story: &Story{Persona: "a ferryman called Bram"}}
	seen := map[string]bool{}
	for range badReplies {
		text := s.spoil(reply, "Aye.")
		if seen[text] || text != again.spoil(reply, "Aye.") {
			t.Errorf("%q comes again, or not in a second play", text)
		}
		seen[text] = true
	}
	unread := 0
	for range 12 {
		if _, err := prompts.ParseCheck(s.spoil(work, `{"said":["A"]}`), 1); err == nil {
			unread = 0
		} else if unread++; unread > 1 {
			t.Error("two answers in a row cannot be read")
		}
	}
}
