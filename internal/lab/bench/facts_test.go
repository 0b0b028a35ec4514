package bench

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const towns = `{"name": "towns",
 "facts": ["The capital of Ruritania is Strelsau.", "The author of Rupert is Anthony Hope.", "Anthony Hope was born in the city of Clapton.",
  "Rudolf Rassendyll is a citizen of England.", "The capital of Ruritania is Zenda.", "Rudolf Rassendyll is a citizen of Ruritania."],
 "questions": ["What is the capital of Ruritania?", "In which city was the author of Rupert born?", "Who sings in the bath?"],
 "answers": [["Zenda", "Zenda Castle"], ["Clapton"], ["nobody"]]}`

func writeFacts(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "towns.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFacts(t *testing.T) {
	path := writeFacts(t, towns)
	got, err := Facts(t.Context(), testParts(), []string{path})
	if err != nil {
		t.Fatal(err)
	}
	want := FactsScore{Questions: 3, CurrentValueTop1: 2.0 / 3, AnswerInContext: 2.0 / 3}
	if got.Overall != want || got.Files["towns"] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.IngestPerSec <= 0 || got.RecallMS.P50 <= 0 {
		t.Errorf("nothing took any time: %+v", got)
	}
	if _, err := Facts(t.Context(), testParts(), []string{path, path}); err == nil || !strings.Contains(err.Error(), "towns") {
		t.Errorf("two files of one name: %v", err)
	}
}

func TestReadFactsSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		`[]`: "expected an object", `{"facts": []}`: "0 facts",
		`{"facts": ["a"], "questions": ["b"], "answers": []}`: "1 questions and 0 answers",
	} {
		if _, err := readFacts(writeFacts(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	f, err := readFacts(writeFacts(t, `{"facts": ["a"]}`))
	if err != nil || f.Name != "towns" {
		t.Errorf("a file without a name: %+v, %v", f, err)
	}
}

func TestReplacedFacts(t *testing.T) {
	got := replacedFacts([]string{
		"The capital of Ruritania is Strelsau.",            // 0
		"The capital of Syldavia is Klow.",                 //
		"Ada Day is a citizen of United States of America", // 2
		"Ada Day is affiliated with the religion of Zoroastrianism.",
		"Ada Day is married to Bo Day.", // 4
		"Ada Day was founded by Bo Day.",
		"Ada Day was founded in the city of Rome.",
		"Ada Day is a citizen of United Kingdom",     // 7
		"The capital of Ruritania is Zenda.",         // 8
		"Ada Day is married to Cy Cole.",             // 9
		"Ada Day is a citizen of United Kingdom",     // said again
		"Ada Day is married to Bo Day.",              // back again
		"Ada Day's child is Di Day.",                 // 12
		"Ada Day's child is Ed Day.",                 //
		"The church of Ada is located in the north.", // no value of the next
		"The church of Ada is dedicated to Bo Day.",
	})
	want := map[int]string{0: "Strelsau", 2: "United States of America", 9: "Cy Cole", 12: "Di Day"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestUnmarked(t *testing.T) {
	for text, want := range map[string]bool{
		"The capital is Strelsau.":                               true,
		"The capital is Strelsau [no longer current].":           false,
		"The capital is [corrected].":                            false,
		"Klow [no longer current] is not Strelsau.":              true,
		"The capital is Zenda.":                                  false,
		"Her child is Strelsau [told differently since], I hear": false,
	} {
		if got := unmarked(text, "Strelsau"); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// The JSON keys are an interface for those who read reports.
func TestFactsReportKeys(t *testing.T) {
	data, err := json.Marshal(FactsReport{Files: map[string]FactsScore{"towns": {}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"overall", "files", "questions", "current_value_top1", "answer_in_context", "stale_in_context", "ingest_per_s", "recall_ms",
	} {
		if !strings.Contains(string(data), `"`+key+`":`) {
			t.Errorf("no key %q in %s", key, data)
		}
	}
}
