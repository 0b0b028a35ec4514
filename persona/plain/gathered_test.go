package plain

import (
	"strings"
	"testing"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona/scene"
)

// TestInferencesAreNotEvidence: an inference may answer, but not as if someone had said it.
func TestInferencesAreNotEvidence(t *testing.T) {
	summary := model.Memory{ID: 7, Origin: model.OriginJob, Text: "Ann on pottery: I began with pottery. My pottery cracked."}
	answer := func(question string) scene.Reply {
		t.Helper()
		s := annScene(heardLine(question))
		s.Recall = recall.Result{
			Hits:  []recall.Hit{{Memory: summary}},
			Items: []recall.Item{{MemoryID: summary.ID, Lines: []model.SnippetLine{{Text: summary.Text, Hit: true, At: May}}}},
		}
		speech, err := New().Reply(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return speech
	}
	speech := answer("What about my pottery that cracked?")
	if !strings.Contains(speech.Text, "pottery cracked") || strings.Contains(speech.Text, "told") || strings.Contains(speech.Text, "Not from you") {
		t.Errorf("a summary is given as %q", speech.Text)
	}
	if speech := answer("Where did I learn to sail?"); strings.Contains(speech.Text, "cracked") {
		t.Errorf("what nobody told is answered with %q", speech.Text)
	}
}
