package prompts

import (
	"strconv"
	"strings"
	"unicode"
)

// fenceWord starts every fence; a number follows.
const fenceWord = "data"

// fenceDigits is how many digits of a number in the data are considered: more than a fence will ever need.
const fenceDigits = 9

// fence returns the first of "data-1", "data-2", … that none of the texts contains, regardless of spacing, punctuation
// and case. The same texts give the same fence.
func fence(texts []string) string {
	used := map[string]bool{}
	for _, t := range texts {
		takenNumbers(normalizedLetters(t), used)
	}
	n := 1
	for used[strconv.Itoa(n)] {
		n++
	}
	return fenceWord + "-" + strconv.Itoa(n)
}

// takenNumbers records every number after the fence word, and each prefix of the number, in one pass: a text that tries
// to exhaust the counter costs no more than any other.
func takenNumbers(text string, used map[string]bool) {
	for {
		_, after, found := strings.Cut(text, fenceWord)
		if !found {
			return
		}
		for i := 0; i < len(after) && i < fenceDigits && '0' <= after[i] && after[i] <= '9'; i++ {
			used[after[:i+1]] = true
		}
		text = after
	}
}

// normalizedLetters reduces a text to its letters and digits in lower case, with full-width forms replaced: a disguised
// mark becomes visible.
func normalizedLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xFF01 && r <= 0xFF5E {
			r -= 0xFEE0
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// quoted puts entries between the marks of a fence, one line each.
func quoted(fence string, entries []string) string {
	return "<" + fence + ">\n" + strings.Join(entries, "\n") + "\n</" + fence + ">"
}
