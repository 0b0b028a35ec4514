// Package phrase finds phrases in everyday text, in languages with and without spaces. What is looked for is data:
// patterns of words with alternatives, beginnings of words and gaps.
package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
)

// Word is a word of a text.
type Word struct {
	// Text is the word in lower case without accents. "don't" is "dont", but "j'ai" is two words.
	Text string
	// Start and End are its bytes in the text.
	Start, End int
	// Breaks reports that a sentence ends before the word, Quoted that the word stands between quotation marks.
	Breaks, Quoted bool
}

// endings are what English writes after an apostrophe as part of the word before it.
var endings = map[string]bool{"t": true, "m": true, "s": true, "d": true, "ve": true, "re": true, "ll": true}

// Words returns the first words of a text, at most the given number.
func Words(said string, most int) []Word {
	words := make([]Word, 0, min(len(said)/4+1, most))
	last, quoted := 0, false
	for start, end := range text.Words(said, nil) {
		if len(words) == most {
			break
		}
		between := said[last:start]
		plain := text.Plain(said[start:end])
		if n := len(words); n > 0 && isApostrophe(between) && endings[plain] {
			words[n-1].Text += plain
			words[n-1].End, last = end, end
			continue
		}
		breaks := false
		if between != " " && between != "" {
			breaks, quoted = endsSentence(between), quotes(between, quoted)
		}
		words = append(words, Word{plain, start, end, breaks, quoted})
		last = end
	}
	return words
}

func isApostrophe(mark string) bool {
	switch mark {
	case "'", "’", "ʼ", "`":
		return true
	}
	return false
}

// endsSentence reports whether what stands between two words ends a sentence.
func endsSentence(between string) bool { return strings.ContainsAny(between, ".!?;…\n。！？") }

// quotes reports whether text is quoted after the marks between two words, and whether it was before.
func quotes(between string, quoted bool) bool {
	for i, r := range between {
		switch r {
		case '"':
			quoted = !quoted
		case '“', '„', '«', '「', '『':
			after, _ := utf8.DecodeRuneInString(between[i+utf8.RuneLen(r):])
			quoted = r != '“' || !quoted || !unicode.IsSpace(after) && after != utf8.RuneError
		case '”', '»', '」', '』':
			quoted = false
		case '\n':
			quoted = false
		}
	}
	return quoted
}
