package simulate

import "fmt"

// settling is the maximum number of days that people take to tell about themselves.
const settling = 20

// happens schedules what a person has to tell from a given day on.
func (a *author) happens(day int, lines ...Line) {
	a.news = append(a.news, news{day, lines})
}

// word returns a wording of a section with its placeholders filled.
func (a *author) word(section string, b blanks) string { return b.fill(a.book.next(a.rng, section)) }

// line returns a line that changes what a topic holds, in a wording of a section. old fills the placeholder of the value
// until then.
func (a *author) line(section string, c Change, old string) Line {
	return Line{Text: a.word(section, blanks{value: c.Value, kind: a.kinds[c.About], old: old}), Tells: []Change{c}}
}

// tell returns a line that makes something true.
func (a *author) tell(about topic, value string) Line {
	return a.line(string(about), Change{About: about, Value: value}, "")
}

// change returns a line that makes something true in the place of old.
func (a *author) change(about topic, old, value string) Line {
	return a.line(string(about)+" changed", Change{About: about, Value: value}, old)
}

// end returns a line after which the topic no longer holds value.
func (a *author) end(section string, about topic, value string) Line {
	l := a.line(section, Change{About: about, Value: value}, "")
	l.Tells = []Change{{About: about, Over: true}}
	return l
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
	city := a.names.next(cities)
	a.happens(a.early(), a.tell(home, city))
	for day := a.later(); day < a.Days && chance(a.rng, .7); day += 90 + a.rng.IntN(60) {
		next := a.names.next(cities)
		a.happens(day, a.change(home, city, next))
		city = next
	}
}

func (a *author) work() {
	title, firm := pick(a.rng, jobs...), a.names.next(employers)
	a.happens(a.early(), a.tell(job, title), a.tell(employer, firm))
	if !chance(a.rng, .5) {
		return
	}
	lines := []Line{a.change(employer, firm, a.names.next(employers))}
	if other := pick(a.rng, jobs...); other != title && chance(a.rng, .4) {
		lines = append(lines, a.change(job, title, other))
	}
	a.happens(a.later(), lines...)
}

func (a *author) love() {
	if !chance(a.rng, .65) {
		return
	}
	kind := pick(a.rng, "husband", "wife", "boyfriend", "girlfriend")
	who := a.names.next(kin)
	a.kinds[partner] = kind
	a.happens(a.early(), a.tell(partner, who))
	if kind != "boyfriend" && kind != "girlfriend" || !chance(a.rng, .4) {
		return
	}
	day := a.later()
	a.happens(day, a.end("partner ended", partner, who))
	if chance(a.rng, .6) {
		a.happens(day+45+a.rng.IntN(40), a.line("partner again", Change{About: partner, Value: a.names.next(kin)}, ""))
	}
}

func (a *author) animals() {
	if !chance(a.rng, .7) {
		return
	}
	a.kinds[pet] = pick(a.rng, "dog", "cat", "dog", "cat", "rabbit")
	called := a.names.next(pets)
	day, section := a.early(), "pet"
	if chance(a.rng, .4) {
		day, section = a.later(), "pet got"
	}
	a.happens(day, a.petNamed(section, called)...)
	if gone := day + 60 + a.rng.IntN(200); chance(a.rng, .25) {
		a.happens(gone, a.end("pet died", pet, called))
	}
}

// petNamed returns the lines that tell a pet's name. Some people mistype it first.
func (a *author) petNamed(section, called string) []Line {
	is := Change{About: pet, Value: called}
	if wrong := a.names.next(misheard); chance(a.rng, .3) {
		return []Line{a.line(section, Change{About: pet, Value: wrong}, ""), a.line("pet corrected", is, wrong)}
	}
	return []Line{a.line(section, is, "")}
}

func (a *author) table() {
	if chance(a.rng, .4) {
		now, then := "vegetarian", "vegan"
		if chance(a.rng, .4) {
			now, then = then, now
		}
		a.happens(a.early(), a.tell(diet, now))
		if chance(a.rng, .35) {
			a.happens(a.later(), a.change(diet, now, then))
		}
	}
	first := pick(a.rng, foods...)
	a.happens(a.early(), a.tell(food, first))
	if next := pick(a.rng, foods...); next != first && chance(a.rng, .4) {
		a.happens(a.later(), a.change(food, first, next))
	}
	if chance(a.rng, .4) {
		a.happens(a.early(), a.tell(allergy, pick(a.rng, allergen...)))
	}
}

func (a *author) family() {
	a.happens(a.early(), a.tell(birthday, fmt.Sprintf("%d %s", 1+a.rng.IntN(28), pick(a.rng, months...))))
	if chance(a.rng, .6) {
		a.siblings()
	}
	if chance(a.rng, .4) { // told to nobody else
		a.happens(a.early(), a.tell(therapist, "Dr. "+a.names.next(therapists)))
	}
}

// siblings gives the person a sister or a brother.
func (a *author) siblings() {
	kind, city := pick(a.rng, "sister", "brother"), a.names.next(cities)
	a.kinds[sibling], a.kinds[siblingHome] = kind, kind
	a.happens(a.early(), a.tell(sibling, a.names.next(kin)), a.tell(siblingHome, city))
	if chance(a.rng, .5) {
		a.happens(a.later(), a.change(siblingHome, city, a.names.next(cities)))
	}
}

func (a *author) belongings() {
	if chance(a.rng, .5) {
		first := pick(a.rng, cars...)
		a.happens(a.early(), a.tell(car, first))
		if next := pick(a.rng, cars...); next != first && chance(a.rng, .4) {
			a.happens(a.later(), a.change(car, first, next))
		}
	}
	if chance(a.rng, .4) {
		a.happens(a.early(), a.tell(instrument, pick(a.rng, "cello", "piano", "guitar", "clarinet", "trumpet")))
	}
}
