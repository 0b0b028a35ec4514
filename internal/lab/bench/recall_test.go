package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
)

const garden = `{
 "sample_id": "garden",
 "conversation": {
  "session_1_date_time": "9:00 am on 4 May, 2024",
  "session_1": [
   {"speaker": "Ann", "dia_id": "D1:1", "text": "Did you plant anything this spring?"},
   {"speaker": "Bo", "dia_id": "D1:2", "text": "Rhubarb behind the shed, and two quince trees"},
   {"speaker": "Ann", "dia_id": "D1:3", "text": "My knee hurts again"}
  ],
  "session_2_date_time": "8:15 pm on 1 June, 2024",
  "session_2": [
   {"speaker": "Ann", "dia_id": "D2:1", "text": "I bought a telescope yesterday", "blip_caption": "a brass telescope"},
   {"speaker": "Bo", "dia_id": "D2:2", "text": "The bus was late, I had to run"}
  ]
 },
 "qa": [
  {"question": "What did Bo plant behind the shed?", "category": 4, "evidence": ["D1:2"]},
  {"question": "When did Ann buy the telescope?", "category": 2, "evidence": ["D2:01; D9:9"]},
  {"question": "Who won the lottery?", "category": 5, "evidence": ["D1:1"]},
  {"question": "Unanswerable by its evidence", "category": 1, "evidence": ["D"]}
 ]
}`

func testParts() RecallParts {
	return RecallParts{
		Card: &card.Card{Key: "tess", Name: "Tess"}, Voice: plain.New(),
		Settings: persona.Settings{
			SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC,
		},
	}
}

func TestRecall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "garden.json")
	if err := os.WriteFile(path, []byte(garden), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Recall(t.Context(), testParts(), []string{path})
	if err != nil {
		t.Fatal(err)
	}
	perfect := RecallScore{
		Questions: 2, RecallAt5: 1, RecallAt10: 1, RecallAt20: 1, MRR: 1, SessionRecallAt5: 1, ContextRecall1000: 1,
	}
	if got.Overall != perfect || got.Files["garden"] != perfect {
		t.Errorf("overall %+v, file %+v", got.Overall, got.Files["garden"])
	}
	if len(got.Categories) != 2 || got.Categories["2"].Questions != 1 || got.Categories["4"].Questions != 1 {
		t.Errorf("categories %+v", got.Categories)
	}
	if got.Dropped != 2 || got.IngestPerSec <= 0 || got.RecallMS.P50 <= 0 {
		t.Errorf("got %+v", got)
	}
	if _, err := Recall(t.Context(), testParts(), []string{path, path}); err == nil || !strings.Contains(err.Error(), "garden") {
		t.Errorf("two transcripts of one name: %v", err)
	}
}

// The JSON keys are an interface for those who read reports.
func TestRecallReportKeys(t *testing.T) {
	data, err := json.Marshal(RecallReport{Categories: map[string]RecallScore{"1": {}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"overall", "categories", "files", "questions", "recall_at_5", "recall_at_10", "recall_at_20", "mrr",
		"session_recall_at_5", "context_recall_1000", "ingest_per_s", "recall_ms", "p50", "p95", "p99", "dropped",
	} {
		if !strings.Contains(string(data), `"`+key+`":`) {
			t.Errorf("no key %q in %s", key, data)
		}
	}
}
