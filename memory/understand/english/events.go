package english

// eventLimit is the longest name of a plan, in words.
const eventLimit = 7

// eventLength returns how many words at i may name a plan: up to the verb that tells what happened to it.
func eventLength(c Clause, i int) int {
	if SpokenOf[c.Low(i)] {
		return 1
	}
	n := 0
	for n < eventLimit && i+n < len(c.Words) && !c.Words[i+n].Comma && !endsEvent(c, i+n) {
		n++
	}
	if Function[c.Low(i)] {
		return 0
	}
	return n
}

// endsEvent reports whether the word at i is not part of a plan's name: "doctor's appointment" continues, "the exam's
// moved" does not.
func endsEvent(c Clause, i int) bool {
	w := c.Low(i)
	if w == "'s" {
		return rescheduling[c.Low(i+1)] || Function[c.Low(i+1)]
	}
	return w == "" || Auxiliaries[w] || Adverbs[w] || rescheduling[w] || persons[w] || w == "got" || w == "will"
}

// persons holds the pronouns of people and things.
var persons = Set("i we you he she they it me us him them")

// rescheduling holds the verbs that give a plan another time.
var rescheduling = Set("been moved rescheduled postponed shifted pushed changed delayed bumped switched brought put")

// SpokenOf holds the words for a plan that was named before. Only the conversation tells which plan they mean.
var SpokenOf = Set("it that this me us")

// IsEvent reports whether a word names an event: "interviews".
func IsEvent(w string) bool { return events[w] || events[Singular(w)] }

// events holds the heads of events that people note with only a time: "dentist tomorrow at 9".
var events = lists["events"]
