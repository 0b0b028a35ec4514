package simulate

import (
	"fmt"
	"strings"
)

// settling is the maximum number of days that people take to tell about themselves.
const settling = 20

// happens schedules what a person has to tell from a given day on.
func (a *author) happens(day int, lines ...Line) {
	a.news = append(a.news, news{day, lines})
}

// tells returns a line that makes something true.
func tells(about topic, value, text string) Line {
	return Line{Text: text, Tells: []Change{{About: about, Value: value}}}
}

// ends returns a line after which the topic holds no value.
func ends(about topic, text string) Line {
	return Line{Text: text, Tells: []Change{{About: about, Over: true}}}
}

// word returns a line that makes something true, in one of several forms; %s is the value.
func (a *author) word(about topic, value string, forms ...string) Line {
	form := pick(a.rng, forms...)
	if strings.ContainsAny(value[:1], "aeiou") {
		form = strings.ReplaceAll(form, " a %s", " an %s")
	}
	return tells(about, value, strings.ReplaceAll(form, "%s", value))
}

// topic sets the wording of this person's questions about a topic: %s is what the person has, such as a dog or a
// sister.
func (a *author) topic(about topic, kind string, questions ...string) {
	own := topics[about]
	own.questions = nil
	for _, q := range questions {
		own.questions = append(own.questions, strings.ReplaceAll(q, "%s", kind))
	}
	a.own[about] = own
}

// kind returns how this person talks about a topic.
func (a *author) kind(about topic) topicKind {
	if own, ok := a.own[about]; ok {
		return own
	}
	return topics[about]
}

// early returns a day in the first weeks. later returns one in the remaining time, some days before its end.
func (a *author) early() int { return a.rng.IntN(settling) }

func (a *author) later() int { return settling + 20 + a.rng.IntN(max(a.Days-settling-30, 1)) }

// biography decides what happens to a person.
func (a *author) biography() {
	a.homes()
	a.work()
	a.love()
	a.animals()
	a.table()
	a.family()
	a.belongings()
}

func (a *author) homes() {
	a.happens(a.early(), a.word(home, a.names.next(cities), "I live in %s.", "I live in %s, by the way", "I'm living in %s at the moment", "Home for me is %s."))
	for day := a.later(); day < a.Days && chance(a.rng, .7); day += 90 + a.rng.IntN(60) {
		a.happens(day, a.word(home, a.names.next(cities),
			"I moved to %s last week.", "Guess what, we moved to %s!", "I've moved, I live in %s now.", "Big news: I'm living in %s now.",
			"So I finally moved to %s.", "We moved to %s at the weekend and I'm still living out of boxes."))
	}
}

func (a *author) work() {
	title, firm := pick(a.rng, jobs...), a.names.next(employers)
	a.happens(a.early(), a.word(job, title, "I work as a %s.", "I'm a %s.", "I'm a %s by trade"),
		a.word(employer, firm, "I work at %s.", "I work for %s.", "I've been working at %s for three years"))
	if !chance(a.rng, .5) {
		return
	}
	next := a.names.next(employers)
	lines := []Line{a.word(employer, next, "I changed jobs, I work at %s now.", "I quit and I'm at %s now.", "I started a new job at %s this week.", "I no longer work at "+firm+", I'm at %s now.")}
	if other := pick(a.rng, jobs...); other != title && chance(a.rng, .4) {
		lines = append(lines, a.word(job, other, "I work as a %s now.", "I'm working as a %s now, can you believe it?"))
	}
	a.happens(a.later(), lines...)
}

func (a *author) love() {
	if !chance(a.rng, .65) {
		return
	}
	kind := pick(a.rng, "husband", "wife", "boyfriend", "girlfriend")
	who := a.names.next(kin)
	a.topic(partner, kind, "What's my %s called?", "who is my %s?", "what's my %s's name?")
	a.happens(a.early(), a.word(partner, who, "My "+kind+" is called %s.", "My "+kind+"'s name is %s.", "My "+kind+" %s made dinner tonight."))
	if kind != "boyfriend" && kind != "girlfriend" || !chance(a.rng, .4) {
		return
	}
	day := a.later()
	a.happens(day, ends(partner, fmt.Sprintf(pick(a.rng, "%s and I broke up.", "I broke up with %s.", "%s and I have split up", "%s left me."), who)))
	if chance(a.rng, .6) {
		a.happens(day+45+a.rng.IntN(40), a.word(partner, a.names.next(kin),
			"I have a new "+kind+", %s.", "I met somebody! My new "+kind+" is called %s."))
	}
}

func (a *author) animals() {
	if !chance(a.rng, .7) {
		return
	}
	kind := pick(a.rng, "dog", "cat", "dog", "cat", "rabbit")
	called := a.names.next(pets)
	a.topic(pet, kind, "What's my %s called?", "what is my %s's name?", "do you remember the name of my %s?")
	first := a.word(pet, called, "My "+kind+" is called %s.", "I have a "+kind+" called %s.", "My "+kind+"'s name is %s.")
	day := a.early()
	if chance(a.rng, .4) {
		day = a.later()
		first = a.word(pet, called, "We got a "+kind+"! It's called %s.", "I got a "+kind+", his name is %s.", "We adopted a "+kind+" called %s.")
	}
	if wrong := a.names.next(misheard); chance(a.rng, .3) {
		first = tells(pet, wrong, strings.ReplaceAll(first.Text, called, wrong))
		a.happens(day, first, a.word(pet, called, "not "+wrong+", %s", "No, %s, not "+wrong+".", "sorry, autocorrect: it's %s, not "+wrong))
	} else {
		a.happens(day, first)
	}
	if gone := day + 60 + a.rng.IntN(200); chance(a.rng, .25) {
		a.happens(gone, ends(pet, fmt.Sprintf(pick(a.rng, "%s died yesterday.", "We had to say goodbye to %s, he died on Sunday.", "My "+kind+" %s died."), called)))
	}
}

func (a *author) table() {
	if chance(a.rng, .4) {
		now, then := "vegetarian", "vegan"
		if chance(a.rng, .4) {
			now, then = then, now
		}
		a.topic(diet, "", "Am I a vegetarian or a vegan?", "What's my diet?", "what kind of diet am I on?")
		a.happens(a.early(), a.word(diet, now, "I'm %s.", "I'm a %s, just so you know", "I've been %s since school."))
		if chance(a.rng, .35) {
			a.happens(a.later(), a.word(diet, then, "I'm %s now.", "I've gone %s.", "I'm not "+now+" any more, I'm %s now."))
		}
	}
	first := pick(a.rng, foods...)
	a.happens(a.early(), a.word(food, first, "My favourite food is %s.", "my favorite food is %s"))
	if next := pick(a.rng, foods...); next != first && chance(a.rng, .4) {
		a.happens(a.later(), a.word(food, next, "My favourite food is %s now.", "Actually, my favourite food is %s these days."))
	}
	if chance(a.rng, .4) {
		a.happens(a.early(), a.word(allergy, pick(a.rng, allergen...), "I'm allergic to %s.", "Careful, I'm allergic to %s"))
	}
}

func (a *author) family() {
	a.happens(a.early(), a.word(birthday, fmt.Sprintf("%d %s", 1+a.rng.IntN(28), pick(a.rng, months...)), "My birthday is on %s.", "My birthday is %s."))
	if chance(a.rng, .6) {
		kind, who := pick(a.rng, "sister", "brother"), a.names.next(kin)
		a.topic(sibling, kind, "What's my %s called?", "what's my %s's name?", "who is my %s?")
		a.topic(siblingHome, kind, "Where does my %s live?", "which city does my %s live in?", "do you know where my %s lives?")
		a.happens(a.early(), a.word(sibling, who, "My "+kind+" is called %s.", "I have a "+kind+", %s."),
			a.word(siblingHome, a.names.next(cities), "My "+kind+" lives in %s.", who+" lives in %s."))
		if chance(a.rng, .5) {
			a.happens(a.later(), a.word(siblingHome, a.names.next(cities), who+" moved to %s.", "My "+kind+" lives in %s now.", "My "+kind+" has moved to %s."))
		}
	}
	if chance(a.rng, .4) { // told to nobody else
		a.happens(a.early(), a.word(therapist, "Dr. "+a.names.next(therapists),
			"Between us: I'm seeing a therapist. My therapist is called %s.", "My therapist is called %s. I haven't told anybody else."))
	}
}

func (a *author) belongings() {
	if chance(a.rng, .5) {
		first := pick(a.rng, cars...)
		a.happens(a.early(), a.word(car, first, "I drive a %s.", "I drive an old %s"))
		if next := pick(a.rng, cars...); next != first && chance(a.rng, .4) {
			a.happens(a.later(), a.word(car, next, "I sold the "+first+", I drive a %s now.", "I drive a %s now."))
		}
	}
	if chance(a.rng, .4) {
		a.happens(a.early(), a.word(instrument, pick(a.rng, "cello", "piano", "guitar", "clarinet", "trumpet"), "I play the %s.", "I play the %s in a little band"))
	}
}
