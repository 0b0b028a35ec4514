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

// TestWordsFromElsewhereKeepTheirSource: signed lore and web pages come from no talk, and are never given without their source.
func TestWordsFromElsewhereKeepTheirSource(t *testing.T) {
	long := strings.Repeat("The quay was widened twice and is swept by hand. ", 6)
	for source, kind := range map[string]model.Kind{
		"From the lore of Nell Harrow, signed by ann: ": model.Lore, "A web page (Ports, a.test; https://a.test/; read on 2026-01-04) says: ": model.Web,
	} {
		for _, said := range []string{"The harbour of Heronport is deep.", long + "The harbour of Heronport is deep."} {
			m := model.Memory{ID: 7, Origin: model.OriginJob, Kind: kind, Text: source + "“" + said + "”"}
			s := annScene(heardLine("Is the harbour of Heronport deep?"))
			s.Recall = recall.Result{
				Hits:  []recall.Hit{{Memory: m}},
				Items: []recall.Item{{MemoryID: m.ID, Lines: []model.SnippetLine{{Text: m.Text, Hit: true, At: May}}}},
			}
			speech, err := New().Reply(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := speech.Text; !strings.Contains(got, source) || !strings.Contains(got, "harbour of Heronport is deep") || strings.Contains(got, "several talks") || strings.Contains(got, "over time") {
				t.Errorf("%s is given as %q", kind, got)
			}
		}
	}
}
