package request

import "strings"

// firstWords are the words with which a sentence can begin, so that most sentences need not be compared with a message.
type firstWords struct {
	words map[string]bool
	// any reports that it can begin with any word.
	any bool
}

// firstWords returns the words with which a pattern can begin.
func (g *grammar) firstWords(pattern string) firstWords {
	f := firstWords{words: map[string]bool{}}
	g.first(pattern, &f)
	return f
}

// byFirstWord returns the sentences by the words with which they can begin, and those that can begin with any, all in their
// order.
func byFirstWord(all []sentence, begin []firstWords) (by map[string][]sentence, others []sentence) {
	by = map[string][]sentence{}
	for i, s := range all {
		if begin[i].any {
			others = append(others, s)
		}
		for word := range begin[i].words {
			by[word] = nil
		}
	}
	for word := range by {
		for i, s := range all {
			if begin[i].any || begin[i].words[word] {
				by[word] = append(by[word], s)
			}
		}
	}
	return by, others
}

// first adds the words with which a pattern can begin to f. It reports whether the pattern may also be nothing. The pattern
// was read before, so its classes are known.
func (g *grammar) first(pattern string, f *firstWords) (empty bool) {
	for field := range strings.FieldsSeq(pattern) {
		if field == "<" || field == ">" {
			continue
		}
		name := strings.TrimRight(field, "?*")
		if empty := g.firstOf(name, f); !empty && name == field {
			return false
		}
	}
	return true
}

// firstOf is first for one element.
func (g *grammar) firstOf(element string, f *firstWords) (empty bool) {
	for word := range strings.SplitSeq(element, "|") {
		switch name, isClass := strings.CutPrefix(word, "$"); {
		case word == "$any", word == "$number":
			f.any = true
		case isClass:
			for alternative := range strings.SplitSeq(g.classes[name], ", ") {
				empty = g.first(alternative, f) || empty
			}
		default:
			f.words[word] = true
		}
	}
	return empty
}
