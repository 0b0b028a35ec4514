package simulate

import (
	"math/rand/v2"
	"slices"
	"time"
)

// author writes the lines of one person.
type author struct {
	Settings
	who   int
	p     *Person
	rng   *rand.Rand
	names *namer
	book  *phrasebook
	// kinds holds what the person has, such as a dog or a sister, by topic.
	kinds map[topic]string

	// news lists what happens to the person, by day. waiting lists what has happened but is not told yet.
	news    []news
	waiting []news
	// told lists the topics that hold a value now, in the order they were told. former lists those that held another
	// value before.
	told, former []topic
	// ahead lists plans whose day has not come or whose outcome is not told yet.
	ahead []plan
	goal  *goal
	// spoken lists the recently used fillers, so that nobody repeats one within a few talks.
	spoken []string
	month  time.Month
	talks  int

	at    time.Time
	lines []Line
}

// news is what a person has to tell from a given day on: a few messages, each with the changes it makes true.
type news struct {
	day   int
	lines []Line
}

func newAuthor(s Settings, who int, p *Person, names *namer, book *phrasebook) *author {
	a := &author{Settings: s, who: who, p: p, rng: p.rng, names: names, book: book, kinds: map[topic]string{}}
	a.biography()
	slices.SortStableFunc(a.news, func(x, y news) int { return x.day - y.day })
	return a
}

// write goes through every day and writes the lines of that day.
func (a *author) write() []Line {
	for day := range a.Days {
		if at, talks := a.p.talks(day, a.Start); talks {
			a.at = at
			a.talk(day)
		}
	}
	a.exam()
	return a.lines
}

// talk writes one talk of a day.
func (a *author) talk(day int) {
	a.talks++
	length := 4 + a.rng.IntN(a.p.chatty-3)
	from := len(a.lines)
	for len(a.news) > 0 && a.news[0].day <= day {
		a.waiting = append(a.waiting, a.news[0])
		a.news = a.news[1:]
	}
	if a.talks == 1 {
		first := a.tell(name, a.p.Name)
		a.say(first.Text, first.Tells...)
	} else if chance(a.rng, .8) {
		a.say(opening(a.rng, a.at))
	}
	a.outcomes()
	for told := 0; len(a.waiting) > 0 && told < 2; told++ {
		for _, l := range a.waiting[0].lines {
			a.say(l.Text, l.Tells...)
			if l.Asks != nil {
				a.lines[len(a.lines)-1].Asks = l.Asks
			}
		}
		a.waiting = a.waiting[1:]
	}
	if a.at.Month() != a.month && day > 7 {
		a.month = a.at.Month()
		a.quiz(2 + a.rng.IntN(2))
	}
	for len(a.lines)-from < length {
		a.something()
	}
	if chance(a.rng, .6) {
		a.say(pick(a.rng, "Thanks, talk soon!", "I have to go, bye!", "Good night.", "See you.", "ok gotta run, bye", "Thanks for listening."))
	}
}

// say writes a line and records the changes it makes true.
func (a *author) say(text string, tells ...Change) {
	a.at = a.at.Add(time.Duration(20+a.rng.IntN(100)) * time.Second)
	a.lines = append(a.lines, Line{At: a.at, Who: a.who, Text: text, Tells: tells})
	for _, c := range tells {
		if held := slices.Contains(a.told, c.About); held && !slices.Contains(a.former, c.About) {
			a.former = append(a.former, c.About)
		} else if !held && !c.Over {
			a.told = append(a.told, c.About)
		}
	}
}

// ask writes a question with a known answer.
func (a *author) ask(text string, p Probe) {
	a.say(text)
	a.lines[len(a.lines)-1].Asks = &p
}

// something writes one message of an uneventful day.
func (a *author) something() {
	switch roll := a.rng.Float64(); {
	case roll < .10:
		a.plan()
	case roll < .16:
		a.pursue()
	case roll < .26:
		a.say(a.word("feeling", blanks{}))
	case roll < .36:
		a.say(a.fresh(questions))
	case roll < .44 && a.talks > 2:
		a.quiz(1)
	case roll < .47:
		a.say(a.fresh(warmth))
	case roll < .48:
		a.say(a.fresh(grumbles))
	default:
		a.chat()
	}
}

// chat writes a sentence of small talk.
func (a *author) chat() {
	if chance(a.rng, .12) {
		a.say(a.fresh(fillers))
		return
	}
	a.say(filled(a.rng, a.fresh(chatter)))
}

// lately is the number of fillers that count as recently used.
const lately = 12

// fresh returns one of the fillers that was not used recently.
func (a *author) fresh(of []string) string {
	text := pick(a.rng, of...)
	for tries := 0; slices.Contains(a.spoken, text) && tries < 20; tries++ {
		text = pick(a.rng, of...)
	}
	if a.spoken = append(a.spoken, text); len(a.spoken) > lately {
		a.spoken = a.spoken[1:]
	}
	return text
}

// quiz asks n questions about what was told, and sometimes about something that was never told.
func (a *author) quiz(n int) {
	for range n {
		switch {
		case len(a.told) == 0 || chance(a.rng, .1):
			a.unasked()
		case len(a.former) > 0 && chance(a.rng, .25):
			a.askFormer(pick(a.rng, a.former...))
		default:
			a.askNow(pick(a.rng, a.told...))
		}
	}
}

// askNow asks for the current value of a topic.
func (a *author) askNow(about topic) {
	a.ask(a.word(string(about)+" asked", blanks{kind: a.kinds[about]}), Probe{About: about})
}

// askFormer asks for the earlier value of a topic, if people ask for that.
func (a *author) askFormer(about topic) {
	section := string(about) + " before asked"
	if _, asked := forms[section]; asked {
		a.ask(a.word(section, blanks{}), Probe{About: about, Former: true})
	}
}

// unasked asks about something that nobody ever told.
func (a *author) unasked() {
	a.ask(a.word("never asked", blanks{}), Probe{Never: true})
}

// exam asks about everything on the evening of the last day.
func (a *author) exam() {
	if evening := a.Start.AddDate(0, 0, a.Days-1).Add(23*time.Hour + 10*time.Minute); evening.After(a.at) {
		a.at = evening
	}
	a.said(func() {
		for _, about := range a.told {
			a.askNow(about)
			if slices.Contains(a.former, about) {
				a.askFormer(about)
			}
		}
		a.unasked()
	})
}

// said writes lines a second apart, so that many fit before midnight.
func (a *author) said(write func()) {
	from, at := len(a.lines), a.at
	write()
	for i := from; i < len(a.lines); i++ {
		at = at.Add(time.Second)
		a.lines[i].At, a.lines[i].Exam = at, true
	}
	a.at = at
}
