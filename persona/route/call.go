package route

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// greetings are the words that may precede a name that is called.
var greetings = []string{
	"hey", "hi", "hello", "hallo", "hola", "salut", "bonjour", "ciao", "oi", "olá", "hoi", "hej", "ok", "okay", "dear", "liebe", "lieber", "good", "guten",
	"morning", "evening", "morgen", "abend", "and", "und", "y", "et", "so", "thanks", "danke", "gracias", "merci",
}

// calledAt reports whether text calls somebody by name, and where in it. To call is to put an @ before the name, to begin
// with it or with a greeting and it, or to end with it after a comma. "Mira said so" only talks about her: at the beginning,
// punctuation must follow. In a text that is addressed anyway, a name at the beginning or the end is enough.
func calledAt(text, name string, addressed bool) (at int, ok bool) {
	if name == "" {
		return 0, false
	}
	text = strings.TrimSpace(text)
	for from := 0; ; {
		start, end := indexFold(text[from:], name)
		if start < 0 {
			return 0, false
		}
		start, end = from+start, from+end
		before, after := text[:start], text[end:]
		if isWord(before, after) && (strings.HasSuffix(before, "@") || opens(before, after, addressed) || closes(before, after, addressed)) {
			return start, true
		}
		from = end
	}
}

// opens reports whether a name between before and after opens its text.
func opens(before, after string, addressed bool) bool {
	words := strings.FieldsFunc(strings.ToLower(before), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words {
		if !slices.Contains(greetings, w) {
			return false
		}
	}
	next, _ := utf8.DecodeRuneInString(after)
	dash, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " "))
	return addressed || len(words) > 0 || after == "" || strings.ContainsRune(",:;!?…\n", next) || strings.ContainsRune("–—", dash)
}

// closes reports whether a name between before and after closes its text: "what do you think, Mira?"
func closes(before, after string, addressed bool) bool {
	before = strings.TrimRightFunc(before, unicode.IsSpace)
	rest := strings.TrimFunc(after, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r) })
	return rest == "" && (addressed || strings.HasSuffix(before, ","))
}

// isWord reports whether what stands between before and after is a word of its own.
func isWord(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return !partOfWord(last) && !partOfWord(next)
}

func partOfWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '\'' || r == '’')
}

// indexFold returns where name stands in text, whatever the case of its letters; -1 if it does not.
func indexFold(text, name string) (start, end int) {
	n := utf8.RuneCountInString(name)
	first, _ := utf8.DecodeRuneInString(name)
	for start, r := range text {
		if unicode.ToLower(r) != unicode.ToLower(first) {
			continue
		}
		end := start
		for range n {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		if strings.EqualFold(text[start:end], name) {
			return start, end
		}
	}
	return -1, -1
}
