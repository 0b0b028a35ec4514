package mind

import (
	"fmt"
	"time"

	"familiar/memory/model"
)

// DayPart is a part of the day, in the person's timezone.
type DayPart string

// The parts of the day. Project choices; each hour is in one part.
const (
	Morning   DayPart = "morning"   // 5 to 12
	Afternoon DayPart = "afternoon" // 12 to 17
	Evening   DayPart = "evening"   // 17 to 22
	Night     DayPart = "night"     // 22 to 5
)

// PartOfDay returns the part of the day of a time, in its own location.
func PartOfDay(at time.Time) DayPart {
	switch h := at.Hour(); {
	case h < 5 || h >= 22:
		return Night
	case h < 12:
		return Morning
	case h < 17:
		return Afternoon
	}
	return Evening
}

// countPart counts a message of the person in its part of the day.
func countPart(rel *model.Relationship, at time.Time) {
	switch PartOfDay(at) {
	case Morning:
		rel.Mornings++
	case Afternoon:
		rel.Afternoons++
	case Evening:
		rel.Evenings++
	default:
		rel.Nights++
	}
}

// When a person has a usual part of the day. Project choices.
const (
	habitFrom  = 10  // messages
	habitShare = 0.5 // of them
)

// UsualPart returns the part of the day in which the person mostly talks, "" for fewer than ten messages or if no part
// has half of them.
func UsualPart(rel model.Relationship) DayPart {
	counts := []struct {
		part DayPart
		n    int
	}{{Morning, rel.Mornings}, {Afternoon, rel.Afternoons}, {Evening, rel.Evenings}, {Night, rel.Nights}}
	total, best := 0, counts[0]
	for _, c := range counts {
		total += c.n
		if c.n > best.n {
			best = c
		}
	}
	if total < habitFrom || float64(best.n) < habitShare*float64(total) {
		return ""
	}
	return best.part
}

// Frequency is how often two people talk.
type Frequency string

// The frequencies, by days per week. The bounds are project choices.
const (
	EveryDay  Frequency = "every day" // from 6.5
	MostDays  Frequency = "most days" // from 4
	SomeDays  Frequency = "some days" // from 1.75
	Weekly    Frequency = "weekly"    // from 0.75
	Sometimes Frequency = "sometimes" // from 0.2
	Rarely    Frequency = "rarely"
	// TooEarly is the frequency of two who have known each other for less than two weeks.
	TooEarly Frequency = ""
)

// frequencies are the days per week at which each frequency begins, highest first.
var frequencies = []struct {
	name Frequency
	from float64
}{{EveryDay, 6.5}, {MostDays, 4}, {SomeDays, 1.75}, {Weekly, 0.75}, {Sometimes, 0.2}}

const (
	oneDay  = 24 * time.Hour
	oneWeek = 7 * oneDay
	// frequencyFrom is how long two must have talked to tell how often.
	frequencyFrom = 2 * oneWeek
	// awayFrom is how long after the last contact a habit is told in the past tense.
	awayFrom = 30 * oneDay
)

// Often returns how often two talk, by the days with contact between the first and the last. Absence does not lower it.
func Often(rel model.Relationship) Frequency {
	known := rel.LastSeen.Sub(rel.FirstMet)
	if known < frequencyFrom {
		return TooEarly
	}
	perWeek := float64(rel.Days) / (float64(known) / float64(oneWeek))
	for _, f := range frequencies {
		if perWeek >= f.from {
			return f.name
		}
	}
	return Rarely
}

// Timeline describes a relationship in a few words: "met 3 months ago, talks most evenings". now is in the person's
// timezone. It returns "" for two who have not met.
func Timeline(rel model.Relationship, now time.Time) string {
	if rel.FirstMet.IsZero() {
		return ""
	}
	words := "met " + ago(rel.FirstMet, now)
	how := habit(Often(rel), UsualPart(rel))
	if now.Sub(rel.LastSeen) < awayFrom {
		if how != "" {
			words += ", talks " + how
		}
		return words
	}
	if how != "" {
		words += ", talked " + how
	}
	return words + ", last seen " + ago(rel.LastSeen, now)
}

// habit describes how often and when someone talks, "" if unknown.
func habit(f Frequency, part DayPart) string {
	unit, at := "day", ""
	if part != "" {
		unit, at = string(part), ", mostly in the "+string(part)
	}
	if part == Night {
		at = ", mostly at night"
	}
	switch f {
	case EveryDay:
		return "every " + unit
	case MostDays:
		return "most " + unit + "s"
	case SomeDays:
		return "a few " + unit + "s a week"
	case Weekly:
		return "about once a week" + at
	case Sometimes:
		return "now and then" + at
	case Rarely:
		return "rarely" + at
	}
	return ""
}

// ago describes how long before now something was, in the largest unit of which there are at least two, or as "a month"
// or "a year". A future time counts as today.
func ago(at, now time.Time) string {
	days := int(dayOf(now).Sub(dayOf(at.In(now.Location()))) / oneDay)
	years := Age(at.In(now.Location()), now)
	switch {
	case days <= 0:
		return "today"
	case days == 1:
		return "yesterday"
	case days < 14:
		return fmt.Sprintf("%d days ago", days)
	case days < 30:
		return fmt.Sprintf("%d weeks ago", days/7)
	case days < 60:
		return "a month ago"
	case years < 1:
		return fmt.Sprintf("%d months ago", days/30)
	case years == 1:
		return "a year ago"
	}
	return fmt.Sprintf("%d years ago", years)
}
