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

const ferry = `{
 "sample_id": "ferry", "persona": "Bram",
 "conversation": {
  "session_1_date_time": "9:00 am on 4 May, 2024",
  "session_1": [
   {"speaker": "Nora", "dia_id": "D1:1", "text": "Morning!"},
   {"speaker": "Nora", "dia_id": "D1:2", "text": "My bicycle was stolen from the harbour"},
   {"speaker": "Bram", "dia_id": "D1:3", "text": "I once lost an anchor there."},
   {"speaker": "Nora", "dia_id": "D1:4", "text": "Must run"}
  ],
  "session_2_date_time": "8:15 pm on 1 June, 2024",
  "session_2": [
   {"speaker": "Nora", "dia_id": "D2:1", "text": "The thief brought it back, with new brakes"},
   {"speaker": "Bram", "dia_id": "D2:2", "text": "Then he has more conscience than skill."}
  ]
 },
 "qa": [
  {"question": "What was stolen from me at the harbour?", "category": 4, "kind": "single", "evidence": ["D1:2"]},
  {"question": "What did the thief put on my bicycle?", "category": 4, "kind": "update", "evidence": ["D2:1"]},
  {"question": "Which lighthouse did I paint?", "category": 5, "kind": "never", "evidence": []}
 ]
}`

// TestRecallOfTalkWithAPersona replays the conversation turn by turn: what the persona says is its own and follows what it
// answers, each message has its time, and a message that the persona leaves unanswered stays so.
func TestRecallOfTalkWithAPersona(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ferry.json")
	if err := os.WriteFile(path, []byte(ferry), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Recall(t.Context(), testParts(), []string{path})
	if err != nil {
		t.Fatal(err)
	}
	if got.Overall.Questions != 2 || got.Overall.RecallAt5 != 1 || got.Kinds["single"].MRR != 1 || len(got.Kinds) != 2 {
		t.Errorf("got %+v, kinds %+v", got.Overall, got.Kinds)
	}
	if a := got.Abstention; a == nil || a.Questions != 1 || a.AUC != 1 {
		t.Errorf("abstention %+v", a)
	}
	talks, err := readAll([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	err = withBook(t.Context(), testParts(), talks[0].Transcript, func(b *book) error {
		for _, m := range talks[0].Messages {
			kept := b.messages[m.ID]
			if kept.Text != m.Text || !kept.At.Equal(m.At) || (kept.PersonID == 0) != (m.Author == talks[0].Persona) {
				t.Errorf("message %s was recorded as %+v", m.ID, kept)
			}
		}
		if b.messages["D1:1"].SessionID == b.messages["D2:1"].SessionID {
			t.Error("both sessions are one")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
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
