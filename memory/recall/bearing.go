package recall

import (
	"math"

	"familiar/memory/lexical"
)

// Signal is one part of the evidence that something known bears on a query.
type Signal int

// The signals.
const (
	TopScore Signal = iota
	TopMargin
	FifthMargin
	MeanScore
	TypedAnswer
	SpeakerLead
	TopTerms
	TopWindow
	BestTerms
	TopConcepts
	TopDated
	Named
	Signals int = iota
)

// signals is the only place that weights and explains the signals. The weights are those of a logistic regression on
// questions with an answer and without one, in LoCoMo, BEAM and the project's own conversations: what known is worth in a
// messenger's talk, and what a talk of long lines adds. They tell only for questions about people; see probability.
var signals = [Signals]struct {
	base, styled float64
	why          string
}{
	TopScore:    {0.65, -1.89, "the score of the best match"},
	TopMargin:   {0.4, -2.02, "how far it is above the second"},
	FifthMargin: {0.64, -2.41, "how far it is above the fifth: what many lines match alike answers nothing"},
	MeanScore:   {0.56, 1.06, "the mean score of the best five"},
	TypedAnswer: {0.26, -0.38, "the best match contains the time, number or name asked for"},
	SpeakerLead: {2.49, -1.85, "how much better the words of the person asked about match than those of others"},
	TopTerms:    {-0.8, 0.06, "bm25 of the best match"},
	TopWindow:   {-0.57, 3.79, "the share of the query's terms in the best matches and around them"},
	BestTerms:   {-0.77, 0.55, "the largest share of the query's terms in one match"},
	TopConcepts: {-0.4, -1.38, "the largest share of the query's concepts in one of the best five"},
	TopDated:    {-0.74, 0.22, "one of the best five is from the time that the query names"},
	Named:       {-0.02, 2.47, "the query names people, or the asker asks about themselves"},
}

// bearingConstant is the constant of the logistic model.
var bearingConstant = struct{ base, styled float64 }{-1.86, 2.48}

const (
	// bearingDepth is how many of the best matches count at all, knownHits how many of them count as the best.
	bearingDepth = 20
	knownHits    = 5
)

// readSignals returns the signals of the matches of a search, best first. isProgram tells the accounts of programs: their notes
// are about the people asked about as the operator's are, where other people speak of themselves.
func readSignals(found lexical.Ranking, isProgram func(author int64) bool) (s [Signals]float64) {
	matches := found.Matches
	if len(matches) == 0 {
		return s
	}
	matches = matches[:min(bearingDepth, len(matches))]
	top := &matches[0]
	at := func(i int) float64 {
		if i < len(matches) {
			return byWords(&matches[i], &found.Weights)
		}
		return 0
	}
	s[TopScore], s[TopMargin], s[FifthMargin] = at(0), at(0)-at(1), at(0)-at(knownHits-1)
	s[TypedAnswer] = float64(top.Values[lexical.When] + top.Values[lexical.Number] + top.Values[lexical.Naming])
	s[TopTerms] = float64(top.Values[lexical.Turn])
	var speaker, others float64
	for i := range matches {
		v := &matches[i].Values
		if i < knownHits {
			s[MeanScore] += at(i) / knownHits
			s[TopWindow] = max(s[TopWindow], float64(v[lexical.Window]))
			s[TopConcepts] = max(s[TopConcepts], float64(v[lexical.Concept]))
			s[TopDated] = max(s[TopDated], float64(v[lexical.Dated]))
		}
		s[BestTerms] = max(s[BestTerms], float64(v[lexical.Coverage]))
		told := matches[i].Author != 0 && !isProgram(matches[i].Author) || v[lexical.Persona] > 0
		if v[lexical.Speaker] > 0 || !told {
			speaker = max(speaker, float64(v[lexical.Turn]))
		} else {
			others = max(others, float64(v[lexical.Turn]))
		}
	}
	if found.Named {
		s[Named], s[SpeakerLead] = 1, speaker-others
	}
	return s
}

// byWords returns the part of a match's score that does not come from vectors: the signals are weighed without them.
func byWords(m *lexical.Match, w *lexical.Weights) float64 {
	score := m.Score
	for _, f := range []lexical.Feature{lexical.Meaning, lexical.MeaningBefore, lexical.MeaningAfter} {
		score -= w[f] * m.Values[f]
	}
	return float64(score)
}

const (
	// knownBearing is the bearing from which something counts as known. It misses 3 in 100 of what was said, so that little
	// is denied that somebody told; 3 in 10 of BEAM's questions about what was never said pass, and 7 in 10 of LoCoMo's,
	// which are about what somebody else said.
	knownBearing = 0.25
	// knownWindow is the share of the query's terms at which a query about nobody reaches knownBearing, windowSlope how
	// fast the bearing rises with it.
	knownWindow = 0.3
	windowSlope = 8
	// datedBearing is the bearing of what was said at the time that a query about nobody names.
	datedBearing = 0.5
	// meantBearing is the least bearing if a match surely means the query. It is no more, because what somebody else said, or
	// said at another time, means the same too: 1 instead of 0.5 takes the area under the curve from 0.83 to 0.75.
	meantBearing = 0.5
)

// probability returns the probability that something bears on a query with the signals. If the query is about nobody, only
// its words and times tell, except in a talk of long lines, which are all about what one person wants.
func probability(s *[Signals]float64, style float64) float64 {
	sum := bearingConstant.base + style*bearingConstant.styled
	for i, v := range s {
		sum += v * (signals[i].base + style*signals[i].styled)
	}
	if s[Named] > 0 {
		return logistic(sum)
	}
	words := math.Log(knownBearing/(1-knownBearing)) + windowSlope*(s[TopWindow]-knownWindow)
	p := logistic(style*sum + (1-style)*words)
	if s[TopDated] > 0 && style < 1 {
		p = max(p, datedBearing)
	}
	return p
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// bearing returns the probability that the matches bear on the query: 1 if a chain of facts answers it, at least
// meantBearing if a match surely means it.
func (f *rankState) bearing() float64 {
	if len(f.matches) == 0 {
		return 0
	}
	p := probability(&f.signals, float64(f.style))
	for i := range f.matches[:min(knownHits, len(f.matches))] {
		c := &f.matches[i]
		if c.hop.Of > 0 {
			return 1
		}
		if c.means() {
			p = max(p, meantBearing)
		}
	}
	return p
}
