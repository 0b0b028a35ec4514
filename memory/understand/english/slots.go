package english

import (
	"slices"
	"strings"
)

// Slots determine the extent of a value. Each kind has rules for the words where a value may begin and must end.

// takers return the most words from i that a slot can take, 0 when a value of its kind cannot begin there. A kind
// that is not listed is a thing.
var takers = map[string]func(c Clause, i int) int{
	"things":    thingsLength,
	"pursuit":   pursuitLength,
	"name":      nameLength,
	"names":     func(c Clause, i int) int { return Listed(c, i, nameLength) },
	"proper":    func(c Clause, i int) int { return NameRun(c, i, 4) },
	"propers":   func(c Clause, i int) int { return Listed(c, i, func(c Clause, i int) int { return NameRun(c, i, 4) }) },
	"self":      selfLength,
	"place":     placeLength,
	"topic":     topicLength,
	"address":   addressLength,
	"job":       jobLength,
	"org":       orgLength,
	"preferred": preferredLength,
	"event":     eventLength,
	"habit":     habitLength,
	"rest":      func(c Clause, i int) int { return len(c.Words) - i },
	"date":      dateLength,
	"year":      func(c Clause, i int) int { return one(IsYear(c.Low(i))) },
	"number":    func(c Clause, i int) int { return one(IsNumber(c.Low(i))) },
	"diet":      func(c Clause, i int) int { return one(diets[c.Low(i)]) },
	"marital":   func(c Clause, i int) int { return one(marital[c.Low(i)]) },
	"trade":     func(c Clause, i int) int { return endingIn(c, i, 0, func(w string) bool { return Trades[w] }) },
	"animals": func(c Clause, i int) int {
		return counted(c, i, func(w string) bool { return Animals[Singular(w)] != "" })
	},
	"relatives": func(c Clause, i int) int {
		return counted(c, i, func(w string) bool { return Roles[Singular(w)].Key != "" })
	},
	"instruments": func(c Clause, i int) int {
		return Listed(c, i, func(c Clause, i int) int { return endingIn(c, i, 0, func(w string) bool { return instruments[w] }) })
	},
	"possession": func(c Clause, i int) int {
		return counted(c, i, func(w string) bool { return possessions[Singular(w)] || makes[w] })
	},
	"owned": func(c Clause, i int) int {
		return one(Counts[c.Low(i)]) * min(ThingLength(c, i), 5)
	},
	"doing": doingLength,
}

// Lists holds the slots whose value may be a list.
var Lists = Set("things pursuit names propers animals relatives possession instruments")

// Takes returns the most words from i that the kind of slot can take.
func Takes(kind string, c Clause, i int) int {
	if i >= len(c.Words) {
		return 0
	}
	if w := c.Words[i]; w.Comma && afterComma[kind] {
		return 0
	}
	if length, ok := takers[kind]; ok {
		return length(c, i)
	}
	return ThingLength(c, i)
}

// afterComma holds the slots that never begin after a comma: "a song that I like: …".
var afterComma = Set("thing things place job org preferred doing")

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Counts holds the words that begin a counted noun.
var Counts = Set("a an any two three four five six seven eight another several some 2 3 4 5 6 7 8")

// counted returns the length of "two old cats": a count, then a noun of the lexicon. It may be a list.
func counted(c Clause, i int, known func(string) bool) int {
	return Listed(c, i, func(c Clause, i int) int {
		if !Counts[c.Low(i)] {
			return 0
		}
		return endingIn(c, i, 1, known)
	})
}

// endingIn returns the length of a phrase of at most four words that ends with a known word, after at least skip
// words.
func endingIn(c Clause, i, skip int, known func(string) bool) int {
	for n := skip; n < 4; n++ {
		w := c.Low(i + n)
		if w == "" || Function[w] || c.Words[i+n].Comma {
			return 0
		}
		if known(w) || known(Singular(w)) {
			return (n + 1) * one(!qualifies(c, i+n))
		}
	}
	return 0
}

// qualifies reports whether the noun at i only describes the next one: "a doctor's appointment", "a dog sitter".
func qualifies(c Clause, i int) bool {
	next := c.Low(i + 1)
	if next == "" || c.Words[i+1].Comma {
		return false
	}
	return next == "'s" || IsEvent(next) || ofKind[next]
}

// ofKind holds things named after a person or a purpose.
var ofKind = Set("shower sitter walker show allergy house food bed toy toys person lover trainer friend friends shirt problem")

// noHabit holds the verbs whose "any more" does not imply an earlier habit.
var noHabit = Set("talk know care think feel want understand believe need remember trust see mind work live hear matter seem exist")

// habitLength is ThingLength for habits.
func habitLength(c Clause, i int) int {
	if noHabit[c.Low(i)] {
		return 0
	}
	return ThingLength(c, i)
}

// doingLength returns the length of an activity without the time when it ended: "smoking two years ago".
func doingLength(c Clause, i int) int {
	if !strings.HasSuffix(c.Low(i), "ing") {
		return 0
	}
	n := reach(c, i, false)
	for k := 1; k < n; k++ {
		if c.Low(i+k) == "last" || c.Low(i+k+2) == "ago" {
			return k
		}
	}
	return n
}

// Listed returns the length of items joined by commas and "and".
func Listed(c Clause, i int, item func(Clause, int) int) int {
	n := item(c, i)
	for n > 0 {
		j := i + n
		if c.Low(j) == "and" {
			j++
		} else if j >= len(c.Words) || !c.Words[j].Comma {
			break
		}
		more := 0
		if j < len(c.Words) {
			more = item(c, j)
		}
		if more == 0 {
			break
		}
		n = j + more - i
	}
	return n
}

// selfLength returns the length of a name after "I'm". It must be written like a name and end there.
func selfLength(c Clause, i int) int {
	n := NameRun(c, i, 3)
	if n > 0 && !closesName(c, i+n) {
		return 0
	}
	return n
}

// orgLength returns the length of an employer at i: a name, or a description ("a small bank").
func orgLength(c Clause, i int) int {
	if n := placeName(c, i); n > 0 {
		return n
	}
	switch c.Low(i) {
	case "a", "an", "the":
		if n := jobLength(c, i); n > 1 && n <= 4 {
			return n
		}
	}
	return 0
}

// preferredLength returns the length of a thing up to the less preferred one.
func preferredLength(c Clause, i int) int {
	n := ThingLength(c, i)
	for k := 1; k < n; k++ {
		if w := c.Low(i + k); w == "to" || w == "over" || w == "rather" {
			return k
		}
	}
	if c.Low(i) == "to" || n > 6 {
		return 0
	}
	return n
}

// placeName returns the length of the name of a place or an employer, which may contain a person's name: "King's
// Lynn", "St. Mary's".
func placeName(c Clause, i int) int {
	n := NameRun(c, i, 4)
	if n == 0 || c.Low(i+n) != "'s" {
		return n
	}
	if more := NameRun(c, i+n+1, 3); more > 0 {
		return n + 1 + more
	}
	if next := i + n + 1; next == len(c.Words) || c.Words[next].Comma || afterPlace[c.Low(next)] || afterName[c.Low(next)] {
		return n + 1
	}
	return n
}

// noPlace holds the words after "live in" that are not places.
var noPlace = Set("fear hope denial peace harmony hell chaos misery sin luxury poverty pain silence love constant town" +
	" pyjamas pajamas jeans reality shame terror bed hiding case trouble charge touch general particular work home school abroad here there")

// placeLeads holds words that begin the names of places and are ordinary words elsewhere.
var placeLeads = Set("new north south east west upper lower")

// afterPlace holds the words that end a place.
var afterPlace = Set("with because but and so since for now near at on right which where as again by when anymore these currently " +
	"actually btw though too lol until till from to tomorrow today yesterday next last this in if while or who that i we my before after " +
	"permanently temporarily all already alone forever years year")

// placeLength returns how many words a place at i has.
func placeLength(c Clause, i int) int {
	if c.Words[i].Capital {
		return placeName(c, i)
	}
	if c.Low(i) == "the" {
		if n := NameRun(c, i+1, 3); n > 0 {
			return n + 1
		}
		if w := c.Low(i + 1); w == "us" || w == "uk" || w == "usa" || w == "netherlands" || w == "philippines" {
			return 2
		}
		return 0
	}
	w := c.Low(i)
	if noPlace[w] || afterPlace[w] || !NameWord(w) && !(placeLeads[w] && NameWord(c.Low(i+1))) {
		return caseless(c, i)
	}
	n := 1
	for n < 4 && i+n < len(c.Words) && !c.Words[i+n].Comma && !afterPlace[c.Low(i+n)] && NameWord(c.Low(i+n)) {
		n++
	}
	if n == 4 {
		return 0
	}
	return n
}

// afterThing holds the words that end a thing.
var afterThing = Set("because but so since which where though although while if unless anymore btw lol haha when whenever whereas any")

// trailing holds the words that a thing does not end with.
var trailing = Set("too also though anyway much most very really now then today lot a so more best again lately well all and or " +
	"please haha currently right still at in on to than the actually with of either especially tho maybe only is are was as")

// Pronouns holds the values that name nothing without context.
var Pronouns = Set("it that this you him her them me us he she they we i what how when where who these those here there everything " +
	"something nothing anything one myself yourself not to being going doing someone everyone nobody")

// ThingLength returns the length of a noun phrase or an activity at i: to the end of the clause, without filler.
func ThingLength(c Clause, i int) int {
	if Pronouns[c.Low(i)] || Auxiliaries[c.Low(i)] {
		return 0
	}
	return reach(c, i, false)
}

// reach returns how many words from i can be one phrase or one list of phrases.
func reach(c Clause, i int, list bool) int {
	n := 0
	for n < 12 && i+n < len(c.Words) && !afterThing[c.Low(i+n)] && (n == 0 || !c.Words[i+n].Dash && (list || !c.Words[i+n].Comma)) {
		n++
	}
	return Trim(c, i, n)
}

// thingsLimit is the longest accepted list of tastes in words. Longer ones are stories.
const thingsLimit = 9

// thingsLength is ThingLength for a list: commas do not end it.
func thingsLength(c Clause, i int) int {
	if Pronouns[c.Low(i)] || Auxiliaries[c.Low(i)] {
		return 0
	}
	n := reach(c, i, true)
	if n > thingsLimit {
		return 0
	}
	return n
}

// pursuitLength is thingsLength for a pastime after "get into": not "an accident" or "trouble".
func pursuitLength(c Clause, i int) int {
	if w := c.Low(i); Determiners[w] || noPlace[w] || w == "bed" || w == "fights" || w == "college" {
		return 0
	}
	return thingsLength(c, i)
}

// Trim removes from n words at i the filler at their end and phrases like "for now".
func Trim(c Clause, i, n int) int {
	for n > 0 {
		held := ForNow(c.Words[i : i+n])
		switch {
		case held > 0 && held < n:
			n -= held
		case trailing[c.Low(i+n-1)]:
			n--
		default:
			return n
		}
	}
	return n
}

// whileItHolds lists the phrases that mark something as true for the moment.
var whileItHolds = [...][]string{
	{"now"}, {"nowadays"}, {"currently"}, {"these", "days"}, {"for", "now"}, {"at", "present"}, {"at", "the", "moment"}, {"at", "the", "minute"},
}

// ForNow returns how many words at the end mark something as true for the moment. A name does not count.
func ForNow(words []Word) int {
	for _, said := range whileItHolds {
		n := len(words) - len(said)
		if n >= 0 && !words[n].Capital && slices.EqualFunc(words[n:], said, func(w Word, s string) bool { return w.Low == s }) {
			return len(said)
		}
	}
	return 0
}

// topicLength returns the most words that the subject of a sentence about the world may take.
func topicLength(c Clause, i int) int {
	if w := c.Low(i); w != "the" && (Function[w] && !c.Words[i].Capital || Pronouns[w] || w == "my" || w == "your") {
		return 0
	}
	return min(len(c.Words)-i, 12)
}

// notAddress holds the words after "call me" that are not a form of address.
var notAddress = Set("later tomorrow when back crazy a an if on at maybe now tonight soon stupid after before in to from again " +
	"anytime names out up asap today old-fashioned weird mad this next what whatever it that instead during whenever once by for " +
	"and but or so sometime please then")

// addressLength returns how many words a form of address at i has.
func addressLength(c Clause, i int) int {
	if c.Words[i].Quoted {
		return QuotedRun(c, i)
	}
	if n := NameRun(c, i, 4); n > 0 {
		return n
	}
	w := c.Low(i)
	if notAddress[w] || Function[w] && w != "the" && w != "dear" && w != "my" {
		return 0
	}
	n := 1
	for n < 4 && i+n < len(c.Words) && !c.Words[i+n].Comma && !notAddress[c.Low(i+n)] && !afterName[c.Low(i+n)] &&
		!trailing[c.Low(i+n)] && (!Function[c.Low(i+n)] || c.Low(i+n) == "of") {
		n++
	}
	if w == "the" && n == 1 {
		return 0
	}
	return n
}

// afterJob holds the words that end a job.
var afterJob = Set("in at for with and but because so since who which where by on from now right these when")

// jobLength returns how many words a job at i has.
func jobLength(c Clause, i int) int {
	if Pronouns[c.Low(i)] {
		return 0
	}
	n := 0
	for n < 5 && i+n < len(c.Words) && !c.Words[i+n].Comma && !afterJob[c.Low(i+n)] {
		n++
	}
	return Trim(c, i, n)
}

// IsNumber reports whether a word is a number of at most four digits.
func IsNumber(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' && len(w) <= 4 }

// IsYear reports whether a word is a year that a living person may have been born in.
func IsYear(w string) bool {
	return len(w) == 4 && IsNumber(w) && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20"))
}

// dateLength returns the length of a calendar date at i, with its month and, if given, its year.
func dateLength(c Clause, i int) int {
	n, month, day := 0, false, false
	for n < 5 {
		w := c.Low(i + n)
		if !Months[w] && !IsNumber(w) && (n == 0 || w != "of") {
			break
		}
		month, day = month || Months[w], day || IsNumber(w)
		n++
	}
	return n * one(month && day)
}
