package mind

import (
	"math"
	"time"

	"familiar/memory/model"
)

// The numbers of beliefs, from the belief rules in docs/mind.md.
const (
	// recencyDays is the age at which a quote's recency has fallen to 1/e.
	recencyDays = 30
	// weightFloor is the weight of the oldest quote. Recency adds the rest up to 1.
	weightFloor = 0.3
	// againstFactor reduces the weight of a contradicting quote: one denial does not outweigh one assertion of the same
	// age.
	againstFactor = 0.7
	// hearsayFactor reduces the weight of what someone said about someone else.
	hearsayFactor = 0.4
	// minConfidence and maxConfidence keep a belief open to new evidence.
	minConfidence, maxConfidence = 0.01, 0.99
	// hearsayCeiling is the highest confidence from hearsay alone: the midpoint plus the share of hearsay.
	hearsayCeiling = (1 + hearsayFactor) / 2
	// revisedBelow and abandonedBelow are the confidences at which doubt begins.
	revisedBelow, abandonedBelow = 0.30, 0.15
	// uncertainBelow is the confidence below which a belief is worded as uncertain.
	uncertainBelow = 0.5
)

// Doubt is how far the evidence has turned against a belief.
type Doubt string

// The degrees of doubt.
const (
	Held      Doubt = ""
	Revised   Doubt = "revised"   // confidence below 0.30
	Abandoned Doubt = "abandoned" // confidence below 0.15
)

// Confidence returns how well the evidence supports a belief at now: 0.01–0.99, and 0.5 without evidence.
//
// A quote weighs 0.3 + 0.7·e^(−age/30 d), hearsay 0.4 of that. The sum of the supporting weights less 0.7 of the
// contradicting ones is divided by the sum of all weights and scaled to 0–1. Hearsay alone stays at or below 0.7.
// Quotes without an author are the persona's own words and count for nothing.
func Confidence(evidence []model.Evidence, now time.Time) float64 {
	var score, total float64
	firstHand := false
	for _, e := range evidence {
		if e.AuthorID == 0 || e.Stance == 0 {
			continue
		}
		w := weight(e, now)
		if e.Stance < 0 {
			w *= againstFactor
			score -= w
		} else {
			score += w
			firstHand = firstHand || !e.Hearsay
		}
		total += w
	}
	if total == 0 {
		return 0.5
	}
	c := (score/total + 1) / 2
	if !firstHand {
		c = min(c, hearsayCeiling)
	}
	return min(max(c, minConfidence), maxConfidence)
}

// weight returns the weight of a quote at now, whatever its stance. A quote dated after now counts as fresh.
func weight(e model.Evidence, now time.Time) float64 {
	age := max(now.Sub(e.At).Hours()/24, 0)
	w := weightFloor + (1-weightFloor)*math.Exp(-age/recencyDays)
	if e.Hearsay {
		w *= hearsayFactor
	}
	return w
}

// Doubted returns the degree of doubt at a confidence.
func Doubted(confidence float64) Doubt {
	switch {
	case confidence < abandonedBelow:
		return Abandoned
	case confidence < revisedBelow:
		return Revised
	}
	return Held
}

// Uncertain reports whether a belief of that confidence must be worded as uncertain.
func Uncertain(confidence float64) bool { return confidence < uncertainBelow }

// OnlyHearsay reports whether no first-hand evidence supports the belief.
func OnlyHearsay(evidence []model.Evidence) bool {
	heard := false
	for _, e := range evidence {
		if e.Stance <= 0 {
			continue
		}
		if !e.Hearsay {
			return false
		}
		heard = true
	}
	return heard
}
