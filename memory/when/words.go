package when

import "time"

// The English vocabulary of time. Other code specific to English is in asked.go, format.go and the rules over tokens.

// dayWords maps words to days from today.
var dayWords = map[string]int{
	"today": 0, "tonight": 0, "tomorrow": 1, "tmrw": 1, "tomorow": 1, "tommorow": 1, "tommorrow": 1, "yesterday": -1,
}

// shifts maps words before "week", "month" and "year" to units from now.
var shifts = map[string]int{"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}

// weekdays contains only unambiguous spellings.
var weekdays = map[string]time.Weekday{
	"monday": time.Monday, "tuesday": time.Tuesday, "tues": time.Tuesday, "wednesday": time.Wednesday,
	"thursday": time.Thursday, "thurs": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
	"sunday": time.Sunday,
}

// shortWeekdays are weekdays only after "on", "this", "next", "last" and the like.
var shortWeekdays = map[string]time.Weekday{
	"mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday, "thur": time.Thursday,
	"fri": time.Friday, "sat": time.Saturday, "sun": time.Sunday,
}

// months are recognized only next to a preposition, a day or a year, because "may", "march", "april" and "june" are also
// other words.
var months = map[string]time.Month{
	"january": time.January, "february": time.February, "march": time.March, "april": time.April, "may": time.May,
	"june": time.June, "july": time.July, "august": time.August, "september": time.September,
	"october": time.October, "november": time.November, "december": time.December,
	"jan": time.January, "feb": time.February, "mar": time.March, "apr": time.April, "jun": time.June,
	"jul": time.July, "aug": time.August, "sep": time.September, "sept": time.September, "oct": time.October,
	"nov": time.November, "dec": time.December,
}

// monthLeads are the words before a month that make it a date.
var monthLeads = map[string]bool{
	"in": true, "since": true, "by": true, "until": true, "till": true, "during": true, "from": true,
	"early": true, "late": true, "mid": true, "around": true, "before": true, "after": true, "through": true,
}

// yearLeads are the words before four digits that make them a year.
var yearLeads = map[string]bool{
	"in": true, "since": true, "during": true, "by": true, "until": true, "till": true, "around": true,
	"before": true, "after": true, "from": true, "of": true, "year": true,
}

// seasons maps each season to its first month in the northern hemisphere.
var seasons = map[string]time.Month{
	"spring": time.March, "summer": time.June, "autumn": time.September, "fall": time.September,
	"winter": time.December,
}

// holidays are days with a fixed date. All their words must follow each other.
var holidays = []struct {
	words []string
	month time.Month
	day   int
}{
	{[]string{"christmas", "eve"}, time.December, 24},
	{[]string{"christmas"}, time.December, 25},
	{[]string{"xmas"}, time.December, 25},
	{[]string{"boxing", "day"}, time.December, 26},
	{[]string{"new", "year's", "eve"}, time.December, 31},
	{[]string{"new", "years", "eve"}, time.December, 31},
	{[]string{"new", "year's"}, time.January, 1},
	{[]string{"halloween"}, time.October, 31},
	{[]string{"valentine's"}, time.February, 14},
	{[]string{"valentines"}, time.February, 14},
}

// starters are all words that an expression can begin with. The scan skips all others at once.
var starters = func() map[string]bool {
	set := map[string]bool{
		"the": true, "this": true, "next": true, "last": true, "past": true, "previous": true, "coming": true,
		"on": true, "in": true, "at": true, "by": true, "for": true, "over": true, "about": true, "around": true,
		"almost": true, "nearly": true, "until": true, "till": true, "til": true, "since": true, "from": true,
		"between": true,
	}
	add(set, dayWords)
	add(set, weekdays)
	add(set, months)
	add(set, numbers)
	add(set, looseNumbers)
	for lead := range monthLeads {
		set[lead] = true
	}
	for lead := range yearLeads {
		set[lead] = true
	}
	for _, f := range holidays {
		set[f.words[0]] = true
	}
	return set
}()

func add[V any](set map[string]bool, table map[string]V) {
	for word := range table {
		set[word] = true
	}
}

// unit is a unit of time.
type unit int

const (
	minute unit = iota
	hour
	day
	week
	month
	year
)

var units = map[string]unit{
	"minute": minute, "minutes": minute, "min": minute, "mins": minute,
	"hour": hour, "hours": hour, "hr": hour, "hrs": hour,
	"day": day, "days": day, "week": week, "weeks": week, "month": month, "months": month,
	"year": year, "years": year, "yrs": year,
	"decade": year, "decades": year,
	"day's": day, "week's": week, "month's": month, "year's": year, "days'": day, "weeks'": week,
}

// numbers are the words for numbers. looseNumbers are approximate.
var numbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
	"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
	"sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
	"fifty": 50, "couple": 2,
}

var looseNumbers = map[string]int{"few": 3, "several": 4, "some": 3}

// dayParts are the parts of a day in hours from midnight. Night ends on the next day.
var dayParts = map[string]struct{ from, until int }{
	"morning": {5, 12}, "afternoon": {12, 18}, "evening": {17, 23}, "night": {18, 29}, "lunchtime": {11, 14},
	"noon": {12, 13}, "midday": {12, 13}, "midnight": {24, 25},
}

// tense is the direction in time of the wording around an expression.
type tense int

const (
	unknown tense = iota
	past
	present
	future
)

// tenses are the verbs that decide whether "on Friday" is in the past or the future.
var tenses = map[string]tense{
	"was": past, "were": past, "went": past, "did": past, "had": past, "got": past, "saw": past, "met": past,
	"came": past, "took": past, "made": past, "bought": past, "told": past, "said": past, "gave": past, "ran": past,
	"been": past, "found": past, "lost": past, "won": past, "felt": past, "began": past, "wrote": past,
	"didn't": past, "wasn't": past, "ate": past, "drank": past, "flew": past, "drove": past, "spent": past,
	"left": past, "broke": past, "heard": past, "fell": past, "sold": past, "knew": past, "thought": past,
	"didnt": past, "hadn't": past, "quit": past, "slept": past, "read": past,
	"taught": past, "became": past, "sang": past, "swam": past, "died": past, "sent": past, "brought": past,
	"is": present, "are": present, "am": present, "have": present, "has": present, "i'm": present, "im": present,
	"it's": present, "he's": present, "she's": present, "i've": present, "we've": present, "works": present, "need": present,
	"will": future, "i'll": future, "we'll": future, "she'll": future, "he'll": future, "they'll": future,
	"it'll": future, "you'll": future, "going": future, "gonna": future, "planning": future, "plan": future,
	"plans": future, "must": future, "shall": future, "won't": future, "can": future, "should": future,
	"hope": future, "looking": future, "upcoming": future, "we're": future, "they're": future, "let's": future,
	"starts": future, "scheduled": future, "flying": future, "leaving": future, "due": future, "could": future,
	"coming": future, "see": future, "planned": future, "booked": future, "invited": future,
}

// rescheduling are the verbs for moving something to another time, movesTo the words before that time.
var (
	rescheduling = map[string]bool{
		"moved": true, "move": true, "moving": true, "postponed": true, "postpone": true, "rescheduled": true, "reschedule": true,
		"shifted": true, "shift": true, "pushed": true, "push": true, "changed": true, "change": true, "delayed": true,
		"bumped": true, "switched": true, "brought": true, "put": true,
	}
	movesTo = map[string]bool{"to": true, "until": true, "till": true, "til": true, "for": true}
)

// notPast are words that end like a past tense.
var notPast = map[string]bool{
	"excited": true, "tired": true, "worried": true, "stressed": true, "interested": true, "supposed": true,
	"indeed": true, "married": true, "scared": true, "hundred": true, "bored": true, "speed": true, "based": true,
	"wicked": true, "naked": true, "sacred": true,
}
