package english

import (
	"slices"
	"strings"
)

// Slots determine the extent of a value. Each kind has rules for the words where a value may begin and must end.

// takers return the most words from i that a slot can take, 0 when a value of its kind cannot begin there.
var takers = map[string]func(c Clause, i int) int{
	"name":    nameLength,
	"proper":  func(c Clause, i int) int { return NameRun(c, i, 4) },
	"address": addressLength,
	"rest":    func(c Clause, i int) int { return len(c.Words) - i },
}

// Takes returns the most words from i that the kind of slot can take.
func Takes(kind string, c Clause, i int) int {
	if i >= len(c.Words) {
		return 0
	}
	return takers[kind](c, i)
}

// Counts holds the words that begin a counted noun.
var Counts = Set("a an any two three four five six seven eight another several some 2 3 4 5 6 7 8")

// trailing holds the words that a thing does not end with.
var trailing = Set("too also though anyway much most very really now then today lot a so more best again lately well all and or " +
	"please haha currently right still at in on to than the actually with of either especially tho maybe only is are was as")

// Pronouns holds the values that name nothing without context.
var Pronouns = Set("it that this you him her them me us he she they we i what how when where who these those here there everything " +
	"something nothing anything one myself yourself not to being going doing someone everyone nobody")

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

// IsNumber reports whether a word is a number of at most four digits.
func IsNumber(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' && len(w) <= 4 }

// IsYear reports whether a word is a year that a living person may have been born in.
func IsYear(w string) bool {
	return len(w) == 4 && IsNumber(w) && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20"))
}
