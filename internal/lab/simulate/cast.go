package simulate

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// Person is one member of the cast.
type Person struct {
	Name string
	// days holds the probability of a talk on each weekday, Sunday first. hour is the usual hour of a talk.
	days [7]float64
	hour int
	// chatty is the maximum number of messages in a talk, 4–7. News can take more.
	chatty int
	// away lists the stretches in which the person says nothing.
	away []stretch
	// club reports whether the person is in the one group.
	club bool

	rng *rand.Rand
}

// stretch is a range of days: the first day and the day after the last.
type stretch struct{ from, until int }

// The random streams: one for everything shared, and one for each person's life from streamPeople on. Adding a person
// therefore changes no other life.
const (
	streamNames  = 1
	streamClub   = 2
	streamPeople = 100
)

func random(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

const (
	// clubShare sets the share of people in the group: one in clubShare, at least two people.
	clubShare = 4
	// longAbsence is the number of days that a life must last before people stay away for weeks.
	longAbsence = 60
)

// newCast creates the people.
func newCast(s Settings) []*Person {
	names := newNamer(random(s.Seed, streamNames))
	cast := make([]*Person, s.People)
	for i := range cast {
		p := &Person{Name: names.next(firstNames), rng: random(s.Seed, streamPeople+uint64(i))}
		p.club = s.People > 1 && i < max(2, s.People/clubShare)
		p.habits()
		if s.Days >= longAbsence {
			p.absences(s.Days)
		}
		cast[i] = p
	}
	return cast
}

// habits decides when and how often a person talks: on four to eight days in five weeks, more on some weekdays than on
// others.
func (p *Person) habits() {
	often := 0.8 + 0.8*p.rng.Float64()
	var sum float64
	for d := range p.days {
		p.days[d] = 0.3 + p.rng.Float64()
		sum += p.days[d]
	}
	for d := range p.days {
		p.days[d] = min(p.days[d]*often/sum, 1)
	}
	p.hour = []int{7, 12, 17, 18, 19, 20, 20, 21, 22}[p.rng.IntN(9)]
	p.chatty = 4 + p.rng.IntN(4)
}

// absences adds one or two stretches of two to five weeks a year.
func (p *Person) absences(days int) {
	for range (1 + p.rng.IntN(2)) * max(1, days/365) {
		from := 30 + p.rng.IntN(max(days-30, 1))
		p.away = append(p.away, stretch{from, from + 14 + p.rng.IntN(22)})
	}
}

// talks reports whether a person talks on a day, and returns when the talk starts.
func (p *Person) talks(day int, start time.Time) (time.Time, bool) {
	morning := start.AddDate(0, 0, day)
	likely := p.days[int(morning.Weekday())]
	roll, minute := p.rng.Float64(), p.rng.IntN(90)
	if p.isAway(day) {
		return time.Time{}, false
	}
	return morning.Add(time.Duration(p.hour)*time.Hour + time.Duration(minute)*time.Minute), day == 0 || roll < likely
}

// isAway reports whether a person says nothing on a day.
func (p *Person) isAway(day int) bool {
	return slices.ContainsFunc(p.away, func(s stretch) bool { return s.from <= day && day < s.until })
}

// pick returns one of several values.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// chance returns true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// namer hands out names, each once in a world. A name that appears in another person's room was therefore not told
// there.
type namer struct {
	rng   *rand.Rand
	left  map[*nameList][]string
	taken map[string]bool
}

func newNamer(r *rand.Rand) *namer {
	return &namer{rng: r, left: map[*nameList][]string{}, taken: map[string]bool{}}
}

// nameList holds names of one kind, and the syllables that form more names when the list runs out.
type nameList struct {
	names        []string
	heads, tails []string
}

// next returns an unused name.
func (n *namer) next(of *nameList) string {
	left, begun := n.left[of]
	if !begun {
		left = append(left, of.names...)
		n.rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	}
	for len(left) > 0 {
		name := left[len(left)-1]
		left = left[:len(left)-1]
		n.left[of] = left
		if !n.taken[name] {
			n.taken[name] = true
			return name
		}
	}
	n.left[of] = left
	for tries := 0; ; tries++ {
		name := pick(n.rng, of.heads...) + pick(n.rng, of.tails...)
		if tries > 20 {
			name += pick(n.rng, of.tails...)
		}
		if tries > 200 {
			name += " " + strconv.Itoa(tries) // more people than the syllables can name
		}
		if !n.taken[name] {
			n.taken[name] = true
			return name
		}
	}
}
