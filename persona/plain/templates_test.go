package plain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/modelvoice"
)

// TestWordingsAreComplete checks the files of every language: what is said in one can be said in all, and no wording is broken.
func TestWordingsAreComplete(t *testing.T) {
	en, _ := tongueOf("en")
	for tag := range tongues {
		told, _ := tongueOf(tag)
		for key, variants := range told.wordings {
			if !en.has(key) {
				t.Errorf("%s: %s is no wording of English", tag, key)
			}
			for _, v := range variants {
				if v == "" || strings.Count(v, "{") != strings.Count(v, "}") || strings.Count(v, "{,}") > 1 {
					t.Errorf("%s: %s: %q", tag, key, v)
				}
			}
		}
		for key := range en.wordings {
			if _, manner, _ := cutLast(key); !told.has(key) && !slices.Contains([]string{"warm", "formal", "playful"}, manner) {
				t.Errorf("%s lacks %s", tag, key)
			}
		}
		if len(told.whole) == 0 || len(told.part) == 0 || len(told.lists) == 0 {
			t.Errorf("%s understands no small talk", tag)
		}
		for _, p := range slices.Concat(told.whole, told.part) {
			if p.text == "" || !en.has(p.intent) && !answered(p.intent) {
				t.Errorf("%s: phrase %q has the intent %q, which nothing answers", tag, p.text, p.intent)
			}
		}
	}
}

func cutLast(key string) (before, after string, found bool) {
	i := strings.LastIndexByte(key, '.')
	return key[:max(i, 0)], key[i+1:], i >= 0
}

// answered are the intents that code answers rather than a wording of the same name.
func answered(intent string) bool {
	return slices.Contains([]string{"goals", "about.me", "about.more", "about.wishes"}, intent)
}

// TestS19NoWordingBlamesAbsence checks every wording and the model's prompt.
func TestS19NoWordingBlamesAbsence(t *testing.T) {
	en, _ := tongueOf("en")
	for key, variants := range en.wordings {
		for _, v := range variants {
			for _, g := range guilt {
				if strings.Contains(strings.ToLower(v), g) {
					t.Errorf("%s: %q contains %q", key, v, g)
				}
			}
		}
	}
	for _, unasked := range []string{"", "loop:1:after"} {
		in := cameBack()
		in.Relationship.LastSeen = May.AddDate(-2, 0, 0)
		in.Loops, in.Proactive = []model.Loop{interview}, unasked
		prompt := fmt.Sprint(modelvoice.ReplyPrompt(greetingScene(in)))
		if !strings.Contains(prompt, "Make nobody feel guilty for being away") || !strings.Contains(prompt, "needs no comment") {
			t.Errorf("the model is not told so:\n%s", prompt)
		}
	}
}

// TestNoWordingPromisesAnything: what the persona promises stays open until the next talk.
func TestNoWordingPromisesAnything(t *testing.T) {
	en, _ := tongueOf("en")
	for key, variants := range en.wordings {
		for _, v := range variants {
			said := strings.NewReplacer("{,}", ", Ann", "{", "", "}", "").Replace(v)
			if made := understand.Promises(understand.Utterance{Text: said, At: May}); len(made) > 0 {
				t.Errorf("%s: %q promises %q", key, said, made[0].Quote)
			}
		}
	}
}
