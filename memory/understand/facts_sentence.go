package understand

import (
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
