package talk

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"familiar/memory/lexical"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/sentences"
	"familiar/persona/evidence"
)

// example is a question with lines, and where in them words stand that answer it.
type example struct {
	asked string
	lines []evidence.Line
	// spans hold for each line the bytes of the words that answer. An example without any is a question that nothing answers.
	spans  [][][2]int
	rules  rules
	weight float64
}

// How much examples count that were made from others: the question without the lines that answer, with the lines of another talk,
// with a question about something else, among other messages, and of
// labelled questions and messages.
const (
	withoutAnswer = 0.5
	otherTalk     = 0.2
	otherQuestion = 0.2
	amongOthers   = 0.7
	ofLabels      = 0.7
	// shortTalk is the largest number of messages beside the one that tells, less one.
	shortTalk = 8
	// labelledTalks is in how many talks each labelled question is asked.
	labelledTalks = 3
	// otherTalks is how many examples get one with the lines of another talk, as one of that many.
	otherTalks = 3
)

func (x example) answered() bool {
	return slices.ContainsFunc(x.spans, func(s [][2]int) bool { return len(s) > 0 })
}

// languageOf returns the language of a question, as a BCP 47 primary subtag.
func languageOf(question string) string { return lexical.Detect(question).Tag() }

// talkDay is when the lines are told, as far as features go.
var talkDay = time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC)

// told returns the lines of a probe with its fillers.
func told(p Probe) (lines []evidence.Line) {
	said := slices.Clone(p.Told)
	for k := range p.Fill {
		said = append(said, fillers[(p.number+k)%len(fillers)])
	}
	for i, s := range said {
		lines = append(lines, evidence.Line{Text: s, Own: true, At: talkDay.Add(time.Duration(i) * time.Minute)})
	}
	return lines
}

// ofProbes returns for each probe its questions whose answer stands in a told line, and those that nothing answers.
func ofProbes(probes []Probe) (talks [][]example) {
	for _, p := range probes {
		var asks []example
		lines := told(p)
		for _, a := range p.Asks {
			x := example{asked: a.Question, lines: lines, spans: make([][][2]int, len(lines)), rules: a.rules, weight: 1}
			for i := range p.Told {
				x.spans[i] = a.rules.answersIn(lines[i].Text)
			}
			if x.answered() || a.rules.wantsUnknown {
				asks = append(asks, x)
			}
		}
		talks = append(talks, asks)
	}
	return talks
}

// answersIn returns the bytes of what is wanted in a text, none if it does not answer.
func (r rules) answersIn(said string) (spans [][2]int) {
	if r.wantsUnknown || r.wanted == nil || r.scoreParts("", said) != Quote {
		return nil
	}
	runes := []rune(said)
	for m, err := r.wanted.FindStringMatch(said); m != nil && err == nil; m, err = r.wanted.FindNextMatch(m) {
		from := len(string(runes[:m.Index]))
		spans = append(spans, [2]int{from, from + len(m.String())})
	}
	return spans
}

// apart is how far apart in time the messages of a talk are, one talk after the other.
var apart = [...]time.Duration{20 * time.Second, 50 * time.Hour, 2 * time.Minute, 200 * time.Hour}

// ofQA returns the questions of each talk. A question for the persona's words has only those for lines, any other has none of
// them.
func ofQA(all []QA) (talks [][]example) {
	for n, qa := range all {
		at := func(i int) time.Time { return talkDay.Add(time.Duration(i) * apart[n%len(apart)]) }
		var asks []example
		for _, a := range qa.Asks {
			self := len(a.Answers) == 0 && evidence.AsksPersona(a.Question)
			for _, m := range qa.Messages {
				self = self || m.Self && slices.ContainsFunc(a.Answers, func(answer string) bool { return strings.Contains(m.Text, answer) })
			}
			x := example{asked: a.Question, weight: 1}
			for i, m := range qa.Messages {
				if m.Self != self {
					continue
				}
				x.lines = append(x.lines, evidence.Line{Text: m.Text, Author: m.By, Own: m.By == "", At: at(i)})
				var spans [][2]int
				for _, answer := range a.Answers {
					if at := strings.Index(m.Text, answer); at >= 0 {
						spans = append(spans, [2]int{at, at + len(answer)})
					}
				}
				x.spans = append(x.spans, spans)
			}
			if len(x.lines) > 0 {
				asks = append(asks, x)
			}
		}
		talks = append(talks, asks)
	}
	return talks
}

// more returns the examples of talks, and others made from them.
func more(talks [][]example, unrelated []string, others crowd) (all []example) {
	r := rand.New(rand.NewPCG(3, 4))
	for n, asks := range talks {
		for _, x := range asks {
			all = append(all, x)
			if y := x.withoutAnswer(); x.answered() && len(y.lines) > 0 {
				all = append(all, y)
			}
			if x.answered() && r.IntN(otherTalks) == 0 {
				if other := talks[(n+1+r.IntN(len(talks)-1))%len(talks)]; len(other) > 0 && !other[0].tells(x.rules) {
					all = append(all, example{x.asked, other[0].lines, make([][][2]int, len(other[0].lines)), x.rules, otherTalk})
				}
			}
			all = append(all, others.around(x, r))
		}
		if len(asks) > 0 && len(unrelated) > 0 {
			lines := asks[0].lines
			all = append(all, example{unrelated[n%len(unrelated)], lines, make([][][2]int, len(lines)), rules{}, otherQuestion})
		}
	}
	return all
}

// single are the kinds of facts of which people have one at a time, so that any message that tells it answers any question for it.
var single = strings.Fields(`name call_me pronouns age birthday birth_year from born_in nationality religion lives_in works_as works_at hours
	earns studies studies_at grade together_with marital_status diet allergic_to drives speaks`)

// ofLabelled returns for each labelled question of a single kind about the asker some talks of labelled messages. In two of three
// one of them tells it.
func ofLabelled(questions []sentences.Question, messages []sentences.Sentence) (talks [][]example) {
	r := rand.New(rand.NewPCG(7, 8))
	in := func(kind, text string) string { return kind + " " + languageOf(text) }
	telling := map[string][]sentences.Sentence{}
	for _, m := range messages {
		for _, k := range m.Marks {
			if ofAuthor(k) {
				telling[in(k.Relation, m.Text)] = append(telling[in(k.Relation, m.Text)], m)
			}
		}
	}
	for n := range labelledTalks * len(questions) {
		q := questions[n%len(questions)]
		of := telling[in(q.Kind, q.Text)]
		if q.Subject != sentences.AboutAsker || !slices.Contains(single, q.Kind) || len(of) == 0 {
			continue
		}
		if x := labelled(q, of, messages, r); len(x.lines) > 0 {
			talks = append(talks, []example{x})
		}
	}
	return talks
}

// ofAuthor reports whether a mark tells something of its author that holds.
func ofAuthor(k sentences.Mark) bool { return k.Subject == "" && !k.Denied && !k.Replaced }

// labelled returns a question with messages, in two of three cases with one of those that tell it.
func labelled(q sentences.Question, of, messages []sentences.Sentence, r *rand.Rand) example {
	x := example{asked: q.Text, weight: ofLabels}
	others := 2 + r.IntN(shortTalk)
	at := r.IntN(3*(others+1)/2 + 1) // where the message that tells it comes, if it does
	for n := range others + 1 {
		m := messages[r.IntN(len(messages))]
		var spans [][2]int
		switch {
		case n == at:
			m = of[r.IntN(len(of))]
			for _, k := range m.Marks {
				if k.Relation == q.Kind && ofAuthor(k) {
					spans = append(spans, [2]int{k.Start, k.End})
				}
			}
		case slices.ContainsFunc(m.Marks, func(k sentences.Mark) bool { return k.Relation == q.Kind }):
			continue
		}
		x.lines = append(x.lines, evidence.Line{Text: m.Text, Own: true, At: talkDay.AddDate(0, 0, n)})
		x.spans = append(x.spans, spans)
	}
	return x
}

func (x example) withoutAnswer() example {
	y := example{asked: x.asked, rules: x.rules, weight: withoutAnswer}
	for i, l := range x.lines {
		if len(x.spans[i]) == 0 {
			y.lines, y.spans = append(y.lines, l), append(y.spans, nil)
		}
	}
	return y
}

// tells reports whether a line has what is wanted.
func (x example) tells(wanted rules) bool {
	return slices.ContainsFunc(x.lines, func(l evidence.Line) bool { return wanted.scoreParts("", l.Text) == Quote })
}

// crowd holds labelled messages that stand for the rest of what a person said.
type crowd []sentences.Sentence

const (
	// randomOthers is the largest number of messages that are added. They are not chosen by their words: those that share words with
	// the question without answering would teach that sharing words is a bad sign.
	randomOthers = 24
	// mayTell is how likely the question asks for a kind of fact for a message that tells one of this kind to be left out.
	mayTell = 0.02
	// lived is over how many days the messages are spread.
	lived = 60
)

// around returns the example with other messages before and after its lines. None of them tells what is asked for.
func (c crowd) around(x example, r *rand.Rand) example {
	asked := reader.Ask(x.asked)
	var added []int
	for range 1 + r.IntN(randomOthers) {
		i := r.IntN(len(c))
		tells := slices.ContainsFunc(c[i].Marks, func(k sentences.Mark) bool { return asked.AskedFor(k.Relation) > mayTell })
		if !tells && x.rules.scoreParts("", c[i].Text) != Quote && !slices.Contains(added, i) {
			added = append(added, i)
		}
	}
	y := example{asked: x.asked, rules: x.rules, weight: amongOthers}
	before := r.IntN(len(added) + 1)
	put := func(l evidence.Line, spans [][2]int) {
		y.lines, y.spans = append(y.lines, l), append(y.spans, spans)
	}
	for k, i := range added[:before] {
		put(evidence.Line{Text: c[i].Text, Own: true, At: talkDay.AddDate(0, 0, -lived*(before-k)/before)}, nil)
	}
	for i, l := range x.lines {
		put(l, x.spans[i])
	}
	for k, i := range added[before:] {
		put(evidence.Line{Text: c[i].Text, Own: true, At: talkDay.Add(time.Hour).AddDate(0, 0, lived*k/len(added))}, nil)
	}
	return y
}
