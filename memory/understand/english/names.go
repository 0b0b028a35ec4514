package english

import "unicode"

// Which words may be a name, with or without capitals.

// NameParticles holds the lower-case words inside names.
var NameParticles = Set("de da di del della van von der den la le bin ibn al el dos du of the")

// ProperNoun reports whether the word at i is written like a name.
func ProperNoun(c Clause, i int) bool {
	if i < 0 || i >= len(c.Words) {
		return false
	}
	w := c.Words[i]
	return w.Capital && !Function[w.Low] && !calendarWords[w.Low] && !notNames[w.Low]
}

// NameRun returns how many words from i form a name written with capitals, at most limit.
func NameRun(c Clause, i, limit int) int {
	if !ProperNoun(c, i) {
		return 0
	}
	n := 1
	for n < limit && i+n < len(c.Words) && !c.Words[i+n].Comma {
		switch {
		case ProperNoun(c, i+n):
			n++
		case NameParticles[c.Low(i+n)] && n+2 <= limit && ProperNoun(c, i+n+1):
			n += 2
		case NameParticles[c.Low(i+n)] && NameParticles[c.Low(i+n+1)] && n+3 <= limit && ProperNoun(c, i+n+2):
			n += 3
		default:
			return n
		}
	}
	return n
}

// afterName holds the words that may follow a name typed in lower case.
var afterName = Set("and but by from so i btw lol haha nice not or pleased who he she it we because now")

// nameLength returns how many words a name at i has. A name typed in lower case counts only at the end of the clause
// or before a word that cannot belong to it.
func nameLength(c Clause, i int) int {
	if n := NameRun(c, i, 4); n > 0 {
		return n
	}
	w := c.Words[i]
	if w.Quoted {
		return QuotedRun(c, i)
	}
	if w.Capital && !Function[w.Low] && closesName(c, i+1) {
		return 1
	}
	if w.Capital || !NameWord(w.Low) {
		return caseless(c, i)
	}
	switch {
	case closesName(c, i+1):
		return 1
	case NameWord(c.Low(i+1)) && closesName(c, i+2):
		return 2
	}
	return 0
}

// caseless returns 1 for a word of a script without capitals, which may be a name in any context.
func caseless(c Clause, i int) int {
	for _, r := range c.Text[c.Words[i].Start:c.Words[i].End] {
		if unicode.IsLetter(r) && !unicode.IsLower(r) && !unicode.IsUpper(r) {
			return 1
		}
	}
	return 0
}

func closesName(c Clause, i int) bool {
	return i >= len(c.Words) || c.Words[i].Comma || afterName[c.Low(i)]
}

// NameWord reports whether a lower-case word could be a name.
func NameWord(low string) bool {
	return len(low) > 1 && !Function[low] && !notNames[low] && !calendarWords[low] && (low[0] < '0' || low[0] > '9') &&
		Animals[low] == "" && Roles[low].Key == ""
}

// QuotedRun returns how many quoted words start at i, 0 when they are too many for a value.
func QuotedRun(c Clause, i int) int {
	n := 0
	for i+n < len(c.Words) && c.Words[i+n].Quoted {
		n++
	}
	if n > 6 {
		return 0
	}
	return n
}
