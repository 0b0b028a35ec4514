package bench

import (
	"time"

	"familiar/memory/recall"
)

// RecallScore measures how well questions retrieve the messages that answer them. All fields except Questions are means
// over questions, 0–1.
type RecallScore struct {
	Questions int `json:"questions"`
	// RecallAtK is the share of a question's evidence among the first K memories.
	RecallAt5  float64 `json:"recall_at_5"`
	RecallAt10 float64 `json:"recall_at_10"`
	RecallAt20 float64 `json:"recall_at_20"`
	// MRR is one over the rank of the first memory that is evidence, 0 when none is.
	MRR float64 `json:"mrr"`
	// SessionRecallAt5 is the share of the evidence's sessions among the first five sessions in the ranked memories.
	SessionRecallAt5 float64 `json:"session_recall_at_5"`
	// ContextRecall1000 is the share of the evidence in the packed context of at most 1,000 tokens.
	ContextRecall1000 float64 `json:"context_recall_1000"`
}

// answer holds the results of one question and the expected evidence.
type answer struct {
	text               string
	category           int
	kind               string
	bearing, style     float64 // see recall.Result
	signals            [recall.Signals]float64
	took               time.Duration
	near               *recall.QueryEmbedding
	gold, goldSessions map[int64]bool
	// ranked holds the messages of the hits, sessions their sessions, packed the messages in the context.
	ranked, sessions, packed []int64
	compressed               Compression
}

// score returns the score of this answer.
func (a answer) score() RecallScore {
	s := RecallScore{
		Questions:  1,
		RecallAt5:  shareAmong(a.gold, distinct(a.ranked), 5),
		RecallAt10: shareAmong(a.gold, distinct(a.ranked), 10),
		RecallAt20: shareAmong(a.gold, distinct(a.ranked), 20),

		SessionRecallAt5:  shareAmong(a.goldSessions, distinct(a.sessions), 5),
		ContextRecall1000: shareAmong(a.gold, distinct(a.packed), len(a.packed)),
	}
	for place, id := range distinct(a.ranked) {
		if a.gold[id] {
			s.MRR = 1 / float64(place+1)
			break
		}
	}
	return s
}

// shareAmong returns the share of gold among the first n ids.
func shareAmong(gold map[int64]bool, ids []int64, n int) float64 {
	found := 0
	for _, id := range ids[:min(n, len(ids))] {
		if gold[id] {
			found++
		}
	}
	return float64(found) / float64(len(gold))
}

func distinct(ids []int64) []int64 {
	seen := map[int64]bool{}
	var out []int64
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// tally sums scores.
type tally struct{ sum RecallScore }

func (t *tally) add(a answer) { t.plus(&tally{a.score()}) }

// plus adds the scores of another tally.
func (t *tally) plus(other *tally) {
	s := other.sum
	t.sum.Questions += s.Questions
	t.sum.RecallAt5 += s.RecallAt5
	t.sum.RecallAt10 += s.RecallAt10
	t.sum.RecallAt20 += s.RecallAt20
	t.sum.MRR += s.MRR
	t.sum.SessionRecallAt5 += s.SessionRecallAt5
	t.sum.ContextRecall1000 += s.ContextRecall1000
}

// score returns the mean score, all zero without questions.
func (t *tally) score() RecallScore {
	n := float64(max(t.sum.Questions, 1))
	return RecallScore{
		Questions: t.sum.Questions, RecallAt5: t.sum.RecallAt5 / n, RecallAt10: t.sum.RecallAt10 / n,
		RecallAt20: t.sum.RecallAt20 / n, MRR: t.sum.MRR / n, SessionRecallAt5: t.sum.SessionRecallAt5 / n,
		ContextRecall1000: t.sum.ContextRecall1000 / n,
	}
}

// tallyOf returns the tally of a key, a new one if there is none.
func tallyOf(tallies map[string]*tally, key string) *tally {
	if tallies[key] == nil {
		tallies[key] = new(tally)
	}
	return tallies[key]
}

// scores returns the mean scores by key, nil without any.
func scores(tallies map[string]*tally) map[string]RecallScore {
	if len(tallies) == 0 {
		return nil
	}
	all := map[string]RecallScore{}
	for key, t := range tallies {
		all[key] = t.score()
	}
	return all
}
