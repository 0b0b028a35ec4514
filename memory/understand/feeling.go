package understand

import (
	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// intensities maps the words for feelings to their strength, 0–1.
var intensities = map[string]float64{
	"sad": .6, "happy": .5, "stressed": .7, "anxious": .7, "worried": .6, "scared": .7, "afraid": .7, "angry": .7, "mad": .6,
	"upset": .65, "lonely": .75, "excited": .6, "proud": .6, "depressed": .9, "tired": .35, "exhausted": .6, "nervous": .6,
	"frustrated": .6, "disappointed": .6, "grateful": .55, "thankful": .5, "hopeful": .5, "hopeless": .9, "heartbroken": .95,
	"devastated": .95, "overwhelmed": .75, "ashamed": .7, "guilty": .65, "jealous": .6, "relieved": .55, "content": .45,
	"bored": .35, "confused": .4, "hurt": .7, "terrified": .85, "miserable": .8, "thrilled": .75, "ecstatic": .85, "furious": .85,
	"annoyed": .5, "homesick": .65, "embarrassed": .6, "calm": .4, "down": .55, "low": .5, "awful": .65, "terrible": .65,
	"great": .45, "good": .35, "better": .4, "bad": .5, "amazing": .6, "wonderful": .6, "lost": .6, "empty": .7, "insecure": .6,
	"drained": .6, "burnt": .6, "burned": .6, "optimistic": .5, "inspired": .5, "blessed": .5, "glad": .5, "unhappy": .65,
	"crushed": .85, "panicked": .8, "restless": .45, "numb": .7, "fine": .2, "okay": .2, "sick": .4, "loved": .6, "gutted": .75,
}

// onlyFelt holds the words that name a feeling only after "I feel": "I'm good" and "I'm lost" are small talk.
var onlyFelt = english.Set("good great better bad fine okay low down content lost empty burnt burned sick awful terrible amazing wonderful hurt loved calm mad")

// Intensity returns the strength of a feeling's word, 0–1, or 0 for any other word.
func Intensity(feeling string) float64 { return intensities[english.Normalize(feeling)] }

var (
	feels  = english.CompileAll("I feel~ {rest}", "i am feeling {rest}", "i have been feeling {rest}", "I felt {rest}", "it|that|this makes|made me feel? {rest}", "i am getting {rest}", "feeling {rest}")
	isFelt = english.Compile("I am~ {rest}")
)

// degrees holds the words that may come before a feeling's word.
var degrees = english.Set("so very really quite pretty a bit little too extremely incredibly super kind of rather absolutely totally terribly still just always " +
	"more not never feeling also now such deeply")

// feeling reads how the speaker, or a named person, feels.
func (r *reading) feeling(c english.Clause) {
	for i := range c.Words {
		if c.Low(i-1) == "when" || c.Low(i-1) == "that" {
			continue // of times in general
		}
		m, felt := feels.Find(c, i)
		if !felt || c.Low(i) == "feeling" && i != english.SkipLeads(c, 0) {
			var ok bool
			if m, ok = isFelt.Find(c, i); !ok {
				continue
			}
			felt = false
		}
		if m.Kin != "" {
			continue // how others feel passes before it can be asked for
		}
		k, negated := m.From, false
		for degrees[c.Low(k)] && intensities[c.Low(k)] == 0 {
			negated = negated || c.Low(k) == "not" || c.Low(k) == "never"
			felt = felt || c.Low(k) == "feeling"
			k++
		}
		if w := c.Low(k); intensities[w] == 0 || onlyFelt[w] && !felt || proverb(c, k) {
			continue
		}
		r.add(c, Claim{Kind: rel.Feeling, Subject: m.Subject, Relation: "feels", Value: c.Low(k), Many: true, Negates: negated, Span: r.spanIn(c, nil)}, i, min(k+6, len(c.Words)))
		return
	}
}

// kindness holds the feelings that people express in reply to news.
var kindness = english.Set("glad happy excited proud thrilled grateful thankful sad sorry")

var politeVerbs = english.Set("hear see meet help know read")

// proverb reports whether the feeling's word belongs to an idiom: "I'm afraid so", "I'm tired of this", "I'm proud of
// you".
func proverb(c english.Clause, k int) bool {
	next := c.Low(k + 1)
	if kindness[c.Low(k)] && (next == "you" || next == "it" || next == "that" || c.Low(k+2) == "you" || next == "to" && politeVerbs[c.Low(k+2)]) {
		return true
	}
	return c.Low(k) == "afraid" && (next == "so" || next == "not" || next == "i" || next == "that") || c.Low(k) == "tired" && next == "of"
}
