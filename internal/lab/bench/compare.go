package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels/transcript"
)

// CompareReport is what `bench compare` prints: the product and a baseline answer the same questions about the same
// talk in the same run.
type CompareReport struct {
	Baseline string   `json:"baseline"`
	Ours     Compared `json:"ours"`
	Theirs   Compared `json:"theirs"`
	// Ratio divides our figures by the baseline's, 0 where the baseline's is 0. Above 1 is better for quality, below 1
	// for time.
	Ratio CompareRatio `json:"ratio"`
}

// Compared holds the figures of one side.
type Compared struct {
	RecallScore
	RecallMS Quantiles3 `json:"recall_ms"`
}

// CompareRatio holds one side's figures divided by the other's.
type CompareRatio struct {
	RecallAt5         float64 `json:"recall_at_5"`
	RecallAt10        float64 `json:"recall_at_10"`
	RecallAt20        float64 `json:"recall_at_20"`
	MRR               float64 `json:"mrr"`
	SessionRecallAt5  float64 `json:"session_recall_at_5"`
	ContextRecall1000 float64 `json:"context_recall_1000"`
	P50               float64 `json:"p50"`
}

// FTS5 names the baseline: SQLite's own full-text index, with bm25 over Porter stems and one row per turn.
const FTS5 = "fts5"

// ErrNoFTS5 reports that this build cannot run the baseline.
var ErrNoFTS5 = errors.New("the fts5 baseline is not in this build: run `make bench DATA=DIR`, or build with -tags sqlite_fts5")

// asker is a baseline that has indexed a book.
type asker interface {
	ask(ctx context.Context, q transcript.Question) (answer, error)
	close() error
}

// Compare asks the questions in files of the product and of the FTS5 baseline, one after the other.
func Compare(ctx context.Context, parts RecallParts, files []string) (CompareReport, error) {
	if !hasFTS5 {
		return CompareReport{}, ErrNoFTS5
	}
	var ours, theirs side
	talks, err := readAll(files)
	if err != nil {
		return CompareReport{}, err
	}
	for _, t := range talks {
		err := withBook(ctx, parts, t.Transcript, func(b *book) error { return compareOn(ctx, b, t.Transcript, &ours, &theirs) })
		if err != nil {
			return CompareReport{}, fmt.Errorf("bench compare: %s: %w", t.Name, err)
		}
	}
	r := CompareReport{Baseline: FTS5, Ours: ours.compared(), Theirs: theirs.compared()}
	r.Ratio = ratio(r.Ours, r.Theirs)
	return r, nil
}

func compareOn(ctx context.Context, b *book, t transcript.Transcript, ours, theirs *side) error {
	baseline, err := newFTS5(ctx, b)
	if err != nil {
		return err
	}
	defer baseline.close() //nolint:errcheck // the baseline is temporary
	for _, one := range []struct {
		*side
		ask func(context.Context, transcript.Question) (answer, error)
	}{{ours, b.ask}, {theirs, baseline.ask}} {
		answers, err := b.askAll(t, func(q transcript.Question) (answer, error) { return one.ask(ctx, q) })
		if err != nil {
			return err
		}
		one.add(answers)
	}
	return nil
}

// side collects the answers of one side.
type side struct {
	tally tally
	times []time.Duration
}

func (s *side) add(answers []answer) {
	for _, a := range answers {
		s.tally.add(a)
		s.times = append(s.times, a.took)
	}
}

func (s *side) compared() Compared {
	return Compared{RecallScore: s.tally.score(), RecallMS: quantiles(s.times)}
}

func ratio(a, b Compared) CompareRatio {
	return CompareRatio{
		RecallAt5: over(a.RecallAt5, b.RecallAt5), RecallAt10: over(a.RecallAt10, b.RecallAt10),
		RecallAt20: over(a.RecallAt20, b.RecallAt20), MRR: over(a.MRR, b.MRR),
		SessionRecallAt5:  over(a.SessionRecallAt5, b.SessionRecallAt5),
		ContextRecall1000: over(a.ContextRecall1000, b.ContextRecall1000),
		P50:               over(a.RecallMS.P50, b.RecallMS.P50),
	}
}

func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
