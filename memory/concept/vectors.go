package concept

import (
	"embed"
	"strings"
	"sync"

	"familiar/internal/text"
	"familiar/memory/wordvec"
)

// Each file says of words of a language which English word means the same: "hund, köter: dog".
//
//go:embed english/*.txt
var english embed.FS

// vectors holds the vectors of words by their stems.
type vectors map[string]wordvec.Word

// shortestHead is the shortest head of a German compound that is looked for, in bytes: "kindergeburtstag" is a birthday.
const shortestHead = 4

// Vector returns the vector of a word, which is in lower case: in English its own, in another language that of the English word
// that means the same, and of a German compound that of its head. stem is the word's stem. It returns 0 if none is known.
func (l *Lexicon) Vector(low, stem string) wordvec.Word {
	if l.vectors == nil {
		return wordvec.Find(low)
	}
	known := l.vectors()
	if w, found := known[stem]; found || l.lang.Tag() != "de" {
		return w
	}
	for i := range stem {
		if i >= shortestHead && len(stem)-i >= shortestHead {
			if w := known[stem[i:]]; w != 0 {
				return w
			}
		}
	}
	return 0
}

// vectorsIn returns what reads the vectors of a language's words on first use, nil for English.
func (l *Lexicon) vectorsIn(tag string) func() vectors {
	if tag == "en" {
		return nil
	}
	return sync.OnceValue(func() vectors {
		data, err := english.ReadFile("english/" + tag + ".txt")
		if err != nil {
			panic(err) // the files are embedded: a test reads each
		}
		known := vectors{}
		for line := range strings.Lines(string(data)) {
			words, meaning, _ := strings.Cut(line, ":")
			meaning = strings.TrimSpace(meaning)
			w := wordvec.Find(meaning)
			if w == 0 { // "support-group" is a group
				w = wordvec.Find(meaning[strings.LastIndex(meaning, "-")+1:])
			}
			for word := range strings.SplitSeq(words, ",") {
				word = strings.TrimSpace(word)
				for _, s := range []string{l.Stem(word), l.Stem(text.Bare(unligated(word)))} { // many people type no accents
					if w != 0 && known[s] == 0 {
						known[s] = w
					}
				}
			}
		}
		return known
	})
}
