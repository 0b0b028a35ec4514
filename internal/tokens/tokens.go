// Package tokens estimates how many model tokens a text takes, without any model's own tokenizer.
package tokens

import (
	"unicode"
	"unicode/utf8"
)

// runesPerToken is what English averages in the tokenizers in use today, rounded down so that a budget is kept
// rather than overrun.
const runesPerToken = 3.6

// Estimate is about how many tokens text takes: runes over runesPerToken for alphabetic scripts, one token a rune for
// scripts without spaces (Han, kana, Hangul, Thai), never less than one for a text that is not empty.
func Estimate(text string) int {
	if text == "" {
		return 0
	}
	var dense int
	for _, r := range text {
		if r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			dense++
		}
	}
	rest := utf8.RuneCountInString(text) - dense
	return max(1, dense+int(float64(rest)/runesPerToken+0.5))
}
