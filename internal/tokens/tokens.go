// Package tokens estimates how many model tokens a text has, without a tokenizer.
package tokens

import (
	"unicode"
	"unicode/utf8"
)

// runesPerToken is the average for English in current tokenizers, rounded down so that budgets are not exceeded.
const runesPerToken = 3.6

// Estimate returns the approximate number of tokens in text: runes divided by runesPerToken for alphabetic scripts, one
// token per rune for scripts without spaces (Han, kana, Hangul, Thai), at least one for a text that is not empty.
func Estimate(text string) int { return EstimateAll(text) }

// EstimateAll is Estimate for the concatenation of texts, without joining them. No text may end within a character that the
// next one continues.
func EstimateAll(texts ...string) int {
	runes, dense := 0, 0
	for _, text := range texts {
		ascii := 0
		for ascii < len(text) && text[ascii] < utf8.RuneSelf {
			ascii++
		}
		runes += ascii
		for _, r := range text[ascii:] {
			runes++
			if r >= 0x0E00 && (r < 0x1200 || r >= 0x2E80) && // not the punctuation between
				unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
				dense++
			}
		}
	}
	if runes == 0 {
		return 0
	}
	return max(1, dense+int(float64(runes-dense)/runesPerToken+0.5))
}

// bytesPerToken is an upper bound for any text.
const bytesPerToken = 16

// Fits reports whether text is estimated to have at most limit tokens. It does not read a text that is far too long.
func Fits(text string, limit int) bool {
	return len(text) <= (limit+1)*bytesPerToken && Estimate(text) <= limit
}
