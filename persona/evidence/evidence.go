// Package evidence finds which of the lines that were said answers a question, and how likely it does. It is pure.
//
// Every line gets a score from a few features (features.go) of the question and its best clause, which orders the lines. Then
// boosted trees (boost.go) tell from the features of the best line how likely any line answers. Both were fitted on questions
// with known answers. So a probability is comparable between questions, and a low one means that nothing told answers.
package evidence

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"familiar/memory/understand/reader"
)

// Line is one message that may answer.
type Line struct {
	Text string
	At   time.Time
	// Author is the author's name, by which a question may mean them.
	Author string
	// Own reports that the line speaks for whom the question asks about: the asker said it, or the persona when it is asked for
	// its own words.
	Own bool
}

// Answer is a line that may answer the question.
type Answer struct {
	// Line is the index of the line.
	Line int
	// Start and End bound the clause of the line that answers best, in bytes.
	Start, End int
	// Score orders the lines. Probability is how likely this line answers, 0–1: those of all lines and of "none" add up to 1.
	Score, Probability float64
	// Values are the features.
	Values Values
}

// Rank returns the lines, the likeliest answer first and the later line first among equals. language is the BCP 47 primary
// subtag of the question's language; others than en, de, es and fr are read as English.
func Rank(question, language string, lines []Line) []Answer {
	answers := Features(question, language, lines)
	trained().Order(answers)
	if len(answers) == 0 {
		return nil
	}
	likely := trained().Sure(answers)
	top, sum := answers[0].Score, 0.0
	for i := range answers {
		answers[i].Probability = math.Exp(answers[i].Score - top)
		sum += answers[i].Probability
	}
	for i := range answers {
		answers[i].Probability *= likely / sum
	}
	return answers
}

// Sure returns how likely any of ordered answers is right, 0–1.
func (m *Model) Sure(ordered []Answer) float64 { return sure(m.Trees.Score(Summary(ordered))) }

// Model is what was learnt from questions with known answers.
type Model struct {
	// Weights order the lines, Trees tell from the best one how likely any line answers.
	Weights Values
	Trees   Trees
}

// Order scores the answers and sorts them, the best first and the later line first among equals.
func (m *Model) Order(answers []Answer) {
	for i := range answers {
		answers[i].Score = answers[i].Values.score(&m.Weights)
	}
	slices.SortStableFunc(answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Line, a.Line))
	})
}

// Summary returns what the trees decide on: the features of the best of ordered answers, its score, its lead, the number of
// answers, and the highest value of each feature.
func Summary(ordered []Answer) []float64 {
	best := ordered[0]
	lead := maxLead
	if len(ordered) > 1 {
		lead = min(lead, best.Score-ordered[1].Score)
	}
	values := append(best.Values[:], best.Score, lead, math.Log1p(float64(len(ordered))))
	highest := best.Values
	for _, a := range ordered[1:] {
		for f, v := range a.Values {
			highest[f] = max(highest[f], v)
		}
	}
	return append(values, highest[:]...)
}

// maxLead is the lead of a line without rivals.
const maxLead = 5.0

// CompanionShare is how likely a line must answer, as a share of the best one beside it, to be quoted with it.
const CompanionShare = 0.25

// Asks reports whether a text asks something: it ends in a question mark, opens with a question word, or reads like a question.
func Asks(text, language string) bool {
	if looksAsking(text, language) {
		return true
	}
	return reader.Ask(text).Recalls > sureAsked
}

// opening is how many of a text's first words are looked at for a question word.
const opening = 4

// looksAsking reports whether a text ends in a question mark or opens with a question word.
func looksAsking(text, language string) bool {
	if strings.HasSuffix(strings.TrimSpace(text), "?") {
		return true
	}
	var words []string
	for w := range plainWords(text) {
		if words = append(words, w); len(words) == opening {
			break
		}
	}
	return languageOf(language).opens(words)
}

// opens reports whether words open a question and no exclamation.
func (l *language) opens(words []string) bool {
	if holds(words, l.exclaims) {
		return false
	}
	for _, phrases := range l.asks {
		if holds(words, phrases) {
			return true
		}
	}
	return slices.ContainsFunc(words[:min(len(words), 2)], func(w string) bool { return l.what[w] })
}

// Recalls reports whether a text only asks for something that was told. It tells nothing itself, unlike "can I claim the 200
// miles a week I drive?".
func Recalls(text string) bool { return reader.Ask(text).Recalls > sureAsked }

// sureAsked is how likely a text must ask for what was told to count as nothing but a question.
const sureAsked = 0.7

// Covers reports whether a line has all the words of the question's topic, at least two in one clause.
func (a Answer) Covers() bool {
	v := &a.Values
	return v[Clause]+v[Rest] > allOf && v[TwoWords] > 0 && !a.Supposed() && v[TimeLacks]+v[NumberLacks]+v[NameLacks] == 0
}

// Supposed reports whether a line rather supposes or quotes than states, as the trained reader reads it.
func (a Answer) Supposed() bool { return a.Values[IsSupposed] > sureClassed }

// SharesWords reports whether a clause of the line has several words of the question's topic.
func (a Answer) SharesWords() bool { return a.Values[TwoWords] > 0 }

// AddsWords reports whether a line has content beside the question's topic.
func (a Answer) AddsWords() bool { return a.Values[Adds] > 0 }

// Asks reports whether a line rather asks for something than states.
func (a Answer) Asks() bool { return a.Values[IsAsking] > sureClassed || a.Values[IsQuestion] > 0 }

// Chats reports whether a line is rather small talk than a statement, or asks.
func (a Answer) Chats() bool { return a.Values[IsChat] > sureClassed || a.Values[IsQuestion] > 0 }

// Shares returns the share of the question's topic that a line has, by weight, 0–1.
func (a Answer) Shares() float64 { return a.Values[Clause] + a.Values[Rest] }

// allOf is the share of the topic from which all of it counts as covered.
const allOf = 0.99

// Corrects reports whether a line takes back or changes what was said before it.
func (a Answer) Corrects() bool {
	return a.Values[TakesBack] > 0 || a.Values[IsCorrection] > sureClassed
}

// sureClassed is how likely a line must be a correction, or supposed, to count as one.
const sureClassed = 0.5

// AsksPersona reports whether a question asks for what the persona said: "what did you recommend?".
func AsksPersona(text string) bool {
	return reader.Ask(text).Likeliest() == "persona_said"
}

// AsksEverything reports whether a question asks for all that was told about something.
func AsksEverything(text string) bool { return reader.Ask(text).AskedFor("everything") > sureAsked }
