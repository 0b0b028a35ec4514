package vector

import (
	"math"
	"slices"
)

// Pair is a message and one shortly before it in the same conversation, far enough apart that none was embedded with the
// other's text. Their terms are the distinct content words of what was embedded, in order.
type Pair struct {
	A, B           []float32
	TermsA, TermsB []string
	// Speaker identifies who said B. The name was embedded with B, so B is compared with messages of the same speaker.
	Speaker int64
	// Conversation identifies the conversation. Messages of other conversations count as unrelated.
	Conversation int64
}

// The rates at which a model must tell a conversation's own messages from unrelated ones: above chanceLevel to be worth
// something, at trustedLevel to be trusted fully.
const (
	chanceLevel  = 0.55
	trustedLevel = 0.65
	// doubtErrors is how many standard errors are subtracted. At 1.64, 1 in 20 models without information would pass.
	doubtErrors = 1.64
	// strangersPerPair is how many unrelated messages each pair is compared with.
	strangersPerPair = 4
)

// Worth returns how much vectors tell beyond the words, 0 to 1, judged by real conversations. People stay with a
// subject, so a message should be closer in meaning to one shortly before it than to a message of another conversation
// that has as many words in common with it. A model that only hashes words cannot tell these apart. Few pairs earn
// nothing.
func Worth(pairs []Pair) float64 {
	rate, held := rate(pairs)
	if held == 0 {
		return 0
	}
	surely := rate - doubtErrors*0.5/math.Sqrt(float64(held))
	return max(0, min(1, (surely-chanceLevel)/(trustedLevel-chanceLevel)))
}

// rate returns the share of comparisons with unrelated messages in which the related one is closer, and the number of
// pairs that could be compared.
func rate(pairs []Pair) (rate float64, held int) {
	won := 0.0
	for i, p := range pairs {
		shared := overlap(p.TermsA, p.TermsB)
		if shared < 0 {
			continue
		}
		own := Dot(p.A, p.B)
		score, met := 0.0, 0
		for step := 1; step < len(pairs) && met < strangersPerPair; step++ {
			// A stride that is coprime to most lengths picks messages far apart.
			other := pairs[(i+step*7919)%len(pairs)]
			if other.Conversation == p.Conversation || other.Speaker != p.Speaker || overlap(p.TermsA, other.TermsB) < shared {
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
	return won / max(1, float64(held)), held
}

// overlap returns how much two sorted lists of terms have in common, 0 to 1, as the cosine of their counts. It returns -1
// if one is empty: a text like "ok" proves nothing.
func overlap(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return -1
	}
	shared := 0
	for _, t := range a {
		if _, found := slices.BinarySearch(b, t); found {
			shared++
		}
	}
	return float64(shared) / math.Sqrt(float64(len(a))*float64(len(b)))
}
