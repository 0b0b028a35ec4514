package recall

import (
	"familiar/memory/concept"
	"familiar/memory/lexical"
)

// conceptsOf returns what reads the everyday concepts of a language by its tag, nil if there is no lexicon of it.
func conceptsOf(tag string) lexical.Concepts {
	l := concept.For(tag)
	if l == nil {
		return nil
	}
	return &conceptReader{Lexicon: l}
}

// conceptReader reads concepts for an index.
type conceptReader struct {
	*concept.Lexicon
	found []concept.Mention // a buffer
}

// Stem returns the stem of a word, "" for a word that is in no concept: it ends phrases like any other.
func (r *conceptReader) Stem(word string) string {
	stem := r.Lexicon.Stem(word)
	if !r.MayContain(stem) {
		return ""
	}
	return stem
}

// In appends the mentions in a text.
func (r *conceptReader) In(stems []string, found []lexical.Mention) []lexical.Mention {
	r.found = r.AppendIn(r.found[:0], stems)
	for _, m := range r.found {
		found = append(found, lexical.Mention{Concept: uint16(m.Concept), Kind: m.Kind, From: m.From, To: m.To})
	}
	return found
}
