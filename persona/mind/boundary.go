package mind

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"familiar/memory/lexical"
	"familiar/memory/understand"
)

// Said is one message of a talk, as far as episodes depend on it.
type Said struct {
	Text string
	// Reading is how it sounds, as understand.Tone reads it; the zero value for what the persona said.
	Reading understand.Analysis
	At      time.Time
	// Self says that the persona said it.
	Self bool
}

// Boundary is where an episode of a talk ends and the next begins.
type Boundary struct {
	// At is the index of the message the next episode begins with.
	At int
	// Strength is 0.5–1.
	Strength float64
}

// The strengths of the signals, from the episode rules of docs/mind.
const (
	topicStrength = 0.8 // times how unlike the two sides are
	taskStrength  = 0.7 // someone goes over to something else
	workStrength  = 0.6 // what was talked about is done
	boundaryFrom  = 0.5
	boundaryApart = 3 // messages
)

// How topics are compared: project choices, made so that two people who merely never repeat a word have not changed the
// topic.
const (
	// topicWindow is how many messages either side has.
	topicWindow = 4
	// topicTerms is the fewest content words a side is judged by.
	topicTerms = 4
	// topicDepth is how much less alike the sides must be than those of a place near by.
	topicDepth = 0.15
)

// Boundaries returns the places where a talk falls into episodes, in order: of strength 0.5 or more, before a message
// of a person, at least three messages apart and behind the beginning. Where two places are too near, the stronger
// stays.
func Boundaries(talk []Said) []Boundary {
	var found []Boundary
	topics := topicShifts(talk)
	done := false
	for i, m := range talk {
		if m.Self {
			continue // the talk is the person's to turn
		}
		strength := topics[i]
		if turnsAway(m.Text) {
			strength = max(strength, taskStrength)
		}
		if done {
			strength = max(strength, workStrength)
		}
		done = isDone(m)
		if strength >= boundaryFrom {
			found = append(found, Boundary{i, strength})
		}
	}
	return apart(found)
}

// isDone reports whether a message ends what was being done: thanks and nothing else, or words to that effect.
func isDone(m Said) bool {
	return m.Reading.Phatic && m.Reading.Warmth >= warmFrom || concludes(m.Text)
}

// apart picks the strongest boundaries that keep their distance, and returns them in order.
func apart(found []Boundary) []Boundary {
	byStrength := slices.Clone(found)
	slices.SortStableFunc(byStrength, func(a, b Boundary) int { return cmp.Compare(b.Strength, a.Strength) })
	taken := map[int]bool{0: true}
	near := func(at int) bool {
		for d := -boundaryApart + 1; d < boundaryApart; d++ {
			if taken[at+d] {
				return true
			}
		}
		return false
	}
	var kept []Boundary
	for _, b := range byStrength {
		if !near(b.At) {
			taken[b.At] = true
			kept = append(kept, b)
		}
	}
	slices.SortFunc(kept, func(a, b Boundary) int { return cmp.Compare(a.At, b.At) })
	return kept
}

// topicShifts is, for each message, how strongly the topic changes before it. It does where what is said before and
// after has less in common than anywhere near, by topicDepth.
func topicShifts(talk []Said) []float64 {
	likeness, judged := likenesses(talk)
	shifts := make([]float64, len(talk))
	for i := range talk {
		if !judged[i] {
			continue
		}
		near := likeness[max(i-topicWindow, 0):min(i+topicWindow+1, len(talk))]
		if likeness[i] == slices.Min(near) && slices.Max(near)-likeness[i] >= topicDepth {
			shifts[i] = topicStrength * (1 - likeness[i])
		}
	}
	return shifts
}

// likenesses returns how much the messages before and after each gap have in common, 0–1: the shared share of the
// smaller side's content words. Gaps that cannot be judged count as alike.
func likenesses(talk []Said) (likeness []float64, judged []bool) {
	texts := make([]string, len(talk))
	for i, m := range talk {
		texts[i] = m.Text
	}
	lang := lexical.Detect(strings.Join(texts, "\n"))
	var w windows
	number := map[string]int{}
	terms := make([][]int, len(talk))
	for i := range texts {
		terms[i] = numbered(lang.Terms(texts[i]), number)
	}
	w.count = make([][2]int, len(number))
	for i := range min(topicWindow, len(talk)) {
		w.add(afterGap, terms[i], 1)
	}
	likeness, judged = make([]float64, len(talk)), make([]bool, len(talk))
	for i := range talk {
		if fewer := min(w.size[beforeGap], w.size[afterGap]); fewer >= topicTerms {
			likeness[i], judged[i] = float64(w.shared)/float64(fewer), true
		}
		if i >= topicWindow {
			w.add(beforeGap, terms[i-topicWindow], -1)
		}
		w.add(beforeGap, terms[i], 1)
		w.add(afterGap, terms[i], -1)
		if i+topicWindow < len(talk) {
			w.add(afterGap, terms[i+topicWindow], 1)
		}
	}
	return likeness, judged
}

// numbered returns the numbers of terms and gives new ones the next.
func numbered(terms []string, number map[string]int) []int {
	all := make([]int, len(terms))
	for i, t := range terms {
		n, known := number[t]
		if !known {
			n = len(number)
			number[t] = n
		}
		all[i] = n
	}
	return all
}

// windows counts the terms of the messages before and after a gap.
type windows struct {
	// count is how often each term occurs on either side.
	count [][2]int
	// size is how many different terms either side has, shared how many are on both.
	size   [2]int
	shared int
}

// The sides of a gap.
const beforeGap, afterGap = 0, 1

// add counts the terms of a message on one side, or with −1 takes them out again.
func (w *windows) add(side int, terms []int, n int) {
	for _, t := range terms {
		was := w.count[t][side]
		w.count[t][side] += n
		if min(was, was+n) > 0 {
			continue // it is there with and without this message
		}
		w.size[side] += n
		if w.count[t][1-side] > 0 {
			w.shared += n
		}
	}
}

// setOf returns the set of some terms.
func setOf(terms []string) map[string]bool {
	set := make(map[string]bool, len(terms))
	for _, t := range terms {
		set[t] = true
	}
	return set
}

// overlap returns the share of the smaller set that the other holds too, 0–1; 0 when one is empty.
func overlap(a, b map[string]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	n := 0
	for t := range a {
		if b[t] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}
