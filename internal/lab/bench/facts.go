package bench

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/recall"
)

// FactsReport is what `bench facts` prints.
type FactsReport struct {
	Overall FactsScore            `json:"overall"`
	Files   map[string]FactsScore `json:"files"`
	// IngestPerSec is the number of facts ingested per second, from the inbox to the record.
	IngestPerSec float64    `json:"ingest_per_s"`
	RecallMS     Quantiles3 `json:"recall_ms"`
}

// FactsScore measures how well questions retrieve the current facts. All fields except Questions are shares of the
// questions, 0–1.
type FactsScore struct {
	Questions int `json:"questions"`
	// CurrentValueTop1 is the share of questions whose first recalled memory holds a right answer. AnswerInContext is
	// the share whose packed context of at most 1,000 tokens holds one.
	CurrentValueTop1 float64 `json:"current_value_top1"`
	AnswerInContext  float64 `json:"answer_in_context"`
	// StaleInContext is the share of questions whose context shows a replaced value without marking it as replaced.
	StaleInContext float64 `json:"stale_in_context"`
}

// Facts measures whether recall returns the newest version of each fact. Each file gets its own store. One person tells
// its facts in order in a group where the persona listens, and its questions are asked the day after.
func Facts(ctx context.Context, parts RecallParts, files []string) (FactsReport, error) {
	r := FactsReport{Files: map[string]FactsScore{}}
	var overall factsTally
	var ingesting time.Duration
	var told int
	for _, path := range files {
		f, err := readFacts(path)
		if err != nil {
			return FactsReport{}, err
		}
		if _, twice := r.Files[f.Name]; twice {
			return FactsReport{}, fmt.Errorf("bench facts: %s: facts called %s were read before: give each file its own name", path, f.Name)
		}
		of, took, err := measureFacts(ctx, parts, f)
		if err != nil {
			return FactsReport{}, fmt.Errorf("bench facts: %s: %w", path, err)
		}
		r.Files[f.Name] = of.score()
		overall.join(of)
		told, ingesting = told+len(f.Facts), ingesting+took
	}
	r.Overall, r.RecallMS = overall.score(), quantiles(overall.times)
	if ingesting > 0 {
		r.IngestPerSec = float64(told) / ingesting.Seconds()
	}
	return r, nil
}

func measureFacts(ctx context.Context, parts RecallParts, f factsFile) (of factsTally, ingesting time.Duration, err error) {
	told := f.told()
	err = withBook(ctx, parts, told, func(b *book) error {
		ingesting = b.ingesting
		places := make(map[int64]int, len(b.messages)) // a fact's id is its place, see told
		for id, m := range b.messages {
			places[m.ID], _ = strconv.Atoi(id)
		}
		replaced := replacedFacts(f.Facts)
		for i, question := range f.Questions {
			started := time.Now()
			got, err := b.store.Recall.Find(ctx, b.hearing, recall.Query{Text: question, Now: b.now, Limit: asked, Budget: packBudget})
			if err != nil {
				return err
			}
			of.times = append(of.times, time.Since(started))
			of.add(got, f.Answers[i], func(message int64) string { return replaced[places[message]] })
		}
		return nil
	})
	return of, ingesting, err
}

// factsTally counts questions.
type factsTally struct {
	questions, top, packed, stale int
	times                         []time.Duration
}

// add counts one question. stale returns the value of a message that was replaced later, or "" when it was not.
func (t *factsTally) add(got recall.Result, answers []string, stale func(message int64) string) {
	t.questions++
	if len(got.Hits) > 0 && holdsAny(got.Hits[0].Memory.Text, answers) {
		t.top++
	}
	packed, shown := false, false
	for _, item := range got.Items {
		for _, l := range item.Lines {
			packed = packed || holdsAny(l.Text, answers)
			if value := stale(l.MessageID); value != "" {
				shown = shown || unmarked(l.Text, value)
			}
		}
	}
	if packed {
		t.packed++
	}
	if shown {
		t.stale++
	}
}

func (t *factsTally) join(o factsTally) {
	t.questions += o.questions
	t.top += o.top
	t.packed += o.packed
	t.stale += o.stale
	t.times = append(t.times, o.times...)
}

func (t *factsTally) score() FactsScore {
	n := float64(max(t.questions, 1))
	return FactsScore{
		Questions: t.questions, CurrentValueTop1: float64(t.top) / n, AnswerInContext: float64(t.packed) / n,
		StaleInContext: float64(t.stale) / n,
	}
}

// holdsAny reports whether text holds one of the answers, ignoring case.
func holdsAny(text string, answers []string) bool {
	text = strings.ToLower(text)
	for _, a := range answers {
		if a != "" && strings.Contains(text, strings.ToLower(a)) {
			return true
		}
	}
	return false
}

// unmarked reports whether text shows value without a later mark that it is replaced.
func unmarked(text, value string) bool {
	i := strings.LastIndex(text, value)
	if i < 0 {
		return false
	}
	for _, mark := range []string{belief.MarkChanged, belief.MarkCorrected, belief.MarkRetold} {
		if strings.Contains(text[i:], mark) {
			return false
		}
	}
	return true
}
