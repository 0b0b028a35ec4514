package talk

import (
	"fmt"
	"math"
	"slices"
	"time"

	"familiar/memory/lexical"
	"familiar/memory/understand/sentences"
	"familiar/persona/evidence"
)

// example is one question of a probe with the features of the lines that were told.
type example struct {
	probe   int
	kind    string
	asked   string
	answers []evidence.Answer
	texts   []string
	lines   []evidence.Line
	// gold marks the lines that answer. There is none if nothing answers.
	gold       []bool
	none, made bool
	// life reports that other messages were added.
	life  bool
	rules rules
}

// examples returns the questions of probes whose answer stands in one told line, and those that nothing answers.
func examples(probes []Probe) (all []example) {
	for n, p := range probes {
		lines := told(p)
		said := make([]string, len(lines))
		for i, l := range lines {
			said[i] = l.Text
		}
		for _, a := range p.Asks {
			x := example{probe: n, kind: p.Kind, asked: a.Question, texts: said, lines: lines, gold: make([]bool, len(lines)), none: a.rules.wantsUnknown, rules: a.rules}
			found := false
			for i, s := range said[:len(p.Told)] {
				if !x.none && a.rules.wanted != nil && a.rules.scoreParts("", s) == Quote {
					x.gold[i], found = true, true
				}
			}
			if !found && !x.none {
				continue
			}
			x.answers = evidence.Features(a.Question, languageOf(a.Question), lines)
			all = append(all, x)
			if x.none {
				continue
			}
			// Without the lines that answer, nothing answers.
			var rest []evidence.Line
			var texts []string
			for i := range lines {
				if !x.gold[i] {
					rest, texts = append(rest, lines[i]), append(texts, said[i])
				}
			}
			if len(rest) > 0 {
				y := x
				y.none, y.made, y.texts, y.gold = true, true, texts, make([]bool, len(rest))
				y.answers = evidence.Features(a.Question, languageOf(a.Question), rest)
				all = append(all, y)
			}
			// Nor do the lines of another talk.
			for _, by := range []int{7, 31} {
				o := probes[(n+by)%len(probes)]
				foreign, fits := []evidence.Line{}, true
				for _, s := range o.Told {
					foreign = append(foreign, evidence.Line{Text: s, Own: true, At: lines[0].At})
					fits = fits && a.rules.scoreParts("", s) != Quote
				}
				if fits {
					y := x
					y.none, y.made, y.texts, y.gold = true, true, o.Told, make([]bool, len(foreign))
					y.answers = evidence.Features(a.Question, languageOf(a.Question), foreign)
					all = append(all, y)
				}
			}
		}
	}
	return all
}

const (
	fitSteps = 600
	fitRate  = 0.05
	fitPrior = 0.002
	// madeWeight is how much an example counts that was made from another.
	madeWeight = 0.2
	// lifeWeight is how much a question in a longer life counts.
	lifeWeight = 1.0
)

// FitEvidence returns a model that has learnt from probes, and that other questions, which nothing told answers, are answered by
// no line. Each question is also asked in a longer life: among other messages that do not tell what it asks for.
func FitEvidence(probes []Probe, unrelated []string, messages []sentences.Sentence) *evidence.Model {
	all := examples(probes)
	others := crowd(messages)
	for n, x := range slices.Clone(all) {
		if x.made {
			continue
		}
		for _, y := range []example{x, x.unanswered()} {
			if y = others.around(y, n); len(y.answers) > 0 {
				all = append(all, y)
			}
		}
	}
	for n, p := range probes {
		if len(unrelated) == 0 {
			break
		}
		lines := told(p)
		x := example{probe: n, asked: unrelated[n%len(unrelated)], none: true, made: true, life: true, gold: make([]bool, len(lines))}
		x.answers = evidence.Features(x.asked, languageOf(x.asked), lines)
		all = append(all, x)
	}
	return fitModel(all)
}

// unanswered returns the example without the lines that answer. It is the same if none does.
func (x example) unanswered() example {
	y := x
	y.none, y.lines, y.texts, y.gold = true, nil, nil, nil
	for i, l := range x.lines {
		if !x.gold[i] {
			y.lines, y.texts, y.gold = append(y.lines, l), append(y.texts, l.Text), append(y.gold, false)
		}
	}
	return y
}

// languageOf returns the language of a question, as a BCP 47 primary subtag.
func languageOf(question string) string { return lexical.Detect(question).Tag() }

// talkDay is when the lines of probes are told, as far as features go.
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

func fitModel(all []example) *evidence.Model {
	m := &evidence.Model{Weights: fitOrder(all)}
	var learn []grown
	for _, x := range all {
		weight := 1.0
		switch {
		case x.life:
			weight = lifeWeight
		case x.made:
			weight = madeWeight
		}
		ordered := slices.Clone(x.answers)
		m.Order(ordered)
		learn = append(learn, grown{evidence.Summary(ordered), !x.none, weight})
	}
	m.Trees = *grow(learn)
	return m
}

// fitOrder returns the weights under which the lines that answer are likeliest, with a Gaussian prior.
func fitOrder(all []example) (w evidence.Values) {
	var speed evidence.Values
	for range fitSteps {
		var slope evidence.Values
		n := 0.0
		for _, x := range all {
			if !x.none && len(x.answers) > 1 {
				x.slope(&w, &slope)
				n++
			}
		}
		for f := range w {
			speed[f] = 0.9*speed[f] + slope[f]/n - fitPrior*w[f]
			w[f] += fitRate * speed[f]
		}
	}
	return w
}

// slope adds the gradient of the log likelihood.
func (x example) slope(w, slope *evidence.Values) {
	ps := make([]float64, len(x.answers))
	sum, right := 0.0, 0.0
	for i := range x.answers {
		for f, v := range x.answers[i].Values {
			ps[i] += v * w[f]
		}
		ps[i] = math.Exp(ps[i])
		sum += ps[i]
	}
	for i := range ps {
		if ps[i] /= sum; x.gold[i] {
			right += ps[i]
		}
	}
	for i := range x.answers {
		target := 0.0
		if x.gold[i] {
			target = ps[i] / right
		}
		for f, v := range x.answers[i].Values {
			slope[f] += (target - ps[i]) * v
		}
	}
}

// judged is an example with what a model says.
type judged struct {
	example
	p     float64
	right bool
	said  string
}

func (x example) judge(m *evidence.Model) judged {
	ordered := slices.Clone(x.answers)
	m.Order(ordered)
	best := ordered[0]
	j := judged{example: x, p: m.Sure(ordered), right: x.gold[best.Line], said: x.texts[best.Line]}
	for _, a := range ordered[1:] {
		if a.Line == best.Line+1 && a.Corrects() {
			j.right = j.right || x.gold[a.Line]
		}
		beside := a.Line == best.Line+1 || a.Line == best.Line-1
		if beside && math.Exp(a.Score-best.Score) > evidence.CompanionShare && len(x.texts[a.Line]) < 160 {
			j.right = j.right || x.gold[a.Line]
			j.said += " + " + x.texts[a.Line]
			break
		}
	}
	return j
}

// EvidenceScore is how a model does on probes if it answers from a least probability on.
type EvidenceScore struct {
	Least float64 `json:"least"`
	// Right is the share of answerable questions that get a line that answers, Wrong that of all questions that get a wrong
	// one, and Honest that of unanswerable questions that get none.
	Right  Figure `json:"right"`
	Wrong  Figure `json:"wrong"`
	Honest Figure `json:"honest"`
}

// JudgeEvidence returns how a model does on probes from several least probabilities on, and the questions that go wrong from the
// probability show on, none if it is 0.
func JudgeEvidence(m *evidence.Model, probes []Probe, show float64) (scores []EvidenceScore, wrong []string) {
	var all []judged
	for _, x := range examples(probes) {
		if !x.made {
			all = append(all, x.judge(m))
		}
	}
	for _, least := range []float64{0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8} {
		n, right, missed, none, honest := 0, 0, 0, 0, 0
		for _, j := range all {
			switch {
			case j.none:
				none++
				if j.p < least {
					honest++
				}
			case j.p < least:
				n++
			case j.right:
				n++
				right++
			default:
				n++
				missed++
			}
		}
		scores = append(scores, EvidenceScore{least, newFigure(right, n), newFigure(missed+none-honest, n+none), newFigure(honest, none)})
	}
	for _, j := range all {
		if show > 0 && (j.none && j.p >= show || !j.none && (!j.right || j.p < show)) {
			wrong = append(wrong, fmt.Sprintf("answerable %v, right %v, p %.2f: %s %q: %q", !j.none, j.right, j.p, j.asked, j.texts, j.said))
		}
	}
	return scores, wrong
}
