package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/web/simulate/report"
)

func TestScale(t *testing.T) {
	r, err := Scale(t.Context(), testParts(), []int{60, 200})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sizes) != 2 || r.Sizes[0].Memories != 60 || r.Sizes[1].Memories != 200 {
		t.Fatalf("got %+v", r)
	}
	for _, s := range r.Sizes {
		for what, v := range map[string]float64{
			"ingest": s.IngestPerSec, "open": s.OpenMS, "cold": s.ColdMS, "warm": s.WarmMS.P50, "resident": s.RSSMB, "files": s.DBMB,
			"turn": s.Turn.OwnMS.P50, "model": s.Turn.ModelMS.P50, "first turn": s.Turn.FirstMS,
		} {
			if v <= 0 {
				t.Errorf("%d memories: %s is %v", s.Memories, what, v)
			}
		}
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"sizes", "memories", "ingest_per_s", "open_ms", "cold_ms", "warm_ms", "rss_mb", "db_mb"} {
		if !strings.Contains(string(data), `"`+key+`":`) {
			t.Errorf("no key %q in %s", key, data)
		}
	}
}

func TestScaleRooms(t *testing.T) {
	r, err := ScaleRooms(t.Context(), testParts(), []int{40}, 3)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sizes[0]
	if s.Rooms != 3 || s.Memories != 40 || s.IngestPerSec <= 0 || s.FirstMS == nil || s.FirstMS.P50 <= 0 || s.WarmMS.P50 <= 0 || s.RSSMB <= 0 {
		t.Errorf("got %+v", s)
	}
}

func TestTheCorpusIsVariedAndAlwaysTheSame(t *testing.T) {
	first, again := newCorpus().next(500), newCorpus().next(2000)
	words, names := map[string]int{}, map[string]bool{}
	for i, m := range first {
		if m.Text != again[i].Text || !m.At.Equal(again[i].At) {
			t.Fatalf("message %d is %q and %q", i, m.Text, again[i].Text)
		}
		names[m.Author.Name] = true
		for _, w := range strings.Fields(m.Text) {
			words[w]++
		}
	}
	if len(names) != len(corpusPeople) || len(words) < 1000 {
		t.Errorf("%d people use %d words", len(names), len(words))
	}
	if !slices.IsSortedFunc(first, func(a, b channels.Message) int { return a.At.Compare(b.At) }) {
		t.Error("the talk goes back in time")
	}
}

func TestCompare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "garden.json")
	if err := os.WriteFile(path, []byte(garden), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Compare(t.Context(), testParts(), []string{path})
	if !hasFTS5 {
		if !errors.Is(err, ErrNoFTS5) {
			t.Errorf("without FTS5: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if r.Ours.Questions != 2 || r.Theirs.Questions != 2 || r.Theirs.RecallAt5 != 1 || r.Ratio.RecallAt5 != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "garden.json")
	if err := os.WriteFile(path, []byte(garden), 0o600); err != nil {
		t.Fatal(err)
	}
	parts := ReportParts{RecallParts: testParts(), Sizes: []int{60}, Messages: 4, Rooms: 2}
	bare, err := Report(t.Context(), parts)
	if err != nil {
		t.Fatal(err)
	}
	without := bare.Figures()
	facts := filepath.Join(t.TempDir(), "towns.json")
	told := `{"name": "towns", "facts": ["The capital of Ruritania is Strelsau.", "The capital of Ruritania is Zenda."],
		"questions": ["What is the capital of Ruritania?"], "answers": [["Zenda"]]}`
	if err := os.WriteFile(facts, []byte(told), 0o600); err != nil {
		t.Fatal(err)
	}
	parts.Conversations, parts.Facts = []string{path}, []string{facts}
	whole, err := Report(t.Context(), parts)
	if err != nil {
		t.Fatal(err)
	}
	with := whole.Figures()
	if len(without) != 8 || len(with) != 17 || with[0].Figure != "recall@5" || with[0].Ours != "1.000" {
		t.Errorf("%d figures without conversations, with them %+v", len(without), with)
	}
	if !slices.Contains(with, Figure{"towns: newest value first / stale shown", "1.000 / 0.000", "", factsField}) {
		t.Errorf("no facts among %+v", with)
	}
	for _, f := range with {
		if strings.HasPrefix(f.Figure, "60 memories: a night with") && strings.Contains(f.Figure, " 0 due") {
			t.Errorf("nothing was due: %+v", f)
		}
	}
	for _, tc := range []struct {
		results Results
		charts  int
	}{{bare, 1}, {whole, 3}} {
		var file bytes.Buffer
		if err := tc.results.File().Write(&file); err != nil {
			t.Fatal(err)
		}
		if kept, err := report.Read(&file); err != nil || len(kept.Charts) != tc.charts || len(kept.Summary) != len(tc.results.Figures()) {
			t.Errorf("the file holds %+v, %v", kept, err)
		}
	}
}

func TestRatio(t *testing.T) {
	got := ratio(
		Compared{RecallScore{RecallAt5: 0.6, MRR: 0.5}, Quantiles3{P50: 1}},
		Compared{RecallScore{RecallAt5: 0.3}, Quantiles3{P50: 2}},
	)
	if want := (CompareRatio{RecallAt5: 2, P50: 0.5}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
