// Package evidence finds which of the lines that were said answers a question, and how likely any does. It is pure.
//
// Every line gets a score from a few features (features.go) of the question and its best clause. The lines with the highest
// scores go to a small neural network (package network, fed by input.go), which points at the words that answer, or at none.
// Both were fitted on questions with known answers. So a probability is comparable between questions, and if all are low,
// nothing told answers.
package evidence

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"familiar/internal/text"
	"familiar/memory/understand/reader"
	"familiar/persona/evidence/network"
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
	// Probability is how likely this line answers, 0–1: those of all lines and of "none" add up to 1.
	Probability float64
	// Values are the features.
	Values Values

	score float64
}

// Rank returns the lines, the likeliest answer first and the later line first among equals. language is the BCP 47 primary
// subtag of the question's language; others than en, de, es and fr are read as English.
func Rank(question, language string, lines []Line) []Answer {
	return trained().Rank(NewCase(question, language, lines))
}

// Model is what was learnt from questions with known answers: Weights choose the lines that Network reads.
type Model struct {
	Weights Values
	Network *network.Network
}

// Case is a question with the lines that may answer it.
type Case struct {
	question question
	lines    []line
	// Answers are the lines with their features.
	Answers []Answer
}

// NewCase reads a question and lines.
func NewCase(asked, language string, said []Line) *Case {
	c := &Case{question: newQuestion(languageOf(language), asked), lines: make([]line, len(said))}
	for i := range said {
		c.lines[i] = c.question.language.read(&said[i])
		c.lines[i].shares = c.question.covered(c.lines[i].has)
	}
	for i := range c.lines {
		c.Answers = append(c.Answers, c.question.weigh(c.lines, i))
	}
	c.echoes()
	return c
}

// shortlist is how many lines the network reads. Of the lines that answer in the training data, 98 of 100 are among them.
const shortlist = 8

// Shortlist sorts the answers by their features, the later line first among equals, and returns those that the network reads.
func (m *Model) Shortlist(c *Case) []Answer {
	for i := range c.Answers {
		c.Answers[i].score = c.Answers[i].Values.score(&m.Weights)
	}
	slices.SortStableFunc(c.Answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.Line, a.Line))
	})
	return c.Answers[:min(shortlist, len(c.Answers))]
}

// Rank sorts the answers, the likeliest first and the later line first among equals, and returns them.
func (m *Model) Rank(c *Case) []Answer {
	short := m.Shortlist(c)
	if len(short) == 0 || len(c.question.tokens) == 0 {
		return c.Answers
	}
	for i, words := range m.Network.Score(c.question.input(c.lines, short)).Words {
		short[i].point(&c.lines[short[i].Line], words)
	}
	slices.SortStableFunc(short, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(b.Line, a.Line))
	})
	return c.Answers
}

// point sets the probability of an answer, and its clause to the one with the likeliest words.
func (a *Answer) point(x *line, words []float32) {
	from, top := a.window(x), float32(0)
	best := clause{}
	for _, c := range x.clauses {
		sum := float32(0)
		for k := max(c.from, from); k < min(c.to, from+len(words)); k++ {
			sum += words[k-from]
		}
		a.Probability += float64(sum)
		if sum > top {
			top, best = sum, c
		}
	}
	if best.to > best.from {
		a.Start, a.End = x.tokens[best.from].start, x.tokens[best.to-1].end
	}
}

// Input returns what the network reads of a shortlist, and where the words of its lines stand in their texts, in bytes.
func (c *Case) Input(short []Answer) (in *network.Input, words [][][2]int) {
	for _, a := range short {
		x := &c.lines[a.Line]
		from := a.window(x)
		var spans [][2]int
		for _, t := range x.tokens[from:min(len(x.tokens), from+longest)] {
			spans = append(spans, [2]int{t.start, t.end})
		}
		words = append(words, spans)
	}
	return c.question.input(c.lines, short), words
}

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
func looksAsking(said, language string) bool {
	if strings.HasSuffix(strings.TrimSpace(said), "?") {
		return true
	}
	var words []string
	for w := range text.PlainWords(said) {
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
const sureAsked = 0.85

// Covers reports whether a line has all the words of the question's topic, and the kind of answer that is asked for.
func (a Answer) Covers() bool {
	v := &a.Values
	return v[Clause]+v[Rest] > allOf && !a.Supposed() && v[TimeLacks]+v[NumberLacks]+v[NameLacks]+v[Empty] == 0 && a.AddsWords()
}

// allOf is the share of the topic from which all of it counts as covered.
const allOf = 0.99

// Supposed reports whether a line rather supposes or quotes than states, as the trained reader reads it.
func (a Answer) Supposed() bool { return a.Values[IsSupposed] > sureClassed }

// Denies reports whether a line rather denies what is asked for than tells it, as the trained reader reads it.
func (a Answer) Denies() bool { return a.Values[KindDenied] > max(sureClassed, a.Values[KindHas]) }

// SharesWords reports whether a clause of the line has several words of the question's topic.
func (a Answer) SharesWords() bool { return a.Values[TwoWords] > 0 }

// AddsWords reports whether a line has content beside the question's topic.
func (a Answer) AddsWords() bool { return a.Values[Adds] > 0 }

// Asks reports whether a line rather asks for something than states.
func (a Answer) Asks() bool { return a.Values[IsAsking] > sureClassed || a.Values[IsQuestion] > 0 }

// Shares returns the share of the question's topic that a line has, by weight, 0–1.
func (a Answer) Shares() float64 { return a.Values[Clause] + a.Values[Rest] }

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
func AsksEverything(text string) bool {
	return reader.Ask(text).AskedFor("everything") > sureEverything
}

// sureEverything is how likely a question must ask for everything.
const sureEverything = 0.7
