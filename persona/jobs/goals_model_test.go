package jobs_test

import (
	"slices"
	"strings"
	"testing"

	"familiar/internal/llm"
	"familiar/memory/belief"
	"familiar/prompts"
)

func TestAModelMayOnlyProposeGoals(t *testing.T) {
	const said = "One of these years I'll hold that pilot licence in my hands, mark my words"
	for name, tt := range map[string]struct {
		answer   string
		want     []string
		rejected int
	}{
		"proven": {
			`{"goals": [{"text": "getting a pilot licence", "line": 1, "quote": "hold that pilot licence in my hands"}]}`,
			[]string{"getting a pilot licence"},
			0,
		},
		"a quote that was never said": {`{"goals": [{"text": "getting a pilot licence", "line": 1, "quote": "I want a pilot licence"}]}`, nil, 1},
		"more than was said":          {`{"goals": [{"text": "getting a pilot licence from Kira", "line": 1, "quote": "that pilot licence"}]}`, nil, 1},
		"a line nobody showed":        {`{"goals": [{"text": "getting a pilot licence", "line": 2, "quote": "that pilot licence"}]}`, nil, 1},
		"something else":              {`{"goals": [{"text": "learning the guitar", "line": 1, "quote": "that pilot licence"}]}`, nil, 1},
		"no JSON":                     {`They want to fly.`, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			model := llm.Answering(func(p prompts.Prompt) string {
				if all := p.System + p.Messages[0].Text; strings.Contains(all, "a shed") {
					t.Errorf("shown what is not for it:\n%s", all)
				}
				return tt.answer
			})
			w.night.Model = model
			w.say("", "ann", said)
			w.say("", "ann", "I want to build a shed.") // recognized by its wording
			done := w.pursue()
			calls := 1
			if name == "no JSON" {
				calls = 2 // it is asked for once more
			}
			if done.Rejected != tt.rejected || done.Calls != calls {
				t.Errorf("%+v", done)
			}
			want := append([]string{"building a shed"}, tt.want...)
			if got := w.followed("ann", "ann", belief.LoopGoal); !slices.Equal(got, want) {
				t.Errorf("goals are %q, want %q", got, want)
			}
			w.say("", "ann", "good night")
			if again := w.pursue(); again.Calls != 0 {
				t.Errorf("asked the model of nothing: %+v", again)
			}
		})
	}
}
