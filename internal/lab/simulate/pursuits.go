package simulate

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// plan is a future event, or a past one whose outcome is not told yet.
type plan struct {
	what string
	at   time.Time // midnight of its day
	// outcome is told once the day has passed.
	outcome string
	moved   bool
}

// planned holds the plans with their outcomes.
var planned = []struct{ what, outcome string }{
	{"dentist appointment", "The dentist appointment went fine, no holes."},
	{"job interview", "The job interview went really well!"},
	{"driving test", "I passed my driving test!"},
	{"exam", "The exam was awful, I think I failed."},
	{"haircut", "The haircut is way too short."},
	{"concert", "The concert was amazing."},
	{"presentation", "The presentation went okay."},
	{"vet appointment", "The vet appointment was quick, all good."},
	{"dinner with my parents", "Dinner with my parents was nice."},
	{"hike", "The hike was lovely, my legs hurt."},
	{"meeting with my landlord", "The meeting with my landlord went badly, the rent goes up."},
	{"flight", "The flight was delayed but we made it."},
}

// plan tells a plan, asks about one, moves one or makes a promise.
func (a *author) plan() {
	if i := slices.IndexFunc(a.ahead, func(p plan) bool { return p.at.After(a.at) && !p.moved }); i >= 0 {
		p := &a.ahead[i]
		switch roll := a.rng.Float64(); {
		case roll < .3:
			p.at, p.moved = p.at.AddDate(0, 0, 1+a.rng.IntN(3)), true
			a.say(fmt.Sprintf("They moved my %s to %s.", p.what, strings.TrimPrefix(a.when(p.at), "on ")))
		case roll < .6:
			a.ask(a.word("plan asked", blanks{value: p.what}), Probe{Words: dayWords(p.at, a.at)})
		default:
			a.say(pick(a.rng, "I'm a bit nervous about the "+p.what+".", "Still have to get ready for the "+p.what+"."))
		}
		return
	}
	if chance(a.rng, .2) {
		a.say(pick(a.rng, "I'll send you a photo of the garden tomorrow.", "I promise to call my mum on Sunday.", "I'll tell you how the film was tomorrow."))
		return
	}
	next := pick(a.rng, planned...)
	if slices.ContainsFunc(a.ahead, func(p plan) bool { return p.what == next.what }) {
		a.chat()
		return
	}
	p := plan{what: next.what, at: midnight(a.at).AddDate(0, 0, 1+a.rng.IntN(9)), outcome: next.outcome}
	a.say(a.word("plan", blanks{value: p.what, when: a.when(p.at)}))
	a.ahead = append(a.ahead, p)
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// when returns the name that people would give a day.
func (a *author) when(day time.Time) string {
	switch ahead := int(day.Sub(midnight(a.at)).Hours()/24 + .5); {
	case ahead == 1:
		return "tomorrow"
	case ahead < 7 && chance(a.rng, .8):
		return "on " + day.Weekday().String()
	default:
		return fmt.Sprintf("on %d %s", day.Day(), day.Month())
	}
}

// dayWords returns the words that can name a day, seen from at.
func dayWords(day, at time.Time) []string {
	words := []string{day.Weekday().String(), fmt.Sprintf("%d %s", day.Day(), day.Month()), fmt.Sprintf("%d %.3s", day.Day(), day.Month())}
	if day.Equal(midnight(at).AddDate(0, 0, 1)) {
		words = append(words, "tomorrow")
	}
	return words
}

// outcomes tells the outcome of plans whose day has passed. It drops plans that are more than two weeks old.
func (a *author) outcomes() {
	a.ahead = slices.DeleteFunc(a.ahead, func(p plan) bool {
		over := a.at.After(p.at.AddDate(0, 0, 1))
		if over && a.at.Before(p.at.AddDate(0, 0, 14)) && chance(a.rng, .8) {
			a.say(p.outcome)
		}
		return over
	})
}

// goal is something that a person works on for weeks.
type goal struct {
	what  string
	steps []string
}

// goals holds the goals that people set, with the steps towards each.
var goals = []goal{
	{"learning Portuguese", []string{"I had my first Portuguese lesson today.", "I can order a coffee in Portuguese now.", "I read a whole page in Portuguese!", "I passed my Portuguese exam!"}},
	{"training for a half marathon", []string{"I ran five kilometres today.", "Ran twelve kilometres today, everything hurts.", "I finished the half marathon!"}},
	{"building a bookshelf", []string{"I bought the wood for the bookshelf.", "The bookshelf has legs now.", "The bookshelf is finished and it doesn't wobble!"}},
	{"quitting smoking", []string{"One week without a cigarette.", "I had a cigarette yesterday, I'm annoyed with myself.", "A month without smoking!"}},
	{"writing a short story", []string{"I wrote the first page of my short story.", "I'm stuck with the short story.", "I finished my short story!"}},
	{"learning to swim properly", []string{"I swam ten lengths today.", "Twenty lengths without a break!"}},
}

// pursue sets a goal, or takes the next step towards it.
func (a *author) pursue() {
	if a.goal == nil {
		g := pick(a.rng, goals...)
		a.goal = &g
		a.say(a.word("goal", blanks{value: g.what}))
		return
	}
	if len(a.goal.steps) == 0 || chance(a.rng, .1) { // given up without telling
		a.goal = nil
		a.chat()
		return
	}
	a.say(a.goal.steps[0])
	a.goal.steps = a.goal.steps[1:]
}
