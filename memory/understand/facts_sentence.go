package understand

import (
	"unicode/utf8"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/when"
)

// What the sentence around a fact says of it.

// sentenceAt returns the sentence that has the byte, and false if none has.
func sentenceAt(sentences []english.Sentence, at int) (english.Sentence, bool) {
	for _, s := range sentences {
		if start, end := bounds(s); start <= at && at < end {
			return s, true
		}
	}
	return english.Sentence{}, false
}

// extent returns where the sentence of the fact begins and ends, in bytes: the fact's own bounds if it goes beyond the sentence.
func (l *learner) extent(f *reader.Fact) (start, end int) {
	if s, ok := sentenceAt(l.sentences, f.Start); ok {
		if start, end := bounds(s); f.End <= end {
			return start, end
		}
	}
	return f.Start, f.End
}

// sentenceOf returns the sentence of the fact, as its quote.
func (l *learner) sentenceOf(f *reader.Fact) string { return l.text(l.extent(f)) }

// spanOf returns the time that the fact's sentence names, nil for none.
func (l *learner) spanOf(f *reader.Fact) *when.Span {
	start, end := l.extent(f)
	return l.spanIn(start, end, nil)
}

// asks reports whether the fact is in a sentence that asks for what was told: "is my sister called Ana?".
func (l *learner) asks(f *reader.Fact) bool {
	_, asks := sentenceAt(l.asked, f.Start)
	return asks
}

// reported reports whether the fact is supposed or somebody else's word.
func (l *learner) reported(f *reader.Fact) bool {
	s, ok := sentenceAt(l.sentences, f.Start)
	return ok && f.Relation != "wish" && f.Start >= believable(s)
}

// ended reports whether the fact's sentence says that it held before: "any more", "no longer".
func (l *learner) ended(f *reader.Fact) bool {
	s, _ := sentenceAt(l.sentences, f.Start)
	for i, w := range s.Words {
		if w.Low == "anymore" || i > 0 && (w.Low == "more" || w.Low == "longer") && (s.Words[i-1].Low == "any" || s.Words[i-1].Low == "no") {
			return true
		}
	}
	return false
}

// yoursWithin is how many bytes before a value "your" tells that it is about the persona.
const yoursWithin = 16

var yours = english.Set("your you")

// ofPersona reports whether the fact is about the persona.
func (l *learner) ofPersona(f *reader.Fact) bool {
	for _, s := range l.sentences {
		for _, w := range s.Words {
			if w.Start < f.Start && f.Start-w.Start < yoursWithin && yours[w.Low] {
				return true
			}
		}
	}
	return false
}

// residence holds the words that tell where somebody lives.
var residence = english.Set("live lives lived living move moves moved moving relocated reside resides residing settled stay stays staying based home house flat " +
	"apartment place address rent renting")

// ofMeeting reports whether the fact's place is where the speaker did something with somebody who is named before it: "I saw
// Ann in Oslo". Whoever tells where they live says so besides: "I live with Ann in Oslo".
func (l *learner) ofMeeting(f *reader.Fact) bool {
	s, _ := sentenceAt(l.sentences, f.Start)
	c := english.Clause{Text: l.u.Text, Words: s.Words}
	named := false
	for i, w := range s.Words {
		if residence[w.Low] {
			return false
		}
		named = named || i > 1 && w.End < f.Start && english.ProperNoun(c, i)
	}
	return named && (c.Low(0) == "i" || c.Low(0) == "we")
}

// withinWord reports whether the fact's value is the end of a longer word, like the digits of an account's name.
func (l *learner) withinWord(f *reader.Fact) bool {
	r, _ := utf8.DecodeLastRuneInString(l.u.Text[:f.Start])
	return f.Start > 0 && english.IsWord(r)
}
