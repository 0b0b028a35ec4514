package claim

import (
	"slices"
	"strings"
	"unicode"
)

// The words by which statements are read.

var (
	towns    = set("city town village place municipality")
	places   = set("city town village place municipality country nation state continent region province county island district")
	kinds    = set("city town village place municipality country nation state continent region province county island district sport religion faith language position role field genre profession occupation industry party team instrument discipline denomination")
	situated = set("located based situated headquartered found")
	// lasting are what something is said to be for as long as nothing else is said.
	lasting      = set("located situated headquartered married associated affiliated employed owned educated famous known renowned governed ruled led headed managed coached run chaired represented sponsored hosted trained dedicated twinned")
	made         = set("born founded created written developed performed sung directed produced made built designed composed invented discovered authored published established manufactured painted broadcast recorded formed illustrated started acquired bought")
	stateAdverbs = set("best also originally currently now mostly widely still first")
)

// opening are the words with which a statement is brought up, beside those that lead into any clause.
var opening = set("actually apparently fyi update correction news fact turns out it that heard just")

// withoutLead are the words without what only brings a statement up: "btw, …", "Correction: …", "it turns out that …". The
// first word of a title stays: it has a capital, and no comma behind it.
func withoutLead(text string, words []word) []word {
	for i := 1; i < min(4, len(words)); i++ {
		if text[words[i-1].end] == ':' && (opening[words[0].low] || leads[words[0].low]) {
			return words[i:]
		}
	}
	for len(words) > 3 && !words[0].quoted && (opening[words[0].low] || leads[words[0].low]) &&
		(!words[0].capital || text[words[0].end] == ',' || words[1].low == "the" || opening[words[1].low] && !words[1].capital) {
		words = words[1:]
	}
	return words
}

// withoutTime are the words without a time at their end that says that it holds, or since when.
func withoutTime(words []word) []word {
	n := len(words)
	at := func(i int) string {
		if i < 0 {
			return ""
		}
		return words[i].low
	}
	if n < 4 {
		return words
	}
	if held := forNow(words); held > 0 {
		return words[:n-held]
	}
	switch {
	case at(n-1) == "today":
		return words[:n-1]
	case at(n-1) == "year" && (at(n-2) == "last" || at(n-2) == "this"):
		return words[:n-2]
	case at(n-2) == "in" && isYear(at(n-1)) && words[n-3].capital: // "written by Ann Lee in 1965"
		return words[:n-2]
	}
	return words
}

// participle says that a word is built like a participle, or is one that is not.
func participle(w string) bool { return strings.HasSuffix(w, "ed") || made[w] || lasting[w] }

// speaksOfSpeakers says that a sentence is about who speaks or points at what was said before. In a title, beside
// another capital, such a word is part of a name.
func speaksOfSpeakers(c clause) bool {
	for i, w := range c.words {
		if !pointing[w.low] {
			continue
		}
		if w.low == "its" && seated[c.words[max(i-1, 0)].low] != "" {
			continue // its own: "Acme has its headquarters in Oslo"
		}
		if w.low == "who" && i == 2 && c.words[0].low == "the" {
			continue // "the person who wrote Dune"
		}
		before, after := i > 0 && c.words[i-1].capital, i+1 < len(c.words) && c.words[i+1].capital
		switch {
		case w.low == "i" && !w.capital:
			if !before || !after { // "Domènech i Montaner"
				return true
			}
		case w.low == "i", i == 0:
			if !before && (!after || !w.capital) {
				return true
			}
		case !w.capital:
			return true
		}
	}
	return false
}

var pointing = set("i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs this these those there here who what if maybe perhaps probably think guess hope")

// nameable says that the words can be what a statement is about: a name, or a plain noun without grammar in it.
func nameable(c clause, at [2]int) bool {
	if at[0] >= at[1] {
		return false
	}
	if last := c.words[at[1]-1]; !last.capital && (adverbs[last.low] || denying[last.low]) {
		return false
	}
	if anyCapital(c, at) && (at[0] > 0 || at[1]-at[0] > 1 || !function[c.words[at[0]].low]) {
		return !c.words[at[0]].comma || at[0] == 0
	}
	if c.words[at[0]].low == "the" {
		at[0]++
	}
	for i := at[0]; i < at[1]; i++ {
		joined := c.words[i].low == "and" && i > at[0] && i+1 < at[1] // "rhythm and blues"
		if function[c.words[i].low] && !joined {
			return false
		}
	}
	return at[0] < at[1] && at[1]-at[0] <= 3
}

// denying are the words that take a statement back.
var denying = set("not never hardly no neither")

// ends says that the words are a value and nothing is said beyond it.
func ends(c clause, from, to int) bool {
	if from >= to || to-from > nameAtMost || !c.words[from].capital && denying[c.words[from].low] {
		return false
	}
	for i := from; i < to; i++ {
		w := c.words[i]
		if w.capital || w.quoted || w.low == "am" && i > from && c.words[i-1].low != "i" { // "Frankfurt am Main"
			continue
		}
		titled := w.start > 0 && c.text[w.start-1] == '(' && i+1 == to && afterBracket(c, to) // "Hello (song)"
		if auxiliaries[w.low] || beyond[w.low] || w.dash && !titled {
			return false
		}
		if (w.low == "and" || w.low == "or") && (i+1 >= to || !c.words[i+1].capital) && !(i+2 == to && paired(c, from, i)) {
			return false
		}
	}
	return true
}

// paired says that the words from the first one on are plain nouns, which the "and" at the end joins with one more to
// one thing: "drum and bass".
func paired(c clause, from, end int) bool {
	for i := from; i < end; i++ {
		if c.words[i].capital || participle(c.words[i].low) || function[c.words[i].low] {
			return false
		}
	}
	return from < end && !participle(c.words[end+1].low) && !acts[c.words[end+1].low] && !function[c.words[end+1].low]
}

// beyond are the words with which a sentence goes on after a value.
var beyond = set("but because so when where which who that while although though since until if what how why then now anymore yesterday today " +
	"tomorrow something nothing anything everything someone everyone nobody anyone being going doing")

// hasUpper says that there is a capital letter in the words: "inXile", "ancient Rome".
func hasUpper(c clause, at [2]int) bool {
	return strings.ContainsFunc(c.span(at[0], at[1]), unicode.IsUpper)
}

func anyCapital(c clause, at [2]int) bool {
	return slices.ContainsFunc(c.words[at[0]:at[1]], func(w word) bool { return w.capital && w.low != "the" })
}

// allCapital says that the words are a name: its particles may be small.
func allCapital(c clause, at [2]int) bool {
	for i := at[0]; i < at[1]; i++ {
		w := c.words[i]
		numbered := w.low[0] >= '0' && w.low[0] <= '9'
		if !w.capital && !numbered && !nameParticles[w.low] && w.low != "of" && w.low != "the" && !hasUpper(c, [2]int{i, i + 1}) {
			return false
		}
	}
	return at[0] < at[1] && hasUpper(c, [2]int{at[0], at[0] + 1})
}
