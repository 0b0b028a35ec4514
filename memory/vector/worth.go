package vector

import "math"

// Pair is a thing said and what was said before it in the same talk. Their terms are the words that carry meaning.
type Pair struct {
	A, B           []float32
	TermsA, TermsB []string
	// Conversation tells which talk they are from: what was said in another is a stranger to them.
	Conversation int64
}

// How surely a model must tell a talk's own lines from a stranger's to be worth something, and to be trusted fully.
// Hashed words, which tell nothing beyond the words, come out at .45 to .54 on annotated talk.
const (
	chanceLevel  = 0.55
	trustedLevel = 0.65
	// doubtErrors is how many standard errors are taken off: 1 in 20 models that know nothing would pass one of 1.64.
	doubtErrors = 1.64
	// strangersPerPair is how many strangers each pair is held against.
	strangersPerPair = 4
)

// Worth is how much vectors tell beyond the words, 0 to 1, judged by talk itself: people stay with a subject, so what
// was said next should mean something nearer to what was said before than a line of another talk does, also where the
// two share no word. A model that only hashes words cannot tell them apart there. From few pairs nothing is earned.
func Worth(pairs []Pair) float64 {
	held, won := 0, 0.0
	for i, p := range pairs {
		if shareTerm(p.TermsA, p.TermsB) {
			continue
		}
		own := Dot(p.A, p.B)
		score, met := 0.0, 0
		for step := 1; step < len(pairs) && met < strangersPerPair; step++ {
			// A stride that shares no factor with most lengths walks far apart.
			other := pairs[(i+step*7919)%len(pairs)]
			if other.Conversation == p.Conversation || shareTerm(p.TermsA, other.TermsB) {
				continue
			}
			met++
			switch far := Dot(p.A, other.B); {
			case own > far:
				score++
			case own == far:
				score += 0.5
			}
		}
		if met > 0 {
			held, won = held+1, won+score/float64(met)
		}
	}
	if held == 0 {
		return 0
	}
	surely := won/float64(held) - doubtErrors*0.5/math.Sqrt(float64(held))
	return max(0, min(1, (surely-chanceLevel)/(trustedLevel-chanceLevel)))
}

// shareTerm says that two lists have a term in common, or that one has none at all: nothing can be told of "ok".
func shareTerm(a, b []string) bool {
	for _, t := range a {
		for _, u := range b {
			if t == u {
				return true
			}
		}
	}
	return len(a) == 0 || len(b) == 0
}
