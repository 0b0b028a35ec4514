package claim

import "unicode"

// Names: what may be one, written with capitals or without.

// nameParticles stand inside names in lower case.
var nameParticles = set("de da di del della van von der den la le bin ibn al el dos du of the")

// properNoun says that the word at i is written as a name is.
func properNoun(c clause, i int) bool {
	if i < 0 || i >= len(c.words) {
		return false
	}
	w := c.words[i]
	return w.capital && !function[w.low] && !calendarWords[w.low] && !notNames[w.low]
}

// nameRun is how many words from i form a name written with capitals, at most limit.
func nameRun(c clause, i, limit int) int {
	if !properNoun(c, i) {
		return 0
	}
	n := 1
	for n < limit && i+n < len(c.words) && !c.words[i+n].comma {
		switch {
		case properNoun(c, i+n):
			n++
		case nameParticles[c.low(i+n)] && n+2 <= limit && properNoun(c, i+n+1):
			n += 2
		case nameParticles[c.low(i+n)] && nameParticles[c.low(i+n+1)] && n+3 <= limit && properNoun(c, i+n+2):
			n += 3
		default:
			return n
		}
	}
	return n
}

// afterName are the words that may follow a name typed in lower case.
var afterName = set("and but by from so i btw lol haha nice not or pleased who he she it we because now")

// nameLength is how many words a name at i has. One typed in lower case is believed only where the clause ends with
// it or a word follows that cannot belong to it.
func nameLength(c clause, i int) int {
	if n := nameRun(c, i, 4); n > 0 {
		return n
	}
	w := c.words[i]
	if w.quoted {
		return quotedRun(c, i)
	}
	if w.capital && !function[w.low] && closesName(c, i+1) {
		return 1
	}
	if w.capital || !nameWord(w.low) {
		return caseless(c, i)
	}
	switch {
	case closesName(c, i+1):
		return 1
	case nameWord(c.low(i+1)) && closesName(c, i+2):
		return 2
	}
	return 0
}

// caseless is 1 for a word of a script without capitals, which may be a name whatever stands around it.
func caseless(c clause, i int) int {
	for _, r := range c.text[c.words[i].start:c.words[i].end] {
		if unicode.IsLetter(r) && !unicode.IsLower(r) && !unicode.IsUpper(r) {
			return 1
		}
	}
	return 0
}

func closesName(c clause, i int) bool {
	return i >= len(c.words) || c.words[i].comma || afterName[c.low(i)]
}

// nameWord says that a lower-case word could be a name.
func nameWord(low string) bool {
	return len(low) > 1 && !function[low] && !notNames[low] && !calendarWords[low] && (low[0] < '0' || low[0] > '9') &&
		animals[low] == "" && roles[low].key == ""
}

// quotedRun is how many quoted words stand from i, when they are few enough to be a value.
func quotedRun(c clause, i int) int {
	n := 0
	for i+n < len(c.words) && c.words[i+n].quoted {
		n++
	}
	if n > 6 {
		return 0
	}
	return n
}
