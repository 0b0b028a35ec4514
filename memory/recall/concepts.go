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
	return conceptReader{l}
}

// conceptReader reads concepts for an index.
type conceptReader struct{ *concept.Lexicon }

// In appends the mentions in a text.
func (r conceptReader) In(stems []string, found []lexical.Mention) []lexical.Mention {
	for _, m := range r.Lexicon.In(stems) {
		found = append(found, lexical.Mention{Concept: uint16(m.Concept), Kind: m.Kind, From: m.From, To: m.To})
	}
	return found
}
