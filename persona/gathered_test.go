package persona

import (
	"strings"
	"testing"

	"familiar/memory"
)

// TestWhatAJobPutTogetherIsNobodysWord: it may answer, but not as if somebody had told it.
func TestWhatAJobPutTogetherIsNobodysWord(t *testing.T) {
	summary := memory.Memory{ID: 7, Origin: memory.Inferred, Text: "Ann on pottery: I began with pottery. My pottery cracked."}
	s := annScene(heardLine("What about my pottery?"))
	s.Recall = memory.Recalled{
		Hits:  []memory.Hit{{Memory: summary}},
		Items: []memory.Item{{MemoryID: summary.ID, Lines: []memory.SnippetLine{{Text: summary.Text, Hit: true, At: may}}}},
	}
	speech, err := NewPlain().Speak(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(speech.Text, "pottery cracked") || strings.Contains(speech.Text, "told") || strings.Contains(speech.Text, "Not from you") {
		t.Errorf("a summary is given as %q", speech.Text)
	}
}
