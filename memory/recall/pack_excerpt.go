package recall

import (
	"strings"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/internal/tokens"
	"familiar/memory/lexical"
)

// ellipsis stands for what an excerpt leaves out.
const ellipsis = "…"

// excerpt returns the part of a text that contains most of the query, in at most limit tokens: whole sentences from the
// best one on, cut at a word end where even one is too long.
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

// shorten cuts text to limit tokens at a word end and appends an ellipsis.
func shorten(text string, limit int) string {
	if tokens.Fits(text, limit) {
		return text
	}
	low, high := 0, len(text) // binary search for the longest prefix that fits
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

// runeStart returns the last rune boundary at or before i.
func runeStart(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}
