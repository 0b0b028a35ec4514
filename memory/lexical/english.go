package lexical

import (
	"github.com/blevesearch/snowballstem"
	stemmer "github.com/blevesearch/snowballstem/english"
)

// English reads English with the Snowball (Porter2) stemmer. Words of languages that are not read pass through it
// unharmed: they are folded, and stemmed as if they were English, the same in a memory as in a question.
var English = &Language{
	tag: "en",
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
}

// stemEnglish stems the folded word: English accents are ornaments that not everybody writes.
func stemEnglish(w word) string {
	env := snowballstem.NewEnv(w.folded)
	stemmer.Stem(env)
	return env.Current()
}
