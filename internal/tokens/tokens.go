// Package tokens estimates how many model tokens a text takes, without any model's own tokenizer.
package tokens

import "unicode"

// runesPerToken is what English averages in the tokenizers in use today, rounded down so that a budget is kept
// rather than overrun.
const runesPerToken = 3.6

// Estimate is about how many tokens text takes: runes over runesPerToken for alphabetic scripts, one token a rune for
// scripts without spaces (Han, kana, Hangul, Thai), never less than one for a text that is not empty.
func Estimate(text string) int {
	if text == "" {
		return 0
	}
	var rest, dense int
	for _, r := range text {
		if r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			dense++
		} else {
			rest++
		}
	}
	return max(1, dense+int(float64(rest)/runesPerToken+0.5))
}

// bytesPerToken is more than any text has.
const bytesPerToken = 16

// Fits says that text is estimated to take no more than limit tokens. Text that is far too long is not read for it.
func Fits(text string, limit int) bool {
	return len(text) <= (limit+1)*bytesPerToken && Estimate(text) <= limit
}
