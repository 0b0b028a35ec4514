package simulate

import (
	"cmp"
	"slices"
	"time"
)

// Line is one message of the script.
type Line struct {
	At time.Time
	// Who is the author's place in the cast.
	Who int
	// Club says that it is said in the group, Addressed that an answer is expected there.
	Club, Addressed bool
	Text            string
	// Tells is what the line makes true from then on.
	Tells []Change
	// Asks is what the line asks, nil when it asks nothing the script knows the answer to.
	Asks *Probe
	// Exam says that it is asked on the last evening.
	Exam bool
}

// Change is something that became so for its author, or is no longer so.
type Change struct {
	About topic
	Value string
	// Over says that nothing has taken its place.
	Over bool
}

// Probe is a question whose answer the script knows: what holds about a topic when it is asked.
type Probe struct {
	About topic
	// Former asks for what held before.
	Former bool
	// Hidden says that it is asked where what was told in private may not be said.
	Hidden bool
	// Never says that nobody ever told it.
	Never bool
	// Words are what a right answer holds one of, when the topic's value is not.
	Words []string
}

// newScript writes everything everybody will say, in order.
func newScript(s Settings, cast []*Person) []Line {
	names := newNamer(random(s.Seed, streamNames+streamPeople))
	var all []Line
	for i, p := range cast {
		a := newAuthor(s, i, p, names)
		all = append(all, a.write()...)
	}
	all = append(all, clubNights(s, cast)...)
	slices.SortStableFunc(all, func(a, b Line) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Who, b.Who)) })
	end := s.Start.AddDate(0, 0, s.Days)
	return slices.DeleteFunc(all, func(l Line) bool { return !l.At.Before(end) })
}
