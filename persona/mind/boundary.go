package mind

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"familiar/memory/lexical"
	"familiar/memory/understand"
)

// Said is one message of a conversation, as input for finding episodes.
type Said struct {
	Text string
	// Reading is the tone that understand.Tone found, zero for the persona's messages.
	Reading understand.Analysis
	At      time.Time
	// Self reports that the persona wrote the message.
	Self bool
	// Surprisal is how unlikely a model found the message, in bits or nats per token, the same unit for all; 0 if
	// unknown.
	Surprisal float64
}

// Boundary is the place where one episode ends and the next begins.
type Boundary struct {
	// At is the index of the first message of the next episode.
	At int
	// Strength is 0.5–1.
	Strength float64
	Reason   Shift
}

// Shift is the reason why an episode ends.
type Shift string

// The reasons why an episode ends.
const (
	TopicShift Shift = "topic"     // the words before and after have little in common
	Surprise   Shift = "surprise"  // an unexpected message
	TaskChange Shift = "task"      // someone changes the subject
	WorkDone   Shift = "work done" // the matter is settled
)

// The strengths of the signals, from the episode rules in docs/mind.md.
const (
	topicStrength  = 0.8 // times the difference between the two sides
	surpriseFrom   = 2.0 // standard deviations above the mean
	taskStrength   = 0.7
	workStrength   = 0.6
	boundaryFrom   = 0.5
	boundaryApart  = 3 // messages
	surpriseStrong = 4 // standard deviations of strength 1, so that surpriseFrom is just a boundary
)

// How topics are compared. Project choices, made so that two people who merely never repeat a word have not changed the
// topic.
const (
	// topicWindow is how many messages each side has.
	topicWindow = 4
	// topicTerms is the minimum number of content words to judge a side by.
	topicTerms = 4
	// topicDepth is how much less similar the sides must be than those of a nearby place.
	topicDepth = 0.15
	// surprisalFrom is how many messages are needed to know what is usual.
	surprisalFrom = 5
)

// Boundaries returns the episode boundaries of a conversation, in order. Each has a strength of 0.5 or more, lies
// before a message of a person, and is at least three messages from the start and from the others. Of two that are too
// close, the stronger one stays.
func Boundaries(talk []Said) []Boundary {
	var found []Boundary
	topics, surprises := topicShifts(talk), surprises(talk)
	done := false
	for i, m := range talk {
		if m.Self {
			continue // only people change the subject
		}
		signals := []Boundary{{i, topics[i], TopicShift}, {i, surprises[i], Surprise}}
		if turnsAway(m.Text) {
			signals = append(signals, Boundary{i, taskStrength, TaskChange})
		}
		if done {
			signals = append(signals, Boundary{i, workStrength, WorkDone})
		}
		done = isDone(m)
		best := slices.MaxFunc(signals, func(a, b Boundary) int { return cmp.Compare(a.Strength, b.Strength) })
		if best.Strength >= boundaryFrom {
			found = append(found, best)
		}
	}
	return apart(found)
}

// isDone reports whether a message settles a matter: thanks and nothing else, or words to that effect.
func isDone(m Said) bool {
	return m.Reading.Phatic && m.Reading.Warmth >= warmFrom || concludes(m.Text)
}

// apart selects the strongest boundaries that keep the minimum distance, and returns them in order.
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

// topicShifts returns, for each message, how strongly the topic changes before it. It changes where the two sides are
// less similar than anywhere nearby, by at least topicDepth.
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

// likenesses returns the similarity of the messages before and after each gap, 0–1: the shared part of the smaller
// side's content words. Gaps that cannot be judged count as similar.
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

// surprises returns, for each message, how far its surprisal exceeds that of the messages before it.
func surprises(talk []Said) []float64 {
	strengths := make([]float64, len(talk))
	var usual running
	for i, m := range talk {
		if m.Surprisal <= 0 {
			continue
		}
		if z := usual.score(m.Surprisal); usual.n >= surprisalFrom && z > surpriseFrom {
			strengths[i] = min(z/surpriseStrong, 1)
		}
		usual.add(m.Surprisal)
	}
	return strengths
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

// overlap returns the share of the smaller set that is in the other, 0–1; 0 if one is empty.
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
