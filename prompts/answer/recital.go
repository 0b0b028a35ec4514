package answer

import (
	"strings"
	"unicode"
)

// The runs of words that an answer may share with the rules: from heldRun on they are held back, from recitedRun on the
// answer recites them.
const (
	heldRun    = 3
	recitedRun = 8
)

// recital ends an answer that reads out the rules.
type recital struct {
	next stage
	// words are the rules' words, places where each stands.
	words  []string
	places map[string][]int
	// runs are the ends of the runs that the text's last words share with the rules, by place.
	runs map[int]int
	// word is the running word, held what is held back, holding reports that the run is long enough to.
	word    strings.Builder
	held    strings.Builder
	holding bool
	failed  bool
}

func newRecital(rules string, next stage) *recital {
	r := &recital{next: next, words: wordsOf(rules), places: make(map[string][]int)}
	for i, w := range r.words {
		r.places[w] = append(r.places[w], i)
	}
	return r
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !inWord(r) })
}

// inWord reports whether a character belongs to a word. Apostrophes do not, so that their forms do not matter.
func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (r *recital) write(text string) {
	if r.failed {
		return
	}
	if len(r.words) == 0 {
		r.next.write(text)
		return
	}
	from := 0
	for i, c := range text {
		if inWord(c) {
			r.word.WriteRune(unicode.ToLower(c))
			continue
		}
		if r.word.Len() == 0 {
			continue
		}
		r.give(text[from:i])
		from = i
		r.endWord()
		if r.failed {
			return
		}
	}
	r.give(text[from:])
}

// give passes text on, or holds it back.
func (r *recital) give(text string) {
	switch {
	case text == "":
	case r.holding:
		r.held.WriteString(text)
	default:
		r.next.write(text)
	}
}

// endWord compares the word that ended with those that follow the running runs.
func (r *recital) endWord() {
	word := r.word.String()
	r.word.Reset()
	runs := make(map[int]int, len(r.runs))
	longest := 0
	for _, at := range r.places[word] {
		runs[at] = r.runs[at-1] + 1
		longest = max(longest, runs[at])
	}
	r.runs = runs
	switch {
	case longest >= recitedRun:
		r.failed = true
		r.held.Reset()
	case longest >= heldRun:
		r.holding = true
	default:
		r.release()
	}
}

func (r *recital) release() {
	r.holding = false
	if r.held.Len() > 0 {
		r.next.write(r.held.String())
		r.held.Reset()
	}
}

func (r *recital) close() {
	if r.word.Len() > 0 && !r.failed {
		r.endWord()
	}
	if !r.failed {
		r.release()
	}
	r.next.close()
}

func (r *recital) reset() {
	*r = recital{next: r.next, words: r.words, places: r.places}
	r.next.reset()
}
