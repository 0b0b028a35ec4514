package mind

import (
	"slices"
	"time"
)

// Skill is something the persona gets better at, from a fixed list. The name of a skill reveals nothing about anyone.
type Skill string

// The skills.
const (
	Remembering Skill = "remembering"  // brings up what was told; fails if someone must repeat it
	Answering   Skill = "answering"    // has an answer to a question
	Listening   Skill = "listening"    // understands what is told; fails if it is corrected
	FollowingUp Skill = "following_up" // asks about open loops and is told
	Greeting    Skill = "greeting"     // greets someone who then stays to talk
	Comforting  Skill = "comforting"   // is thanked after feelings were expressed
	Encouraging Skill = "encouraging"  // is there when a goal progresses
	Mending     Skill = "mending"      // turns a hostile conversation warm
)

// Skills are all skills, in order.
var Skills = []Skill{Remembering, Answering, Listening, FollowingUp, Greeting, Comforting, Encouraging, Mending}

// Practice is how a skill went in one session.
type Practice struct {
	At                  time.Time
	Successes, Failures int
}

// greetedFrom is how many messages of the person make a greeting a success.
const greetedFrom = 2

// Practised returns how each skill went in a session that ended at a time. Skills that the session did not need are
// missing.
func Practised(f SessionFacts, at time.Time) map[Skill]Practice {
	count := func(happened bool) int {
		if happened {
			return 1
		}
		return 0
	}
	stayed := f.Messages >= greetedFrom && f.Hostile == 0
	done := map[Skill]Practice{
		Remembering: {Successes: f.Recalled, Failures: f.Reminded},
		Answering:   {Successes: f.Answered, Failures: f.Unanswered},
		Listening:   {Successes: f.Learned, Failures: f.Corrections},
		FollowingUp: {Successes: min(f.AskedAfter, f.Achieved), Failures: max(f.AskedAfter-f.Achieved, 0)},
		Greeting:    {Successes: count(f.Greeted > 0 && stayed), Failures: count(f.Greeted > 0 && !stayed)},
		Comforting:  {Successes: count(f.Feelings > 0 && f.Warm > 0 && f.Hostile == 0), Failures: count(f.Feelings > 0 && f.Hostile > 0)},
		Encouraging: {Successes: count(f.GoalTouched > 0 && f.Achieved > 0), Failures: count(f.GoalTouched > 0 && f.Hostile > 0)},
		Mending:     {Successes: count(f.Hostile > 0 && f.Warm > f.Hostile), Failures: count(f.Hostile > 0 && f.Warm == 0)},
	}
	for s, p := range done {
		if p.At = at; p.Successes+p.Failures == 0 {
			delete(done, s)
			continue
		}
		done[s] = p
	}
	return done
}

// Trend is the direction in which a skill develops.
type Trend string

// The trends.
const (
	Improving Trend = "improving"
	Stable    Trend = "stable"
	Declining Trend = "declining"
	Fresh     Trend = "new" // too little practice to tell
)

var trends = []Trend{Improving, Stable, Declining, Fresh}

// The numbers of skills, from the skill rules in docs/mind.md, except those marked as project choices.
const (
	skillHalfLife = 14 * oneDay
	// failureWeight is the weight of a failure relative to a success.
	failureWeight = 0.7
	// disuseAfter is how long a skill keeps its confidence without practice. Then it returns to the midpoint, halfway
	// in each half-life.
	disuseAfter = 30 * oneDay
	// strengthAbove and weaknessBelow are the confidences at which a skill is worth mentioning.
	strengthAbove, weaknessBelow = 0.7, 0.4
	// practicePrior is the weight of the midpoint, in successes, so that one success proves nothing. A project choice.
	practicePrior = 2
	// newBelow is how many sessions of practice a trend needs, trendSpan how far back it looks, and trendStep how far
	// the confidence must have moved. Project choices.
	newBelow  = 4
	trendSpan = 14 * oneDay
	trendStep = 0.05
)

// Figure is how well the persona does something.
type Figure struct {
	// Confidence is 0–1, 0.5 without practice. Peak is the highest value right after practice.
	Confidence float64 `json:"confidence"`
	Peak       float64 `json:"peak"`
	Trend      Trend   `json:"trend"`
	// Sessions counts the sessions that needed it.
	Sessions int `json:"sessions"`
}

// Strength reports whether the confidence is above 0.7.
func (f Figure) Strength() bool { return f.Confidence > strengthAbove }

// Weakness reports whether the confidence is below 0.4.
func (f Figure) Weakness() bool { return f.Confidence < weaknessBelow }

// Skilled returns how well the persona does something at now, from its practice in any order; practice after now is
// ignored. Each success adds 1 and each failure subtracts 0.7, both with a half-life of 14 days. The balance is divided
// by the sum of all weights and a prior of two for the midpoint, and scaled to 0–1. After 30 days without practice
// the confidence returns to the midpoint: an unused skill is forgotten, not bad.
func Skilled(history []Practice, now time.Time) Figure {
	history = slices.DeleteFunc(slices.Clone(history), func(p Practice) bool { return p.At.After(now) })
	slices.SortStableFunc(history, func(a, b Practice) int { return a.At.Compare(b.At) })
	f := Figure{Sessions: len(history), Peak: unpractised}
	var is, was proficiency
	before := 0 // sessions up to trendSpan ago
	for _, p := range history {
		is = is.after(p)
		f.Peak = max(f.Peak, is.at(p.At))
		if now.Sub(p.At) > trendSpan {
			was = is
			before++
		}
	}
	f.Confidence = is.at(now)
	f.Trend = trend(f.Confidence-was.at(now.Add(-trendSpan)), before, f.Sessions)
	return f
}

// trend returns the trend of a skill whose confidence moved by that much in trendSpan. before and in all are the
// numbers of sessions until then and until now. An unpractised skill does not improve.
func trend(moved float64, before, inAll int) Trend {
	switch {
	case before == 0 || inAll < newBelow:
		return Fresh
	case moved >= trendStep && inAll > before:
		return Improving
	case moved <= -trendStep:
		return Declining
	}
	return Stable
}

// unpractised is the confidence without practice.
const unpractised = 0.5

// proficiency is the result of practice, as of the last session.
type proficiency struct {
	score, total float64
	last         time.Time
}

// after returns the proficiency with one more session.
func (p proficiency) after(one Practice) proficiency {
	if left := halved(one.At.Sub(p.last), skillHalfLife); !p.last.IsZero() {
		p.score, p.total = p.score*left, p.total*left
	}
	good, bad := float64(max(one.Successes, 0)), failureWeight*float64(max(one.Failures, 0))
	return proficiency{p.score + good - bad, p.total + good + bad, one.At}
}

// at returns the confidence at a time after the last practice, 0–1.
func (p proficiency) at(now time.Time) float64 {
	if p.last.IsZero() {
		return unpractised
	}
	idle := now.Sub(p.last)
	left := halved(idle, skillHalfLife)
	above := p.score * left / (p.total*left + practicePrior) / 2
	return clamp(unpractised+above*halved(idle-disuseAfter, skillHalfLife), 0, 1)
}
