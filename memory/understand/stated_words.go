package understand

import (
	"slices"
	"strings"
	"unicode"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// The words by which statements are read.

var (
	towns    = english.Set("city town village place municipality")
	places   = english.Set("city town village place municipality country nation state continent region province county island district")
	kinds    = english.Set("city town village place municipality country nation state continent region province county island district sport religion faith language position role field genre profession occupation industry party team instrument discipline denomination")
	situated = english.Set("located based situated headquartered found")
	// lasting are what something is said to be for as long as nothing else is said.
	lasting      = english.Set("located situated headquartered married associated affiliated employed owned educated famous known renowned governed ruled led headed managed coached run chaired represented sponsored hosted trained dedicated twinned")
	made         = english.Set("born founded created written developed performed sung directed produced made built designed composed invented discovered authored published established manufactured painted broadcast recorded formed illustrated started acquired bought")
	stateAdverbs = english.Set("best also originally currently now mostly widely still first")
)

// opening are the words with which a statement is brought up, beside those that lead into any clause.
var opening = english.Set("actually apparently fyi update correction news fact turns out it that heard just")

// withoutLead are the words without what only brings a statement up: "btw, …", "Correction: …", "it turns out that …". The
// first word of a title stays: it has a capital, and no comma behind it.
func withoutLead(text string, words []english.Word) []english.Word {
	for i := 1; i < min(4, len(words)); i++ {
		if text[words[i-1].End] == ':' && (opening[words[0].Low] || english.Leads[words[0].Low]) {
			return words[i:]
		}
	}
	for len(words) > 3 && !words[0].Quoted && (opening[words[0].Low] || english.Leads[words[0].Low]) &&
		(!words[0].Capital || text[words[0].End] == ',' || words[1].Low == "the" || opening[words[1].Low] && !words[1].Capital) {
		words = words[1:]
	}
	return words
}

// withoutTime are the words without a time at their end that says that it holds, or since when.
func withoutTime(words []english.Word) []english.Word {
	n := len(words)
	at := func(i int) string {
		if i < 0 {
			return ""
		}
		return words[i].Low
	}
	if n < 4 {
		return words
	}
	if held := english.ForNow(words); held > 0 {
		return words[:n-held]
	}
	switch {
	case at(n-1) == "today":
		return words[:n-1]
	case at(n-1) == "year" && (at(n-2) == "last" || at(n-2) == "this"):
		return words[:n-2]
	case at(n-2) == "in" && english.IsYear(at(n-1)) && words[n-3].Capital: // "written by Ann Lee in 1965"
		return words[:n-2]
	}
	return words
}

// participle says that a word is built like a participle, or is one that is not.
func participle(w string) bool { return strings.HasSuffix(w, "ed") || made[w] || lasting[w] }

// speaksOfSpeakers says that a sentence is about who speaks or points at what was said before. In a title, beside
// another capital, such a word is part of a name.
func speaksOfSpeakers(c english.Clause) bool {
	for i, w := range c.Words {
		if !pointing[w.Low] {
			continue
		}
		if w.Low == "its" && seated[c.Words[max(i-1, 0)].Low] != "" {
			continue // its own: "Acme has its headquarters in Oslo"
		}
		if w.Low == "who" && i == 2 && c.Words[0].Low == "the" {
			continue // "the person who wrote Dune"
		}
		before, after := i > 0 && c.Words[i-1].Capital, i+1 < len(c.Words) && c.Words[i+1].Capital
		switch {
		case w.Low == "i" && !w.Capital:
			if !before || !after { // "Domènech i Montaner"
				return true
			}
		case w.Low == "i", i == 0:
			if !before && (!after || !w.Capital) {
				return true
			}
		case !w.Capital:
			return true
		}
	}
	return false
}

var pointing = english.Set("i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs this these those there here who what if maybe perhaps probably think guess hope")

// nameable says that the words can be what a statement is about: a name, or a plain noun without grammar in it.
func nameable(c english.Clause, at [2]int) bool {
	if at[0] >= at[1] {
		return false
	}
	if last := c.Words[at[1]-1]; !last.Capital && (english.Adverbs[last.Low] || denying[last.Low]) {
		return false
	}
	if anyCapital(c, at) && (at[0] > 0 || at[1]-at[0] > 1 || !english.Function[c.Words[at[0]].Low]) {
		return !c.Words[at[0]].Comma || at[0] == 0
	}
	if c.Words[at[0]].Low == "the" {
		at[0]++
	}
	for i := at[0]; i < at[1]; i++ {
		joined := c.Words[i].Low == "and" && i > at[0] && i+1 < at[1] // "rhythm and blues"
		if english.Function[c.Words[i].Low] && !joined {
			return false
		}
	}
	return at[0] < at[1] && at[1]-at[0] <= 3
}

// denying are the words that take a statement back.
var denying = english.Set("not never hardly no neither")

// ends says that the words are a value and nothing is said beyond it.
func ends(c english.Clause, from, to int) bool {
	if from >= to || to-from > nameAtMost || !c.Words[from].Capital && denying[c.Words[from].Low] {
		return false
	}
	for i := from; i < to; i++ {
		w := c.Words[i]
		if w.Capital || w.Quoted || w.Low == "am" && i > from && c.Words[i-1].Low != "i" { // "Frankfurt am Main"
			continue
		}
		titled := w.Start > 0 && c.Text[w.Start-1] == '(' && i+1 == to && afterBracket(c, to) // "Hello (song)"
		if english.Auxiliaries[w.Low] || beyond[w.Low] || w.Dash && !titled {
			return false
		}
		if (w.Low == "and" || w.Low == "or") && (i+1 >= to || !c.Words[i+1].Capital) && !(i+2 == to && paired(c, from, i)) {
			return false
		}
	}
	return true
}

// paired says that the words from the first one on are plain nouns, which the "and" at the end joins with one more to
// one thing: "drum and bass".
func paired(c english.Clause, from, end int) bool {
	for i := from; i < end; i++ {
		if c.Words[i].Capital || participle(c.Words[i].Low) || english.Function[c.Words[i].Low] {
			return false
		}
	}
	return from < end && !participle(c.Words[end+1].Low) && !rel.Acts[c.Words[end+1].Low] && !english.Function[c.Words[end+1].Low]
}

// beyond are the words with which a sentence goes on after a value.
var beyond = english.Set("but because so when where which who that while although though since until if what how why then now anymore yesterday today " +
	"tomorrow something nothing anything everything someone everyone nobody anyone being going doing")

// hasUpper says that there is a capital letter in the words: "inXile", "ancient Rome".
func hasUpper(c english.Clause, at [2]int) bool {
	return strings.ContainsFunc(c.Span(at[0], at[1]), unicode.IsUpper)
}

func anyCapital(c english.Clause, at [2]int) bool {
	return slices.ContainsFunc(c.Words[at[0]:at[1]], func(w english.Word) bool { return w.Capital && w.Low != "the" })
}

// allCapital says that the words are a name: its particles may be small.
func allCapital(c english.Clause, at [2]int) bool {
	for i := at[0]; i < at[1]; i++ {
		w := c.Words[i]
		numbered := w.Low[0] >= '0' && w.Low[0] <= '9'
		if !w.Capital && !numbered && !english.NameParticles[w.Low] && w.Low != "of" && w.Low != "the" && !hasUpper(c, [2]int{i, i + 1}) {
			return false
		}
	}
	return at[0] < at[1] && hasUpper(c, [2]int{at[0], at[0] + 1})
}
