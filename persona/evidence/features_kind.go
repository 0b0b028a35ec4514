package evidence

import (
	"familiar/memory/when"
)

// Features of the kind of answer, and of whose matter a line is.

// kinds sets the features of the kind of answer: whether the line has what is asked for.
func (q *question) kinds(x *line, c clause, v *Values) {
	if q.wants[times] {
		v.either(TimeHas, TimeLacks, q.hasNumber(x, c) || len(when.Find(x.part(c), x.At)) > 0)
	}
	if q.wants[number] {
		v.either(NumberHas, NumberLacks, q.hasNumber(x, c))
	}
	if q.wants[who] {
		v.either(NameHas, NameLacks, q.hasName(x, c) || len(peopleIn(x.mentions)) > 0)
	}
	if q.wants[where] {
		v.either(PlaceHas, PlaceLacks, q.hasPlace(x, c))
	}
}

func (v *Values) either(has, lacks Feature, it bool) {
	if it {
		v[has] = 1
	} else {
		v[lacks] = 1
	}
}

func (q *question) hasNumber(x *line, c clause) bool {
	for _, t := range x.tokens[c.from:c.to] {
		if t.plain[0] >= '0' && t.plain[0] <= '9' || q.numbers[t.plain] {
			return true
		}
	}
	return false
}

// hasName reports whether a line has a capitalised word inside a sentence, or a word that nobody uses but as a name.
func (q *question) hasName(x *line, c clause) bool {
	in := map[int]bool{}
	for _, m := range x.mentions {
		for i := m.From; i < m.To; i++ {
			in[i] = true
		}
	}
	for i := c.from; i < c.to; i++ {
		t := x.tokens[i]
		_, used := q.common[t.stem]
		if t.named || t.content && !used && !in[i] && !q.has(t.stem) && (t.plain[0] < '0' || t.plain[0] > '9') {
			return true
		}
	}
	return false
}

func (q *question) hasPlace(x *line, c clause) bool {
	for i, t := range x.tokens[c.from:c.to] {
		if q.places[t.plain] && i+1 < len(x.tokens) {
			return true
		}
	}
	return false
}

// persons sets the features of whose matter the line is.
func (q *question) persons(lines []line, i int, v *Values) {
	x := &lines[i]
	if q.self {
		v.either(OfAsker, OfOther, x.Own)
	}
	in := peopleIn(x.mentions)
	if len(q.people) == 0 {
		if q.self && len(in) > 0 {
			v[PersonOther] = 1
		}
	} else {
		shared := 0
		for c := range q.people {
			if in[c] {
				shared++
			}
		}
		if shared > 0 {
			v[PersonShared] = 1
		} else {
			v[PersonMissing] = 1
		}
	}
	for _, k := range q.topic {
		t := q.tokens[k]
		if t.named && !x.has(t.stem) {
			v[NamedMissing] = 1
		}
	}
}

// hasKind reports whether a line mentions a kind of what is asked for.
func (q *question) hasKind(x *line) bool {
	for _, m := range x.mentions {
		if m.Kind != 0 && (m.Concept == q.sort || isNear(m.Concept, q.sort)) {
			return true
		}
	}
	return false
}
