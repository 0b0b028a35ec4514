package jobs_test

import (
	"slices"
	"testing"

	"familiar/internal/llm"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/prompts"
)

// F4: what the lines do not say is not observed, even if every name in it is theirs.
// F5: goals are found, and proven, in any language.

func TestF5GoalsInAnyLanguage(t *testing.T) {
	for _, tt := range []struct{ said, goal, quote string }{
		{"Bis zum Sommer will ich endlich richtig segeln lernen, egal wie", "segeln lernen", "segeln lernen"},
		{"sto mettendo da parte i soldi per aprire una pasticceria tutta mia", "aprire la sua pasticceria", "aprire una pasticceria tutta mia"},
		{"я третий год учу финский и не сдамся", "учить финский", "учу финский"},
		{"来年までに日本一周を自転車でやり遂げたいんだ", "自転車で日本一周", "日本一周を自転車でやり遂げたい"},
		{"أدرس كل ليلة لأصبح طبيبة أسنان", "أصبح طبيبة أسنان", "لأصبح طبيبة أسنان"},
	} {
		for name, quote := range map[string]string{"proven": tt.quote, "never said": tt.quote + " x"} {
			w := newWorld(t)
			w.night.Model = llm.Answering(func(prompts.Prompt) string {
				return `{"goals": [{"text": "` + tt.goal + `", "line": 1, "quote": "` + quote + `"}]}`
			})
			w.say("", "ann", tt.said)
			done := w.pursue()
			var want []string
			if quote == tt.quote {
				want = []string{tt.goal}
			}
			if got := w.followed("ann", "ann", belief.LoopGoal); !slices.Equal(got, want) || done.Rejected != 1-len(want) {
				t.Errorf("%s: %q gives %q, %+v", name, tt.said, got, done)
			}
		}
	}
}

func TestF4ObservationsAreCheckedAgain(t *testing.T) {
	for answer, want := range map[string]int{`{"said": ["A"]}`: 1, `{"said": []}`: 0} {
		w := newWorld(t)
		w.say("", "ann", "my mother calls every sunday")
		w.say("", "ann", "my mother asked about the flat again")
		w.night.Model = llm.Answering(func(p prompts.Prompt) string {
			switch p.Name {
			case "check":
				return answer
			case "reflect":
				return observed(t, prompts.Statement{Text: "ann resents her mother.", From: []int{1, 2}})
			}
			return `{"dream": null, "insight": null}`
		})
		_, reflected := w.sleep()
		if got := w.texts(model.Observation); len(got) != want || reflected.Rejected["not said in its lines"] != 1-want {
			t.Errorf("%s: observed %q, %+v", answer, got, reflected)
		}
	}
}
