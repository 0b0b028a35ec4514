package prompts

import (
	"strconv"
	"strings"
	"unicode"
)

// fenceWord begins every fence; a number follows it.
const fenceWord = "data"

// fenceDigits is how many digits of a number in the data are looked at: more than a fence will ever need.
const fenceDigits = 9

// fence is the first "data-1", "data-2", … that none of the texts contains, however it is spaced, punctuated or
// capitalised there. The same texts get the same fence.
func fence(texts []string) string {
	taken := map[string]bool{}
	for _, t := range texts {
		takenNumbers(bare(t), taken)
	}
	n := 1
	for taken[strconv.Itoa(n)] {
		n++
	}
	return fenceWord + "-" + strconv.Itoa(n)
}

// takenNumbers notes every number that follows the fence word, and each number it begins with, in one pass: a text
// written to exhaust the counter costs no more than any other.
func takenNumbers(text string, taken map[string]bool) {
	for {
		_, after, found := strings.Cut(text, fenceWord)
		if !found {
			return
		}
		for i := 0; i < len(after) && i < fenceDigits && '0' <= after[i] && after[i] <= '9'; i++ {
			taken[after[:i+1]] = true
		}
		text = after
	}
}

// bare folds a text to its letters and digits, lower case, full-width forms as plain ones: what is left when somebody
// dresses a mark up.
func bare(text string) string {
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
