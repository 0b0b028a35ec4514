package simulate

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// Person is one of the cast.
type Person struct {
	Name string
	// days are how likely they talk on a weekday, Sunday first; hour is when they usually do.
	days [7]float64
	hour int
	// chatty is how many messages a talk of theirs has at most, 4–7, but for news that takes more.
	chatty int
	// away are the stretches in which they say nothing.
	away []stretch
	// club says that they are in the one group.
	club bool

	rng *rand.Rand
}

// stretch is some days, the first and the one after the last.
type stretch struct{ from, until int }

// The streams of randomness: one for what all share, one for each person's life from streamPeople on, so that one person
// more changes nobody else.
const (
	streamNames  = 1
	streamClub   = 2
	streamPeople = 100
)

func random(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

const (
	// clubShare is the share of people in the group, at least two of them.
	clubShare = 4
	// longAbsence is how long a year must be for people to stay away for weeks.
	longAbsence = 60
)

// newCast makes the people.
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

// habits settles when and how often a person talks: on four to eight days in five weeks, more on some weekdays than on others.
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

// absences are one or two stretches of two to five weeks a year.
func (p *Person) absences(days int) {
	for range (1 + p.rng.IntN(2)) * max(1, days/365) {
		from := 30 + p.rng.IntN(max(days-30, 1))
		p.away = append(p.away, stretch{from, from + 14 + p.rng.IntN(22)})
	}
}

// talks says that a person talks on a day, and when they begin.
func (p *Person) talks(day int, start time.Time) (time.Time, bool) {
	morning := start.AddDate(0, 0, day)
	likely := p.days[int(morning.Weekday())]
	roll, minute := p.rng.Float64(), p.rng.IntN(90)
	if p.isAway(day) {
		return time.Time{}, false
	}
	return morning.Add(time.Duration(p.hour)*time.Hour + time.Duration(minute)*time.Minute), day == 0 || roll < likely
}

// isAway says that a person says nothing on a day.
func (p *Person) isAway(day int) bool {
	return slices.ContainsFunc(p.away, func(s stretch) bool { return s.from <= day && day < s.until })
}

// pick is one of several.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// chance is true with a probability.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// namer hands out names, each once in a world: a name that turns up with somebody else was told by nobody there.
type namer struct {
	rng   *rand.Rand
	left  map[*nameList][]string
	taken map[string]bool
}

func newNamer(r *rand.Rand) *namer {
	return &namer{rng: r, left: map[*nameList][]string{}, taken: map[string]bool{}}
}

// nameList are names of one kind, and the syllables that more are made of when they run out.
type nameList struct {
	names        []string
	heads, tails []string
}

// next is a name nobody was given yet.
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
			name += " " + strconv.Itoa(tries) // more people than names can be made for
		}
		if !n.taken[name] {
			n.taken[name] = true
			return name
		}
	}
}
