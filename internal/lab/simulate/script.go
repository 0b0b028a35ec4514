package simulate

import (
	"cmp"
	"slices"
	"time"
)

// Line is one message of the script.
type Line struct {
	At time.Time
	// Who is the author's index in the cast.
	Who int
	// Club reports whether the line is said in the group, Addressed whether it expects an answer there.
	Club, Addressed bool
	Text            string
	// Tells lists what the line makes true from then on.
	Tells []Change
	// Asks is the question in the line, nil when the line asks nothing that the script can answer.
	Asks *Probe
	// Exam reports whether the line is asked on the last evening.
	Exam bool
}

// Change is a fact about its author that starts or ends.
type Change struct {
	About topic
	Value string
	// Over reports whether the fact ended without a successor.
	Over bool
}

// Probe is a question whose answer the script knows: the value of a topic when it is asked.
type Probe struct {
	About topic
	// Former asks for the previous value.
	Former bool
	// Hidden reports whether it is asked in a room where private facts must not be told.
	Hidden bool
	// Never reports whether nobody ever told the fact.
	Never bool
	// Words lists alternatives, one of which a right answer holds when it does not hold the topic's value.
	Words []string
}

// newScript writes everything that everybody will say, in order.
func newScript(s Settings, cast []*Person, words wordings) []Line {
	book := newPhrasebook(words)
	names := newNamer(random(s.Seed, streamNames+streamPeople))
	var all []Line
	for i, p := range cast {
		a := newAuthor(s, i, p, names, book)
		all = append(all, a.write()...)
	}
	all = append(all, clubNights(s, cast)...)
	slices.SortStableFunc(all, func(a, b Line) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Who, b.Who)) })
	end := s.Start.AddDate(0, 0, s.Days)
	return slices.DeleteFunc(all, func(l Line) bool { return !l.At.Before(end) })
}
