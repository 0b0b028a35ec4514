package recall

import (
	"strings"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/internal/tokens"
	"familiar/memory/lexical"
)

// ellipsis stands where an excerpt leaves something out.
const ellipsis = "…"

// excerpt is the part of text that holds most of the query, in at most limit tokens: whole sentences from the best one
// on, cut at a word's end where even that is too long.
func excerpt(said string, limit int, query lexical.Gist) string {
	sentences := text.Sentences(said)
	best, most := 0, -1
	for i, s := range sentences {
		if n := query.Shared(s); n > most {
			best, most = i, n
		}
	}
	from := strings.Join(sentences[best:], "")
	if best > 0 {
		from = ellipsis + strings.TrimLeft(from, " ")
	}
	return shorten(from, limit)
}

// shorten cuts text to limit tokens at the end of a word and says so with an ellipsis.
func shorten(text string, limit int) string {
	if tokens.Fits(text, limit) {
		return text
	}
	low, high := 0, len(text) // the longest prefix that fits, by halving
	for low < high {
		mid := (low + high + 1) / 2
		if tokens.Fits(text[:runeStart(text, mid)]+ellipsis, limit) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	cut := text[:runeStart(text, low)]
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:") + ellipsis
}

// runeStart is the last place at or before i where a rune of text starts.
func runeStart(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
