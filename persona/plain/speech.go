package plain

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"familiar/memory/when"
	"familiar/persona/words"
)

// event is the wording of a planned event.
type event struct {
	// form says what kind of phrase words is.
	form eventForm
	// words is "the interview", "flying to Oslo" or "visit your mum".
	words string
}

// eventForm is the grammatical form of an event.
type eventForm int

// The forms of events.
const (
	eventNoun   eventForm = iota // the interview
	eventGerund                  // flying to Oslo
	eventVerb                    // visit your mum
	eventDeed                    // your mum's visit
)

var (
	// eventOpenings precede the event itself in the wording of a plan.
	eventOpenings = words.Of("i i'm i've i'd i'll im ive we we're we've we'll am are have has had got get be will shall gonna going " +
		"planning plan to there's there is having about just also finally really then so and")
	// articles begin a phrase that is already definite.
	articles = words.Of("a an the my our your his her their some this that these those another")
	// eventVerbs begin a plan worded as an activity.
	eventVerbs = words.Of("visit go fly travel drive meet see call phone start finish move take pick buy sell send give make bake cook " +
		"run swim climb hike ride play watch write read paint build fix clean help teach learn study join leave return come host run " +
		"attend celebrate try submit present perform sing dance do show bring book pay order open close apply work talk speak " +
		"camp sail ski surf train race adopt throw hold hand turn get have graduate marry launch plant water feed walk tell let")
	// danglers are prepositions left over after removing the time that followed.
	danglers = words.Of("on at in by for from until till before after this next of the during and")
)

// eventLimit is the longest repeated plan, in characters.
const eventLimit = 120

// eventOf words a plan or promise made at a given time, without its time and addressed to the person.
func eventOf(text string, at time.Time) event {
	fields := strings.Fields(withoutTimes(words.Cut(text, eventLimit), at))
	for len(fields) > 1 && eventOpenings.Has(words.PlainWord(fields[0])) && !goesSomewhere(fields) {
		fields = fields[1:]
	}
	for len(fields) > 1 && danglers.Has(words.PlainWord(fields[len(fields)-1])) {
		fields = fields[:len(fields)-1]
	}
	phrase := strings.TrimRight(strings.Join(fields, " "), ".,;:!?")
	if phrase == "" {
		return event{words: "what you had planned"}
	}
	if own, ok := deedOf(phrase); ok {
		return event{eventDeed, turned(own)}
	}
	first := words.PlainWord(fields[0])
	switch {
	case articles.Has(first):
		if first == "a" || first == "an" {
			phrase = "the " + strings.Join(fields[1:], " ")
		}
		phrase = uncapital(phrase)
		return event{eventNoun, turned(phrase)}
	case goesSomewhere(fields):
		return event{eventGerund, turned(phrase)}
	case namesActivity(fields):
		return event{eventGerund, turned(phrase)}
	case eventVerbs.Has(first) && len(fields) > 1:
		return event{eventVerb, turned(phrase)}
	}
	return event{eventNoun, "the " + turned(phrase)}
}

// deedNouns are the event nouns of activities.
var deedNouns = map[string]string{
	"visiting": "visit", "coming": "visit", "coming over": "visit", "coming to visit": "visit", "arriving": "arrival", "moving": "move",
	"moving out": "move", "moving in": "move", "graduating": "graduation", "staying": "stay", "returning": "return", "leaving": "departure",
	"getting married": "wedding", "marrying": "wedding", "having surgery": "surgery", "having an operation": "operation",
}

// deedOf turns an activity of a relative into an event: "my mother visiting" becomes "my mother's visit".
func deedOf(phrase string) (string, bool) {
	fields := strings.Fields(phrase)
	if len(fields) < 3 || words.PlainWord(fields[0]) != "my" {
		return "", false
	}
	noun := deedNouns[words.PlainWord(strings.Join(fields[2:], " "))]
	if noun == "" {
		return "", false
	}
	return "my " + fields[1] + "'s " + noun, true
}

// goesSomewhere reports whether a plan is a trip: "going to Rome", "going to the dentist".
func goesSomewhere(fields []string) bool {
	if len(fields) < 3 || words.PlainWord(fields[0]) != "going" || words.PlainWord(fields[1]) != "to" {
		return false
	}
	where, _ := utf8.DecodeRuneInString(fields[2])
	return unicode.IsUpper(where) || articles.Has(words.PlainWord(fields[2]))
}

// of returns the event as someone else's: "Jo getting married", "Jo's exam".
func (e event) of(name string) event {
	switch {
	case name == "":
		return e
	case e.form == eventGerund:
		return event{eventNoun, name + " " + e.words}
	}
	return event{eventNoun, name + "'s " + strings.TrimPrefix(e.words, "the ")}
}

// listed returns the event for a list: "the interview", "flying to Oslo", "you want to fly to Oslo".
func (e event) listed() string {
	if e.form == eventVerb {
		return "you want to " + e.words
	}
	return e.words
}

// withoutTimes removes the times in a text, with the preposition before each.
func withoutTimes(text string, at time.Time) string {
	var kept strings.Builder
	from := 0
	for _, span := range when.Find(text, at) {
		if span.Start < from || span.End > len(text) {
			continue
		}
		before := strings.TrimRight(text[from:span.Start], " ,")
		if i := strings.LastIndexByte(before, ' '); danglers.Has(words.PlainWord(before[i+1:])) {
			before = before[:max(i, 0)]
		}
		kept.WriteString(before)
		from = span.End
	}
	kept.WriteString(text[from:])
	return strings.TrimLeft(kept.String(), " ,.")
}

// turnTable maps words to what they become when the persona repeats them to their author.
var turnTable = map[string]string{
	"i": "you", "i'm": "you're", "im": "you're", "i've": "you've", "i'd": "you'd", "i'll": "you'll", "me": "you", "my": "your",
	"mine": "yours", "myself": "yourself", "your": "my", "yours": "mine", "yourself": "myself", "you're": "I'm", "you've": "I've",
	"you'll": "I'll", "you'd": "I'd", "you": "me",
}

// turned repeats the person's words back to them: "my mum" becomes "your mum", "I was" becomes "you were".
func turned(text string) string {
	fields := strings.Fields(text)
	before := ""
	for i, w := range fields {
		bare := words.PlainWord(w)
		to, ok := turnTable[bare]
		switch {
		case bare == "am" && (before == "i" || i == 0):
			to, ok = "are", true
		case bare == "was" && before == "i":
			to, ok = "were", true
		}
		if ok {
			fields[i] = strings.Replace(words.PlainApostrophe(w), words.BareWord(w), to, 1)
		}
		before = bare
	}
	return strings.Join(fields, " ")
}

var (
	// ownBeginnings begin a sentence about the speaker.
	ownBeginnings = words.Of("i i'm i've i'd my")
	// unclearLater are words that mean someone else when repeated.
	unclearLater = words.Of("you your yours we us our ours you're you've let's")
)

// indirectLimit is the longest sentence repeated as indirect speech instead of quoted, in characters.
const indirectLimit = 140

// indirect repeats the person's words at a later time: "I went there yesterday" becomes "you went there the day
// before", or keeps "yesterday" on the same day. It returns false for what is better quoted: several sentences,
// questions, other people's words, "you" or "we".
func indirect(text string, at, now time.Time) (string, bool) {
	text = strings.TrimRight(strings.TrimSpace(text), ".!")
	if utf8.RuneCountInString(text) > indirectLimit || len(words.Sentences(text)) != 1 || strings.ContainsAny(text, "?\"“”:;[]()\n!") {
		return "", false
	}
	said := words.Tokens(text)
	if len(said) == 0 || !ownBeginnings.Has(said[0]) || slices.ContainsFunc(said, unclearLater.Has) {
		return "", false
	}
	if at.Format(time.DateOnly) != now.Format(time.DateOnly) {
		text = timesFrom(text, at)
	}
	return turned(text), true
}

// timesThen are the later forms of relative times.
var timesThen = map[string]string{
	"today": "that day", "yesterday": "the day before", "tomorrow": "the next day", "tonight": "that night",
	"last night": "the night before", "this morning": "that morning", "this evening": "that evening", "now": "then",
	"this week": "that week", "this weekend": "that weekend", "this month": "that month", "this year": "that year",
}

// timesFrom adapts the relative times in a text to a later time: "yesterday" becomes "the day before", "last week" "the
// week before", "next week" "the week after", "two days ago" "two days before".
func timesFrom(text string, at time.Time) string {
	var told strings.Builder
	from := 0
	for _, span := range when.Find(text, at) {
		if span.Start < from || span.End > len(text) {
			continue
		}
		then := strings.ToLower(span.Text)
		switch rest, last := strings.CutPrefix(then, "last "); {
		case timesThen[then] != "":
			then = timesThen[then]
		case last:
			then = "the " + weekdayCase(rest) + " before"
		case strings.HasPrefix(then, "next "):
			then = "the " + weekdayCase(then[len("next "):]) + " after"
		case strings.HasSuffix(then, " ago"):
			then = strings.TrimSuffix(then, " ago") + " before"
		default:
			then = span.Text
		}
		told.WriteString(text[from:span.Start])
		told.WriteString(then)
		from = span.End
	}
	told.WriteString(text[from:])
	return told.String()
}

// weekdayCase restores the capitals of days and months.
func weekdayCase(name string) string {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if strings.EqualFold(name, day.String()) {
			return day.String()
		}
	}
	for month := time.January; month <= time.December; month++ {
		if strings.EqualFold(name, month.String()) {
			return month.String()
		}
	}
	return name
}

// sayTime words a time span within a sentence: "on 7 May 2023", "yesterday", "in May".
func sayTime(from, until, now time.Time) string {
	said := when.Format(from, until, now)
	if said == "" || said[0] < '0' || said[0] > '9' {
		return said
	}
	if i := strings.LastIndexByte(said, ' '); i > 0 && partsOfDay.Has(said[i+1:]) {
		return "on the " + said[i+1:] + " of " + said[:i]
	}
	return "on " + said
}

// partsOfDay precede a date: "on the night of 13 August".
var partsOfDay = words.Of("morning afternoon evening night")

const (
	// justNow is how long ago counts as just now.
	justNow      = 10 * time.Minute
	justNowWords = "just now"
)

// sayDay words the day something was said: "just now", "earlier today", "yesterday", "on 25 May", "on 25 May 2023" in
// another year.
func sayDay(at, now time.Time) string {
	at = at.In(now.Location())
	if ago := now.Sub(at); ago >= 0 && ago < justNow {
		return justNowWords
	}
	switch day := at.Format(time.DateOnly); day {
	case now.Format(time.DateOnly):
		return "earlier today"
	case now.AddDate(0, 0, -1).Format(time.DateOnly):
		return "yesterday"
	}
	if at.Year() == now.Year() {
		return at.Format("on 2 January")
	}
	return at.Format("on 2 January 2006")
}
