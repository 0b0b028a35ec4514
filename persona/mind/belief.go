package mind

import (
	"math"
	"time"

	"familiar/memory/model"
)

// The figures of belief, from the belief rules of docs/mind.
const (
	// recencyDays is the age at which a quote's recency has fallen to 1/e.
	recencyDays = 30
	// weightFloor is what the oldest quote still weighs; recency adds the rest up to 1.
	weightFloor = 0.3
	// againstFactor damps a quote against: one denial does not outweigh one assertion of the same age.
	againstFactor = 0.7
	// hearsayFactor damps what someone said about someone else.
	hearsayFactor = 0.4
	// minConfidence and maxConfidence keep a belief open to the next quote.
	minConfidence, maxConfidence = 0.01, 0.99
	// hearsayCeiling is the most that hearsay alone can reach: the middle, raised by what hearsay weighs.
	hearsayCeiling = (1 + hearsayFactor) / 2
	// modelCeiling is the most that a belief can reach that only a model read.
	modelCeiling = 0.8
	// uncertainBelow is where a belief is spoken as uncertain.
	uncertainBelow = 0.5
)

// Confidence is how far the evidence carries a belief at now, 0.01–0.99; 0.5 when nobody has said anything.
//
// A quote weighs 0.3 + 0.7·e^(−age/30 d), hearsay 0.4 of that. The sum of what speaks for, less 0.7 of what speaks
// against, is set against the sum of all that was counted and scaled to 0–1. Hearsay alone stays at or below 0.7.
// What only a model read stays at or below 0.8. Quotes without an author are the persona's own words and count for nothing.
func Confidence(evidence []model.Evidence, now time.Time) float64 {
	var score, total float64
	firstHand, confirmed := false, false
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
			firstHand, confirmed = firstHand || !e.Hearsay, confirmed || !e.ByModel
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
	if !confirmed {
		c = min(c, modelCeiling)
	}
	return min(max(c, minConfidence), maxConfidence)
}

// weight returns what one quote counts at now, whatever its stance. A quote dated ahead of now counts as fresh.
func weight(e model.Evidence, now time.Time) float64 {
	age := max(now.Sub(e.At).Hours()/24, 0)
	w := weightFloor + (1-weightFloor)*math.Exp(-age/recencyDays)
	if e.Hearsay {
		w *= hearsayFactor
	}
	return w
}

// Uncertain reports whether a belief of that confidence must be spoken as uncertain.
func Uncertain(confidence float64) bool { return confidence < uncertainBelow }

// OnlyHearsay reports whether nothing first-hand supports the belief.
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
