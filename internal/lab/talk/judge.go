package talk

import (
	"fmt"

	"familiar/persona/evidence"
)

// judged is an example with what a model says.
type judged struct {
	example
	// p is how likely the model finds any line to answer, right whether its best one does.
	p     float64
	right bool
	said  string
}

func (x example) judge(m *evidence.Model) judged {
	ranked := m.Rank(evidence.NewCase(x.asked, languageOf(x.asked), x.lines))
	best := ranked[0]
	j := judged{example: x, right: len(x.spans[best.Line]) > 0, said: x.lines[best.Line].Text}
	for _, a := range ranked {
		j.p += a.Probability
	}
	for _, a := range ranked[1:] {
		beside := a.Line == best.Line+1 || a.Line == best.Line-1
		if a.Line == best.Line+1 && a.Corrects() || beside && a.Probability > evidence.CompanionShare*best.Probability {
			j.right = j.right || len(x.spans[a.Line]) > 0
			j.said += " + " + x.lines[a.Line].Text
			break
		}
	}
	return j
}

// EvidenceScore is how a model does if it answers from a least probability on.
type EvidenceScore struct {
	Least float64 `json:"least"`
	// Right is the share of answerable questions that get a line that answers, Wrong that of all questions that get a wrong
	// one, and Honest that of unanswerable questions that get none.
	Right  Figure `json:"right"`
	Wrong  Figure `json:"wrong"`
	Honest Figure `json:"honest"`
}

// JudgeEvidence returns how a model does on probes and on questions with answers from several least probabilities on, how likely an
// answerable question gets a higher probability than another (the area under the curve), and the questions that go wrong from
// the probability show on, none if it is 0.
func JudgeEvidence(m *evidence.Model, probes []Probe, qas []QA, show float64) (scores []EvidenceScore, area float64, wrong []string) {
	var examples []example
	for _, talk := range append(ofProbes(probes), ofQA(qas)...) {
		examples = append(examples, talk...)
	}
	all := make([]judged, len(examples))
	side(len(examples), func(i int) { all[i] = examples[i].judge(m) })
	for _, least := range []float64{0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9} {
		scores = append(scores, scoreAt(all, least))
	}
	for _, j := range all {
		if a := j.answered(); show > 0 && (!a && j.p >= show || a && (!j.right || j.p < show)) {
			wrong = append(wrong, fmt.Sprintf("answerable %v, right %v, p %.2f: %q: %q", a, j.right, j.p, j.asked, j.said))
		}
	}
	return scores, areaOf(all), wrong
}

func scoreAt(all []judged, least float64) EvidenceScore {
	n, right, missed, none, honest := 0, 0, 0, 0, 0
	for _, j := range all {
		said := j.p >= least
		switch {
		case !j.answered():
			none++
			if !said {
				honest++
			}
		case !said:
			n++
		case j.right:
			n++
			right++
		default:
			n++
			missed++
		}
	}
	return EvidenceScore{least, newFigure(right, n), newFigure(missed+none-honest, n+none), newFigure(honest, none)}
}

// areaOf returns how likely a random answerable question has a higher probability than a random other one.
func areaOf(all []judged) float64 {
	above, pairs := 0.0, 0.0
	for _, a := range all {
		if !a.answered() {
			continue
		}
		for _, b := range all {
			if b.answered() {
				continue
			}
			pairs++
			switch {
			case a.p > b.p:
				above++
			case a.p == b.p:
				above += 0.5
			}
		}
	}
	return above / max(1, pairs)
}
