package bench

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Figure is one line of the report: a figure measured here, the baseline's in the same run, and those of other systems.
type Figure struct {
	Figure string `json:"figure"`
	Ours   string `json:"ours"`
	// FTS5 is the baseline's figure, empty in a build or a run without it.
	FTS5 string `json:"fts5,omitempty"`
	// Field holds figures of other systems. Their recall figures cover all ten conversations of LoCoMo, with one memory
	// per turn, the bare question as query and no model. Their times come from other machines.
	Field string `json:"field,omitempty"`
}

// ReportParts sets what a report covers.
type ReportParts struct {
	RecallParts
	// Conversations lists files in LoCoMo format, Facts files of facts and questions. A benchmark without files is
	// skipped.
	Conversations, Facts []string
	// Sizes lists the store sizes of the scale benchmark. Messages and Rooms set the extent of the turn benchmark.
	Sizes           []int
	Messages, Rooms int
}

// Results are those of every benchmark that was run.
type Results struct {
	Turn  TurnReport
	Scale ScaleReport
	// Facts, Recall and Baseline are nil without their files.
	Facts    *FactsReport
	Recall   *RecallReport
	Baseline *Compared
}

// Report runs every benchmark.
func Report(ctx context.Context, parts ReportParts) (r Results, err error) {
	if r.Turn, err = Turn(ctx, parts.RecallParts, parts.Messages, parts.Rooms); err != nil {
		return r, err
	}
	if r.Scale, err = Scale(ctx, parts.RecallParts, parts.Sizes); err != nil {
		return r, err
	}
	if len(parts.Facts) > 0 {
		facts, err := Facts(ctx, parts.RecallParts, parts.Facts)
		if err != nil {
			return r, err
		}
		r.Facts = &facts
	}
	if len(parts.Conversations) == 0 {
		return r, nil
	}
	recall, err := Recall(ctx, parts.RecallParts, parts.Conversations)
	if err != nil {
		return r, err
	}
	r.Recall = &recall
	if hasFTS5 {
		both, err := Compare(ctx, parts.RecallParts, parts.Conversations)
		if err != nil {
			return r, err
		}
		r.Baseline = &both.Theirs
	}
	return r, nil
}

// Figures returns the figures side by side.
func (r Results) Figures() (figures []Figure) {
	if r.Recall != nil {
		baseline := Compared{}
		if r.Baseline != nil {
			baseline = *r.Baseline
		}
		figures = recallFigures(*r.Recall, baseline)
	}
	if r.Facts != nil {
		figures = append(figures, factsFigures(*r.Facts)...)
	}
	return append(append(figures, turnFigures(r.Turn)...), scaleFigures(r.Scale)...)
}

func recallFigures(r RecallReport, b Compared) []Figure {
	o := r.Overall
	return []Figure{
		{"recall@5", short(o.RecallAt5), short(b.RecallAt5), "FTS5 0.526, ghost 0.484, graymatter 0.183, geoffreyengram 0.128"},
		{"recall@10", short(o.RecallAt10), short(b.RecallAt10), "FTS5 0.605, ghost 0.559, graymatter 0.328, geoffreyengram 0.180"},
		{"recall@20", short(o.RecallAt20), short(b.RecallAt20), "FTS5 0.667, ghost 0.633, graymatter 0.439, geoffreyengram 0.253"},
		{"mean reciprocal rank", short(o.MRR), short(b.MRR), "FTS5 0.450, ghost 0.375 (0.595 with vectors), graymatter 0.118"},
		{
			"session recall@5", short(o.SessionRecallAt5), short(b.SessionRecallAt5),
			"FTS5 0.832, ghost 0.798 (0.750 with vectors), graymatter 0.535",
		},
		{"recall in 1,000 tokens", short(o.ContextRecall1000), short(b.ContextRecall1000), ""},
		{"recall p50, ms", short(r.RecallMS.P50), short(b.RecallMS.P50), "FTS5 0.36, ghost 10.6, graymatter 12.6, geoffreyengram 33.6"},
		{"transcripts stored, messages/s", short(r.IngestPerSec), "", ""},
	}
}

// factsField holds the figures of other systems by file, from the answers that a large model gave with the context each
// system retrieved.
const factsField = "BM25 0.48, HippoRAG-v2 0.54, Mem0 0.18, Zep 0.07; over several facts at most 0.07"

func factsFigures(r FactsReport) []Figure {
	var all []Figure
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		f := r.Files[name]
		all = append(all, Figure{name + ": newest value first / stale shown", short(f.CurrentValueTop1) + " / " +
			strconv.FormatFloat(f.StaleInContext, 'f', 3, 64), "", factsField})
	}
	return all
}

// scaleField holds the recall times of other systems by number of memories.
var scaleField = map[int]string{100_000: "FTS5 9.4 / 36, ghost 1,079 / 1,284, graymatter 58,760"}

func scaleFigures(r ScaleReport) []Figure {
	var all []Figure
	for _, s := range r.Sizes {
		of := strconv.Itoa(s.Memories) + " memories: "
		all = append(all,
			Figure{of + "recall p50 / p99, ms", short(s.WarmMS.P50) + " / " + short(s.WarmMS.P99), "", scaleField[s.Memories]},
			Figure{of + "first recall, ms", short(s.ColdMS), "", ""},
			Figure{of + "turn beside the model p50 / p99, ms", ownTurn(s.Turn), "", ""},
			Figure{of + "a night with " + strconv.Itoa(s.Due) + " due, ms", short(s.DecayMS), "", ""},
			Figure{of + "stored, messages/s", short(s.IngestPerSec), "", ""},
			Figure{of + "resident / on disk, MB", short(s.RSSMB) + " / " + short(s.DBMB), "", ""},
		)
	}
	return all
}

// ownTurn formats the time of a turn beside the model's.
func ownTurn(t *ModelTurns) string {
	if t == nil {
		return ""
	}
	return short(t.OwnMS.P50) + " / " + short(t.OwnMS.P99)
}

func turnFigures(r TurnReport) []Figure {
	return []Figure{
		{fmt.Sprintf("turns in %d rooms, messages/s", r.Rooms), short(r.MessagesPerSec), "", ""},
		{"turn p50 / p99, ms", short(r.TurnMS.P50) + " / " + short(r.TurnMS.P99), "", ""},
	}
}

// short formats a figure to three places, or as a whole number from a hundred on. 0 means not measured.
func short(v float64) string {
	switch {
	case v == 0:
		return ""
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}
