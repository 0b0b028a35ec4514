package bench

import "slices"

// Abstention measures how well recall tells questions whose answer was said from questions about what was never said.
// Its scale is recall.Result.Bearing.
type Abstention struct {
	// Questions is the number of questions about what was never said.
	Questions int `json:"questions"`
	// AUC is the probability that a question with an answer has a higher bearing than one without, ties counting half:
	// 0.5 is chance.
	AUC float64 `json:"auc"`
	// Threshold is the bearing from which a question counts as known, chosen so that the mean of the two error rates is
	// smallest.
	Threshold float64 `json:"threshold"`
	// FalseKnown is the share of the questions without an answer that count as known, FalseUnknown that of the questions
	// with an answer that do not.
	FalseKnown   float64 `json:"false_known"`
	FalseUnknown float64 `json:"false_unknown"`
}

// bearings holds the bearings of the questions with an answer and of those without.
type bearings struct{ known, unknown []float64 }

// abstention returns the measures, nil if either kind of question is missing.
func (b bearings) abstention() *Abstention {
	if len(b.known) == 0 || len(b.unknown) == 0 {
		return nil
	}
	slices.Sort(b.known)
	slices.Sort(b.unknown)
	a := Abstention{Questions: len(b.unknown)}
	for _, k := range b.known {
		below, _ := slices.BinarySearch(b.unknown, k)
		notAbove := above(b.unknown, k)
		a.AUC += float64(below) + float64(notAbove-below)/2
	}
	a.AUC /= float64(len(b.known) * len(b.unknown))
	best := 2.0
	for _, t := range slices.Concat(b.known, b.unknown, []float64{2}) {
		under, _ := slices.BinarySearch(b.known, t)
		unknownUnder, _ := slices.BinarySearch(b.unknown, t)
		missed := float64(under) / float64(len(b.known))
		invented := 1 - float64(unknownUnder)/float64(len(b.unknown))
		if sum := missed + invented; sum < best || sum == best && t < a.Threshold {
			best, a.Threshold, a.FalseKnown, a.FalseUnknown = sum, t, invented, missed
		}
	}
	return &a
}

// above returns the index of the first value of sorted that is greater than v.
func above(sorted []float64, v float64) int {
	i, _ := slices.BinarySearchFunc(sorted, v, func(x, v float64) int {
		if x > v {
			return 1
		}
		return -1
	})
	return i
}
