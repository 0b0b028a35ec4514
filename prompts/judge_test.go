package prompts_test

import (
	"errors"
	"strings"
	"testing"

	"familiar/prompts"
)

func TestParseVerdict(t *testing.T) {
	good := `{"recall":5,"current":4,"discretion":3,"relevance":4,"personality":3,"insight":2,"naturalness":1,"why":"It\nknew."}`
	for _, answer := range []string{good, "```json\n" + good + "\n```", strings.Replace(good, "5", `"5"`, 1), good + good} {
		v, err := prompts.ParseVerdict(answer)
		if want := (prompts.Verdict{Recall: 5, Current: 4, Discretion: 3, Relevance: 4, Personality: 3, Insight: 2, Naturalness: 1, Why: "It ⏎ knew."}); err != nil || v != want {
			t.Errorf("ParseVerdict(%q) = %+v, %v", answer, v, err)
		}
	}
	for _, answer := range []string{
		"", "5", "{}", good[:20], strings.Replace(good, "5", "6", 1), strings.Replace(good, "5", "0", 1),
	} {
		if v, err := prompts.ParseVerdict(answer); !errors.Is(err, prompts.ErrNoVerdict) || v != (prompts.Verdict{}) {
			t.Errorf("ParseVerdict(%q) = %+v, %v, want ErrNoVerdict", answer, v, err)
		}
	}
}

func TestJudgePromptFitsItsBudget(t *testing.T) {
	in := prompts.JudgeInput{Name: "Mira", Character: "A keeper.", Budget: 1500}
	for range 400 {
		in.Told = append(in.Told, "Ana has a dog that is called Bolt.")
		in.Talk = append(in.Talk, prompts.Entry{Name: "Ana", Text: strings.Repeat("long ", 200), At: at(9, 0)})
	}
	if p := prompts.Judge(in); p.Tokens() > in.Budget*103/100 || p.Slices[1].LeftOut == 0 {
		t.Errorf("%d tokens of %d: %+v", p.Tokens(), in.Budget, p.Slices)
	}
}
