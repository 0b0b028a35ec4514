package bench

import (
	"maps"
	"math"
	"slices"
	"sync"

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
	// style is recall.Result.Style.
	style float32
	hits  []weighedHit
}

// weighedHit is one recalled memory.
type weighedHit struct {
	values   lexical.Weights
	factor   float32 // the multiplier of its score, from the kind of memory
	messages []int64
	session  int64
	gold     bool
}

// fitDepth is the number of memories recalled per question for fitting. Other weights cannot find memories below that
// rank.
const fitDepth = 300

// features returns the components of a hit's score.
func features(h recall.Hit) (values lexical.Weights, factor float32) {
	var sum float32
	for _, r := range h.Reasons {
		if f, known := featureNamed(r.Feature); known {
			values[f] = float32(r.Value)
			sum += values[f] * float32(r.Weight)
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
func leaveOut(questions []weighed, fit fit, part func(weighed) string) map[string]*tally {
	scores := map[string]*tally{}
	for _, q := range questions {
		scores[part(q)] = new(tally)
	}
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		others := slices.DeleteFunc(slices.Clone(questions), func(q weighed) bool { return part(q) == name })
		w := fit(others)
		for _, q := range questions {
			if part(q) == name {
				scores[name].add(q.ranked(&w))
			}
		}
	}
	return scores
}

// leaveOneOut returns the score of each corpus when each of its files is asked under weights fitted on all other files.
func leaveOneOut(questions []weighed, fit fit) map[string]RecallScore {
	corpusOf := map[string]string{}
	for _, q := range questions {
		corpusOf[q.file] = q.corpus
	}
	corpora := map[string]*tally{}
	for file, of := range leaveOut(questions, fit, func(q weighed) string { return q.file }) {
		tallyOf(corpora, corpusOf[file]).plus(of)
	}
	return scores(corpora)
}

// leaveCorpusOut returns the score of each corpus's questions under weights fitted on the other corpora alone.
func leaveCorpusOut(questions []weighed, fit fit) map[string]RecallScore {
	return scores(leaveOut(questions, fit, func(q weighed) string { return q.corpus }))
}

// named returns weights by the names of their features: the weight in a messenger's talk, and what a talk of long lines
// adds.
func (w *styled) named() map[string][2]float32 {
	all := map[string][2]float32{}
	for f := range lexical.Features {
		all[lexical.Feature(f).String()] = [2]float32{w[f], w[lexical.Features+f]}
	}
	return all
}

// styled are the weights for a messenger's talk, followed by what a talk of long lines adds to them in proportion to its
// style.
type styled [2 * lexical.Features]float32

// of returns the weights for a style.
func (w *styled) of(style float32) (v lexical.Weights) {
	for f := range v {
		v[f] = w[f] + style*w[lexical.Features+f]
	}
	return v
}

// The optimizer's settings: Adam, with a penalty on large weights, and a larger one on what is added for long lines, because
// the corpora differ in more than that.
const (
	fitSteps   = 250
	fitRate    = 0.08
	fitMean    = 0.9
	fitSquares = 0.99

	fitPenalty       = 3
	fitStyledPenalty = 6
	// allGold is the share of the objective that counts every piece of evidence alike. The rest counts the best one, so
	// that questions with much evidence do not outweigh others.
	allGold = 0.5
	// fitParts is the number of parts that gradients are computed in. It is fixed, so that sums round alike everywhere.
	fitParts = 4
)

// fit returns the weights that rank the evidence of questions best.
type fit func(questions []weighed) styled

// fitted fits all weights.
func fitted(questions []weighed) styled {
	all := make([]int, len(styled{}))
	for j := range all {
		all[j] = j
	}
	return refine(questions, likeliest(questions), all)
}

// meaningFeatures are those that only vectors can set.
var meaningFeatures = []lexical.Feature{lexical.Meaning, lexical.MeaningBefore, lexical.MeaningAfter}

// fittedMeaning fits the weights of the features that only vectors can set. The others stay as they are, because recall
// must rank alike without an embedder.
func fittedMeaning(questions []weighed) styled {
	base, long := lexical.Standard(0), lexical.Standard(1)
	var w styled
	for f := range base {
		w[f], w[lexical.Features+f] = base[f], long[f]-base[f]
	}
	var free []int
	for _, f := range meaningFeatures {
		styled := lexical.Features + int(f)
		w[f], w[styled] = 0, 0
		free = append(free, int(f), styled)
	}
	return refine(questions, w, free)
}

// likeliest returns the weights under which the evidence is most likely, if a memory is drawn by the exponential of its
// score.
func likeliest(questions []weighed) (w styled) {
	shares := shares(questions)
	var mean, squares [len(w)]float64
	for step := 1; step <= fitSteps; step++ {
		var parts [fitParts][len(w)]float64
		var wg sync.WaitGroup
		for p := range fitParts {
			wg.Go(func() {
				for i := p; i < len(questions); i += fitParts {
					q := &questions[i]
					q.addGradient(&w, shares[q.corpus], &parts[p])
				}
			})
		}
		wg.Wait()
		for j := range w {
			penalty := float64(fitPenalty)
			if j >= lexical.Features {
				penalty = fitStyledPenalty
			}
			g := -penalty * float64(w[j])
			for p := range parts {
				g += parts[p][j]
			}
			mean[j] = fitMean*mean[j] + (1-fitMean)*g
			squares[j] = fitSquares*squares[j] + (1-fitSquares)*g*g
			m := mean[j] / (1 - math.Pow(fitMean, float64(step)))
			s := squares[j] / (1 - math.Pow(fitSquares, float64(step)))
			w[j] = atLeast(j, w[j]+float32(fitRate*m/(math.Sqrt(s)+1e-9)))
		}
	}
	return w
}

// manyFiles is the number of files from which a corpus counts in full. One with fewer shows less of its kind of talk.
const manyFiles = 5

// shares returns how much a question of each corpus counts, so that corpora count alike however many questions they have,
// and 1 at most on average.
func shares(questions []weighed) map[string]float64 {
	counts, files := map[string]float64{}, map[string]map[string]bool{}
	for _, q := range questions {
		if files[q.corpus] == nil {
			files[q.corpus] = map[string]bool{}
		}
		files[q.corpus][q.file] = true
		counts[q.corpus]++
	}
	var most float64
	for _, n := range counts {
		most = max(most, n)
	}
	shares := map[string]float64{}
	for corpus, n := range counts {
		shares[corpus] = most / n * float64(min(len(files[corpus]), manyFiles)) / manyFiles
	}
	return shares
}

// atLeast returns a weight within its limits. A word counts for a line, not against it, whatever else says the same.
func atLeast(j int, w float32) float32 {
	switch lexical.Feature(j) {
	case lexical.Turn:
		return max(w, leastWords)
	case lexical.Coverage:
		return max(w, 0)
	case lexical.ConceptCount:
		return min(w, mostConcepts)
	}
	return w
}

// The least weight of a word, and the most of several concepts: a line with the words of a question leads over one that
// only speaks of the same things.
const (
	leastWords   = 0.5
	mostConcepts = 1.5
)

// negligible is the influence of a memory on the gradient below which it is ignored.
const negligible = 1e-5

// addGradient adds the gradient of the likelihood of a question's evidence, times its share.
func (q *weighed) addGradient(w *styled, share float64, to *[2 * lexical.Features]float64) {
	v := w.of(q.style)
	chances := make([]float64, len(q.hits))
	top, gold := math.Inf(-1), 0
	for i := range q.hits {
		h := &q.hits[i]
		if h.gold {
			gold++
		}
		chances[i] = float64(dot(&v, &h.values))
		top = max(top, chances[i])
	}
	if gold == 0 {
		return
	}
	var all, right float64
	for i := range chances {
		chances[i] = math.Exp(chances[i] - top)
		all += chances[i]
		if q.hits[i].gold {
			right += chances[i]
		}
	}
	style := float64(q.style)
	for i := range q.hits {
		h := &q.hits[i]
		c := -chances[i] / all
		if h.gold {
			c += (1-allGold)*chances[i]/right + allGold/float64(gold)
		}
		if math.Abs(c) < negligible {
			continue
		}
		c *= share
		for f, value := range h.values {
			if value != 0 {
				to[f] += c * float64(value)
				to[lexical.Features+f] += c * style * float64(value)
			}
		}
	}
}

func dot(w, v *lexical.Weights) (sum float32) {
	for f := range w {
		sum += w[f] * v[f]
	}
	return sum
}

// ranked returns what the question would have retrieved under w.
func (q weighed) ranked(w *styled) answer {
	type place struct {
		score float32
		hit   int
	}
	places := make([]place, len(q.hits))
	v := w.of(q.style)
	for i := range q.hits {
		places[i] = place{dot(&v, &q.hits[i].values) * q.hits[i].factor, i}
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
