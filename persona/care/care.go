package care

import (
	"familiar/internal/phrase"
	"familiar/internal/recent"
)

// Danger is the kind of danger that somebody is in.
type Danger string

// The dangers.
const (
	None Danger = ""
	// Self is to harm oneself, or to end one's life.
	Self Danger = "self"
	// Harm is to be harmed by somebody else.
	Harm Danger = "harm"
	// Need is to have nothing to eat, or nowhere to stay.
	Need Danger = "need"
	// Other is that somebody else is in danger.
	Other Danger = "other"
)

// dangers are all dangers, the most pressing first: where several are read, the first counts.
var dangers = []Danger{Self, Harm, Other, Need}

// Signal is what the rules read in a message.
type Signal struct {
	// Danger is what the message surely speaks of, None if of nothing.
	Danger Danger
	// Language is the tag of the language it is said in.
	Language string
	// Maybe reports that it may speak of danger, which the rules cannot tell.
	Maybe bool
}

// wordLimit is how many words of a message are read.
const wordLimit = 400

// Read returns what the rules read in a message.
var Read = recent.Texts(1000, 2000, read)

func read(said string) (found Signal) {
	words := phrase.Words(said, wordLimit)
	r := readers()
	r.spaced.Each(words, func(m meaning, from, to int) bool {
		switch {
		case m.danger == None, m.tongue.doubts(words, m.danger, from, to), r.relatedDoubts(m, words, from, to):
			found.Maybe = true
		default:
			found.take(m.danger, m.tongue.tag)
		}
		return found.Danger != dangers[0]
	})
	if found.Danger == None {
		for _, t := range r.spaceless {
			t.readSpaceless(said, &found)
		}
	}
	return found
}

// take takes a danger that is more pressing than the one found so far.
func (s *Signal) take(d Danger, tag string) {
	for _, first := range dangers {
		switch first {
		case s.Danger:
			return
		case d:
			s.Danger, s.Language = d, tag
			return
		}
	}
}

// doubts reports whether the words before from to before to are negated, quoted, a figure of speech or a story.
func (t *tongue) doubts(words []phrase.Word, d Danger, from, to int) bool {
	if words[from].Quoted || t.negated(words, from) {
		return true
	}
	first, end := sentence(words, from, to)
	said := words[first:end]
	return (t.unless.Has(said) || t.unlessOf[d] != nil && t.unlessOf[d].Has(said)) && !t.grave.Has(said)
}

// relatedDoubts reports whether a language close to that of the pattern doubts it.
func (r *reading) relatedDoubts(m meaning, words []phrase.Word, from, to int) bool {
	t := r.byTag[m.tongue.related]
	return t != nil && t.doubts(words, m.danger, from, to)
}

// negationReach is how far before a phrase its negation stands, in words.
const negationReach = 4

// negated reports whether the words from word i on are negated.
func (t *tongue) negated(words []phrase.Word, i int) bool {
	for n := 1; n <= negationReach && n <= i && !words[i-n+1].Breaks; n++ {
		w := words[i-n].Text
		if t.not[w] {
			return true
		}
		if !t.through[w] {
			return false
		}
	}
	return false
}

// sentence returns the bounds of the sentence around the words.
func sentence(words []phrase.Word, from, to int) (first, end int) {
	for from > 0 && !words[from].Breaks {
		from--
	}
	for to < len(words) && !words[to].Breaks {
		to++
	}
	return from, to
}
