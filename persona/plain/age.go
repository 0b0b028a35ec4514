package plain

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
	"familiar/persona/mind"
	"familiar/persona/scene"
)

// agedAfter is how long a stated age is repeated unchanged.
const agedAfter = 30 * 24 * time.Hour

// aboutAge answers how old someone is now: from their birth date, else from the birth year, else from a stated age and
// its date.
func (ft factTeller) aboutAge(_ scene.Line, q understand.Question) string {
	if len(q.Relations) == 0 || q.Span != nil || q.Before || q.YesNo {
		return ""
	}
	kin, of := rel.Of(q.Relations[0])
	if of != "age" {
		return ""
	}
	known := func(relation string) *model.Belief {
		if kin != "" {
			relation = strings.TrimSuffix(q.Relations[0], "age") + relation
		}
		asked := q
		asked.Relations = []string{relation}
		if found := ft.answering(asked, false); len(found) > 0 {
			return &found[0]
		}
		return nil
	}
	birthday, year, age := known("birthday"), known("birth_year"), known("age")
	born, exact := ft.bornOn(birthday, year, age)
	switch {
	case exact:
		return ft.sayAge(birthday, mind.Age(born, ft.scene.Now))
	case year != nil:
		y, _ := strconv.Atoi(year.Value)
		turns := ft.scene.Now.Year() - y
		return ft.sayGrown(year, turns-1, turns)
	case age != nil && ft.scene.Now.Sub(age.Updated) > agedAfter:
		years, err := strconv.Atoi(age.Value)
		if err != nil {
			return ""
		}
		youngest, oldest := mind.Aged(years, age.Updated.In(ft.scene.Now.Location()), ft.scene.Now)
		return ft.sayGrown(age, youngest, oldest)
	}
	return ""
}

// bornOn returns someone's birth date if the birthday and the year are known or can be derived.
func (ft factTeller) bornOn(birthday, year, age *model.Belief) (time.Time, bool) {
	if birthday == nil {
		return time.Time{}, false
	}
	spans := when.Find("on "+birthday.Value, ft.scene.Now)
	if len(spans) != 1 || spans[0].Vague {
		return time.Time{}, false
	}
	day := spans[0].From
	switch {
	case yearNamed.MatchString(birthday.Value):
		return day, true
	case year != nil:
		y, err := strconv.Atoi(year.Value)
		return day.AddDate(y-day.Year(), 0, 0), err == nil
	case age != nil:
		years, err := strconv.Atoi(age.Value)
		return mind.BornOn(day, years, age.Updated.In(ft.scene.Now.Location())), err == nil
	}
	return time.Time{}, false
}

// sayAge words an age computed from a belief.
func (ft factTeller) sayAge(from *model.Belief, years int) string {
	ft.useBeliefs([]model.Belief{*from})
	relation := "age"
	if kin, _ := rel.Of(from.Relation); kin != "" {
		relation = strings.TrimSuffix(from.Relation, "birthday") + relation
	}
	return ft.put("answer.fact", "fact", rel.Describe(ft.subjectOf(*from), relation, strconv.Itoa(years)))
}

// sayGrown words a stated age together with the current one.
func (ft factTeller) sayGrown(from *model.Belief, youngest, oldest int) string {
	ft.useBeliefs([]model.Belief{*from})
	ages := strconv.Itoa(youngest)
	if oldest > youngest {
		ages = fmt.Sprintf("%d or %d", youngest, oldest)
	}
	return ft.put("answer.age", "day", sayDay(from.Updated, ft.scene.Now), "fact", ft.describe(*from), "ages", ages)
}
