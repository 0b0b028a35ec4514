package mind

import "math"

// When the talk in a context window is folded into episodes, from the episode rules of docs/mind: shares of the budget,
// and what stays.
const (
	compactFrom    = 0.60
	aggressiveFrom = 0.85
	keptShare      = 0.40 // of the talk's tokens
	// KeptMessages stay, whatever they take.
	KeptMessages = 8
	// boundaryReach is how many messages a cut moves to fall on the boundary of an episode; a project choice.
	boundaryReach = 3
)

// CompactUntil is how many of the oldest messages of a talk to fold away. messages are their tokens, oldest first, used those of
// the whole window and budget what it may hold; cuts are where episodes begin.
//
// Under 60 % of the budget nothing is folded. From there on the messages that make up the most recent 40 % of the talk
// stay, from 85 % on the last eight alone. Eight stay always; where an episode begins within three messages of the cut,
// the cut falls there.
func CompactUntil(messages []int, used, budget int, cuts []Boundary) int {
	most := len(messages) - KeptMessages
	if budget <= 0 || most <= 0 || float64(used) < compactFrom*float64(budget) {
		return 0
	}
	cut := most
	if float64(used) < aggressiveFrom*float64(budget) {
		cut = min(most, behindRecent(messages))
	}
	return onBoundary(cut, most, cuts)
}

// behindRecent returns how many messages lie behind those that make up the most recent share of the tokens.
func behindRecent(messages []int) int {
	total := 0
	for _, n := range messages {
		total += n
	}
	left, kept := float64(total)*keptShare, len(messages)
	for kept > 0 && float64(messages[kept-1]) <= left {
		kept--
		left -= float64(messages[kept])
	}
	return kept
}

// onBoundary returns the boundary nearest to cut within reach, at most most; the one further on of two as near.
func onBoundary(cut, most int, cuts []Boundary) int {
	best, distance := cut, boundaryReach+1
	for _, b := range cuts {
		d := max(b.At-cut, cut-b.At)
		if b.At <= 0 || b.At > most || d > boundaryReach {
			continue
		}
		if d < distance || d == distance && b.At > best {
			best, distance = b.At, d
		}
	}
	return best
}

// CompactedFrom returns how many tokens of a budget a talk takes when folding begins.
func CompactedFrom(budget int) int { return int(math.Ceil(compactFrom * float64(budget))) }
