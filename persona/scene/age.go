package scene

import (
	"strconv"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
	"familiar/persona/mind"
)

const (
	// earliestYear is the first year that a birthday's last number is taken for.
	earliestYear = 1900
	// agedAfter is how long a stated age holds unchanged.
	agedAfter = 30 * 24 * time.Hour
)

// AgeAsked returns how old somebody is now if a question asks that and it can be told: from the year of birth and the
// birthday, else from a stated age and its date. youngest and oldest differ if a birthday may have passed; oldest is 0 if
// nothing tells. from is the belief it rests on, kin the relative or pet asked about.
func (s *Scene) AgeAsked(q understand.Question) (from model.Belief, youngest, oldest int, kin string) {
	if len(q.Relations) == 0 || q.Span != nil || q.Before || q.YesNo {
		return from, 0, 0, ""
	}
	kin, of := rel.Of(q.Relations[0])
	if of != "age" {
		return from, 0, 0, ""
	}
	known := func(relation string) (b model.Belief, number int) {
		q.Relations = []string{rel.KinRelation(kin, relation)}
		if found := s.Answering(q, false); len(found) > 0 {
			b = found[0]
			number, _ = strconv.Atoi(b.Value[strings.LastIndexByte(b.Value, ' ')+1:]) // "3 May 1990"
		}
		return b, number
	}
	from, year := known("birth_year")
	birthday, born := known("birthday")
	stated, years := known("age")
	if born > earliestYear {
		from, year = birthday, born
	}
	if days := when.Find("on "+birthday.Value, s.Now); len(days) == 1 && !days[0].Vague {
		day := days[0].From
		switch {
		case year > 0:
			youngest = mind.Age(day.AddDate(year-day.Year(), 0, 0), s.Now)
			return from, youngest, youngest, kin
		case years > 0:
			youngest = mind.Age(mind.BornOn(day, years, stated.Updated.In(s.Now.Location())), s.Now)
			return stated, youngest, youngest, kin
		}
	}
	switch {
	case year > 0:
		return from, s.Now.Year() - year - 1, s.Now.Year() - year, kin
	case years > 0 && s.Now.Sub(stated.Updated) > agedAfter:
		youngest, oldest = mind.Aged(years, stated.Updated.In(s.Now.Location()), s.Now)
	}
	return stated, youngest, oldest, kin
}
