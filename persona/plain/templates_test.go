package plain

import (
	"fmt"
	"strings"
	"testing"

	"familiar/memory/model"
	"familiar/persona/modelvoice"
)

// TestNoWordingBlamesAbsence checks every template and the model's prompt.
func TestNoWordingBlamesAbsence(t *testing.T) {
	for key, variants := range wordings {
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
		if !strings.Contains(prompt, "Never make anybody feel guilty for being away") || !strings.Contains(prompt, "needs no comment") {
			t.Errorf("the model is not told so:\n%s", prompt)
		}
	}
}
