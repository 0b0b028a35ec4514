package evidence

import (
	"familiar/memory/understand/reader"
	"familiar/memory/understand/sentences"
)

// facts sets the features of what the line states: whether it has the kind of fact that is asked for, about whom the question
// asks.
func (q *question) facts(x *line, v *Values) {
	of, others := false, false
	for _, r := range x.readings {
		q.class(r, v)
		for _, f := range r.Facts {
			asked := q.asked.AskedFor(f.Relation)
			own := f.SubjectStart == f.SubjectEnd
			of, others = of || own, others || !own
			agrees := q.agrees(x, f, own)
			v[KindHas] = max(v[KindHas], asked*f.Sure*agrees)
			v[KindOther] = max(v[KindOther], asked*f.Sure*(1-agrees))
			if f.Denied || f.Replaced {
				v[KindDenied] = max(v[KindDenied], asked*f.Sure)
			}
		}
	}
	sure := 0.0
	for i, k := range sentences.AskedKinds {
		if p := float64(q.asked.Kinds[i]); k == "none" {
			v[KindNone] = p
		} else if k != "everything" && k != "fact" {
			sure = max(sure, p)
		}
	}
	v[KindLacks] = max(0, sure-v[KindHas])
	if of || others {
		v[FactsAny] = 1
	}
	if others && !of {
		v[FactsOfOthers] = float64(q.asked.OfAsker)
	}
}

func (q *question) class(r reader.Reading, v *Values) {
	switch r.Class {
	case "supposes", "quotes":
		v[IsSupposed] = max(v[IsSupposed], r.Sure)
	case "chats":
		v[IsChat] = max(v[IsChat], r.Sure)
	case "corrects", "changes":
		v[IsCorrection] = max(v[IsCorrection], r.Sure)
	case "asks":
		v[IsAsking] = max(v[IsAsking], r.Sure)
	}
}

// agrees returns how likely a fact is about whom the question asks about, 0–1.
func (q *question) agrees(x *line, f reader.Fact, own bool) float64 {
	if own {
		return float64(q.asked.OfAsker + q.asked.OfNobody/2)
	}
	for _, t := range x.tokens {
		if t.start >= f.SubjectStart && t.end <= f.SubjectEnd && q.has(t.stem) {
			return 1
		}
	}
	for i, m := range x.mentions {
		if at := x.tokens[m.From].start; at >= f.SubjectStart && at < f.SubjectEnd && q.people[x.mentions[i].Concept] {
			return 1
		}
	}
	return float64(q.asked.OfOther) / 2
}

// askedIn returns how likely a clause has a fact of the kind that is asked for.
func (q *question) askedIn(x *line, c clause) (most float64) {
	start, end := x.tokens[c.from].start, x.tokens[c.to-1].end
	for _, r := range x.readings {
		for _, f := range r.Facts {
			if f.Start >= start && f.End <= end {
				most = max(most, q.asked.AskedFor(f.Relation)*f.Sure)
			}
		}
	}
	return most
}
