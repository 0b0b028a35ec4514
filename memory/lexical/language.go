package lexical

import (
	"strings"
)

// Language is what reading a text for recall must know of its language. It is a value: another language is another
// Language, and nothing else changes.
type Language struct {
	// stop are the words that carry grammar rather than content; they are neither indexed nor asked for.
	stop map[string]bool
	// stem takes a folded word to the form its inflections share.
	stem func(string) string
	// times are words that place something in time, numbers those that count; digits always count.
	times, numbers map[string]bool
	// asksWhen and asksHowMany open or contain questions after a time or a number, as folded words.
	asksWhen, asksHowMany [][]string
	// first are the words with which a speaker means themselves.
	first map[string]bool
	// asksWho open questions whose answer is a name. asksWhat does when a noun follows, which verbs are not. Both are
	// nil for a language whose names cannot be told by their capitals.
	asksWho, asksWhat, verbs map[string]bool
}

// English reads English with the Snowball (Porter2) stemmer. Words of other languages pass through it unharmed:
// they are folded, and stemmed as if they were English, the same in a memory as in a question.
var English = &Language{
	stop: set(`a about after all also am an and any are as at be because been before being but by can could d did do
		does doing don down else ever for from further get got had has have having he her here hers him his how i if
		in into is it its itself just let ll m me might more most much must my no nor not now of off on once only or
		other our out over own re s same shall she should so some such t than that the their them then there these
		they this those through to too up us ve very was we were what when where which while who whom whose why will
		with would yeah yes you your`),
	stem: stemEnglish,
	times: set(`yesterday today tonight tomorrow ago last next week weekend month year day days weeks months years
		monday tuesday wednesday thursday friday saturday sunday recently morning evening night since birthday january
		february march april may june july august september october november december summer winter spring fall
		autumn soon earlier`),
	numbers: set(`one two three four five six seven eight nine ten eleven twelve dozen couple few several hundred
		thousand once twice first second third`),
	asksWhen: phrases("when", "what date", "which date", "what day", "which day", "what month", "which month",
		"what year", "which year", "what time", "how long"),
	asksHowMany: phrases("how many", "how much", "how old", "how long", "how often", "how far", "how big", "how tall"),
	first:       set(`i me my mine myself`),
	asksWho:     set(`who whom whose which where`),
	asksWhat:    set(`what`),
	verbs: set(`s is are was were do does did has have had will would can could shall should may might must about kind
		kinds type types sort sorts`),
}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

func phrases(all ...string) [][]string {
	split := make([][]string, len(all))
	for i, p := range all {
		split[i] = strings.Fields(p)
	}
	return split
}

// Terms are the content terms of text in order, stemmed, without stop words. It is what an index keeps of a text.
func (l *Language) Terms(text string) []string {
	var terms []string
	for w := range Words(text) {
		if !l.stop[w] {
			terms = append(terms, l.stem(w))
		}
	}
	return terms
}

// counts says that word is a number.
func (l *Language) counts(word string) bool {
	return word[0] >= '0' && word[0] <= '9' || l.numbers[word]
}

// asks says that one of the phrases stands in words.
func asks(words []string, phrases [][]string) bool {
	for i := range words {
		for _, p := range phrases {
			if hasAt(words, i, p) {
				return true
			}
		}
	}
	return false
}

func hasAt(words []string, at int, phrase []string) bool {
	if at+len(phrase) > len(words) {
		return false
	}
	for i, w := range phrase {
		if words[at+i] != w {
			return false
		}
	}
	return true
}
