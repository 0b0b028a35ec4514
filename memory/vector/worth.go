package vector

import "math"

// Pair is a message and the one before it in the same conversation. Their terms are their content words.
type Pair struct {
	A, B           []float32
	TermsA, TermsB []string
	// Conversation identifies the conversation. Messages of other conversations count as unrelated.
	Conversation int64
}

// The rates at which a model must tell a conversation's own messages from unrelated ones: above chanceLevel to be worth
// something, at trustedLevel to be trusted fully. Hashed words, which carry nothing beyond the words, reach .45 to .54
// on annotated conversations.
const (
	chanceLevel  = 0.55
	trustedLevel = 0.65
	// doubtErrors is how many standard errors are subtracted. At 1.64, 1 in 20 models without information would pass.
	doubtErrors = 1.64
	// strangersPerPair is how many unrelated messages each pair is compared with.
	strangersPerPair = 4
)

// Worth returns how much vectors tell beyond the words, 0 to 1, judged by real conversations. People stay with a
// subject, so a message should be closer in meaning to the one before it than to a message of another conversation,
// even if the two share no word. A model that only hashes words cannot tell them apart in that case. Few pairs earn
// nothing.
func Worth(pairs []Pair) float64 {
	held, won := 0, 0.0
	for i, p := range pairs {
		if shareTerm(p.TermsA, p.TermsB) {
			continue
		}
		own := Dot(p.A, p.B)
		score, met := 0.0, 0
		for step := 1; step < len(pairs) && met < strangersPerPair; step++ {
			// A stride that is coprime to most lengths picks messages far apart.
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

// shareTerm reports whether two lists have a term in common, or one is empty: a text like "ok" proves nothing.
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
