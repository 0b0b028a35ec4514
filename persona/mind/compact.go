package mind

import "math"

// When the messages in a context window are compacted into episodes, from the episode rules in docs/mind.md: shares of
// the budget, and what stays.
const (
	compactFrom    = 0.60
	aggressiveFrom = 0.85
	keptShare      = 0.40 // of the messages' tokens
	// KeptMessages is how many messages always stay, whatever their size.
	KeptMessages = 8
	// boundaryReach is how many messages a cut may move to reach an episode boundary. A project choice.
	boundaryReach = 3
)

// CompactUntil returns how many of the oldest messages to compact. messages are their sizes in tokens, oldest first,
// used is the size of the whole window, budget its limit, and cuts are where episodes begin.
//
// Below 60 % of the budget nothing is compacted. From there on, the most recent 40 % of the messages' tokens stay; from
// 85 % on, only the last eight messages. Eight messages always stay. If an episode begins within three messages of the
// cut, the cut moves there.
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

// behindRecent returns how many messages precede those that make up the most recent share of the tokens.
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

// onBoundary returns the boundary closest to cut within reach, no later than most. Of two equally close ones it returns
// the later.
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

// CompactedFrom returns the size in tokens at which compaction begins, for a budget.
func CompactedFrom(budget int) int { return int(math.Ceil(compactFrom * float64(budget))) }
