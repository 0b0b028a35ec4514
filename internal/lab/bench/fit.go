package bench

import (
	"maps"
	"slices"

	"familiar/memory/lexical"
	"familiar/memory/recall"
)

// weighed is one question with its recalled memories broken down into features, so that other weights can be tried
// without recalling again.
type weighed struct {
	// file is the name of the transcript, corpus the directory of its file.
	file, corpus string
	gold         map[int64]bool
	goldSessions map[int64]bool
	hits         []weighedHit
}

// weighedHit is one recalled memory.
type weighedHit struct {
	values   lexical.Weights
	factor   float32 // the multiplier of its score, from the kind of memory
	messages []int64
	session  int64
}

// fitDepth is the number of memories recalled per question for fitting. Other weights cannot find memories below that
// rank.
const fitDepth = 100

// features returns the components of a hit's score.
func features(h recall.Hit) (values lexical.Weights, factor float32) {
	var sum float32
	for _, r := range h.Reasons {
		if f, known := featureNamed(r.Feature); known {
			values[f] = float32(r.Value)
			sum += values[f] * lexical.Standard[f]
		}
	}
	if sum == 0 {
		return values, 0 // reached over a link
	}
	return values, float32(h.Score) / sum
}

func featureNamed(name string) (lexical.Feature, bool) {
	for f := range lexical.Feature(lexical.Features) {
		if f.String() == name {
			return f, true
		}
	}
	return 0, false
}

// leaveOut returns the score of each part of the questions under weights fitted on the other parts alone. part names the
// part of a question.
func leaveOut(questions []weighed, part func(weighed) string) map[string]*tally {
	scores := map[string]*tally{}
	for _, q := range questions {
		scores[part(q)] = new(tally)
	}
	for name, of := range scores {
		w := fitted(slices.DeleteFunc(slices.Clone(questions), func(q weighed) bool { return part(q) == name }))
		for _, q := range questions {
			if part(q) == name {
				of.add(q.ranked(w))
			}
		}
	}
	return scores
}

// leaveOneOut returns the score of each file's questions under weights fitted on the other files alone, and the weights
// fitted on all files.
func leaveOneOut(questions []weighed) (RecallScore, map[string]float32) {
	var overall tally
	for _, of := range leaveOut(questions, func(q weighed) string { return q.file }) {
		overall.plus(of)
	}
	weights := map[string]float32{}
	for f, w := range fitted(questions) {
		weights[lexical.Feature(f).String()] = w
	}
	return overall.score(), weights
}

// leaveCorpusOut returns the score of each corpus's questions under weights fitted on the other corpora alone.
func leaveCorpusOut(questions []weighed) map[string]RecallScore {
	return scores(leaveOut(questions, func(q weighed) string { return q.corpus }))
}

// fitted runs a hill climb, one weight at a time and with shrinking steps. It starts from weights that assume only that
// the turn's own words matter most.
func fitted(questions []weighed) lexical.Weights {
	var w lexical.Weights
	for f := range w {
		w[f] = 0.3
	}
	w[lexical.Turn], w[lexical.Question], w[lexical.Distance] = 1, 0, 0
	best := worth(questions, w)
	for _, step := range []float32{0.2, 0.1, 0.05} {
		for moved := true; moved; {
			moved = false
			for f := range w {
				for _, by := range []float32{step, -step} {
					for {
						tried := w
						tried[f] += by
						value := worth(questions, tried)
						if value <= best {
							break
						}
						w, best, moved = tried, value, true
					}
				}
			}
		}
	}
	return w
}

// worth returns the objective of the fit: the mean of the report's figures, in which the first ranks count most, over the
// corpora.
func worth(questions []weighed, w lexical.Weights) (sum float64) {
	corpora := map[string]*tally{}
	for _, q := range questions {
		tallyOf(corpora, q.corpus).add(q.ranked(w))
	}
	for _, name := range slices.Sorted(maps.Keys(corpora)) { // in order, so that sums round alike
		s := corpora[name].score()
		sum += s.RecallAt5 + s.RecallAt10 + s.RecallAt20 + 0.5*s.MRR + s.SessionRecallAt5
	}
	return sum / float64(len(corpora))
}

// ranked returns what the question would have retrieved under w.
func (q weighed) ranked(w lexical.Weights) answer {
	type place struct {
		score float32
		hit   int
	}
	places := make([]place, len(q.hits))
	for i, h := range q.hits {
		var score float32
		for f, v := range h.values {
			score += v * w[f]
		}
		places[i] = place{score * h.factor, i}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	a := answer{gold: q.gold, goldSessions: q.goldSessions}
	for _, p := range places[:min(asked, len(places))] {
		a.ranked = append(a.ranked, q.hits[p.hit].messages...)
		a.sessions = append(a.sessions, q.hits[p.hit].session)
	}
	return a
}
