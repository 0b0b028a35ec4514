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
	terms := make([][]string, len(talk))
	for i := range texts {
		terms[i] = lang.Terms(texts[i])
	}
	likeness, judged = make([]float64, len(talk)), make([]bool, len(talk))
	for i := range talk {
		before := union(terms[max(i-topicWindow, 0):i])
		after := union(terms[i:min(i+topicWindow, len(talk))])
		if judged[i] = min(len(before), len(after)) >= topicTerms; judged[i] {
			likeness[i] = overlap(before, after)
		}
	}
	return likeness, judged
}

// union returns the set of all terms of some lists.
func union(lists [][]string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for _, t := range list {
			set[t] = true
		}
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
