package evidence

import "time"

// Features of what the same author said around a line: a correction hardly shares a word with the question, but stands right
// behind a line that does.

const (
	// besideReach is how far apart two lines of one author may be to belong together, in lines: others may answer in between.
	besideReach = 2
	// soon is how soon after each other two lines are said that belong together.
	soon = 10 * time.Minute
)

// surroundings sets the features of the lines around. Those of the line itself are already set.
func (q *question) surroundings(lines []line, i int, v *Values) {
	x := &lines[i]
	before, after := beside(lines, i, -1), beside(lines, i, 1)
	for _, o := range []*line{before, after} {
		if o != nil {
			v[Around] = max(v[Around], q.covered(func(stem string) bool { return x.has(stem) || o.has(stem) })-x.shares)
		}
	}
	if before != nil {
		all := clause{0, len(before.tokens)}
		v[BeforeShares] = max(0, before.shares-x.shares)
		v[BeforeMeans] = max(0, q.conceptsIn(before, all).exact+q.alike(before, all)-v[Concepts]-v[ConceptsRest]-v[Alike]-v[AlikeRest])
		v[BeforeSoon] = float64(flag(x.At.Sub(before.At) <= soon))
	}
	if after != nil {
		v[AfterCorrects] = q.corrects(after)
	}
	for j := range lines {
		if j == i || !lines[j].sameAuthor(x) {
			continue
		}
		f := EarlierShares
		if j > i {
			f = LaterShares
		}
		v[f] = max(v[f], lines[j].shares)
	}
}

// beside returns the line that the same author said right before (step -1) or after (1) a line, nil if there is none near.
func beside(lines []line, i, step int) *line {
	for j := i + step; j >= 0 && j < len(lines) && j >= i-besideReach && j <= i+besideReach; j += step {
		if lines[j].sameAuthor(&lines[i]) {
			return &lines[j]
		}
	}
	return nil
}

// corrects returns how likely a line corrects or changes something.
func (q *question) corrects(x *line) float64 {
	if x.takesBack {
		return 1
	}
	var v Values
	for _, r := range x.readings {
		q.class(r, &v)
	}
	return v[IsCorrection]
}

// echoed is how many words besides the topic two lines share to be fully about the same.
const echoed = 2

// echoes sets the features of what lines are to the earlier line of their author that is most about the topic.
func (c *Case) echoes() {
	for i := range c.lines {
		x, best, most := &c.lines[i], -1, 0.0
		for j := range i {
			if t := c.Answers[j].Values.topic(); t > most && c.lines[j].sameAuthor(x) {
				best, most = j, t
			}
		}
		if best < 0 {
			continue
		}
		o, v, of := &c.lines[best], &c.Answers[i].Values, &c.Answers[best].Values
		shared := 0.0
		for _, t := range o.tokens {
			if shared < echoed && t.content && x.has(t.stem) && !c.question.has(t.stem) {
				shared++
			}
		}
		v[EchoTopic], v[EchoWords] = most, shared/echoed
		for _, f := range []Feature{TimeHas, NumberHas, NameHas, PlaceHas, TypeHas, KindHas} {
			v[EchoKind] = max(v[EchoKind], v[f]*of[f])
		}
		v[EchoSoon] = float64(flag(x.At.Sub(o.At) <= soon && i-best <= besideReach))
		of[Echoed] = max(of[Echoed], max(v[EchoWords], v[EchoSoon])*max(v[TakesBack], v[IsCorrection]))
	}
}

// topic returns how much a line is about the topic: in its words, its concepts, and words that keep the same company.
func (v *Values) topic() float64 {
	return v[Clause] + v[Rest] + v[Concepts] + v[ConceptsRest] + (v[Alike]+v[AlikeRest])/2 + v[KindHas]
}

func (x *line) sameAuthor(o *line) bool { return x.Own == o.Own && x.Author == o.Author }
