package mind

import (
	"slices"
	"time"
)

// Skill is something the persona gets better at, of a closed list: the name of a skill says nothing of anybody.
type Skill string

// The skills.
const (
	Remembering Skill = "remembering"  // brings up what was told; fails when someone must tell it again
	Answering   Skill = "answering"    // has something to say to a question
	Listening   Skill = "listening"    // takes in what is told; fails when it is corrected
	FollowingUp Skill = "following_up" // asks after what was open, and is told
	Greeting    Skill = "greeting"     // greets someone who then stays to talk
	Comforting  Skill = "comforting"   // is thanked where feelings were spoken of
	Encouraging Skill = "encouraging"  // is there when a goal gets on
	Mending     Skill = "mending"      // brings a hostile talk to a warm end
)

// Skills are all of them, in order.
var Skills = []Skill{Remembering, Answering, Listening, FollowingUp, Greeting, Comforting, Encouraging, Mending}

// Practice is how a skill went in one session.
type Practice struct {
	At                  time.Time
	Successes, Failures int
}

// greetedFrom is how many messages of the person make a greeting one that was taken up.
const greetedFrom = 2

// Practised returns how each skill went in a session that ended at; skills it did not call for are missing.
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

// Trend is where a skill is going.
type Trend string

// The trends.
const (
	Improving Trend = "improving"
	Stable    Trend = "stable"
	Declining Trend = "declining"
	Fresh     Trend = "new" // too little practice to say
)

var trends = []Trend{Improving, Stable, Declining, Fresh}

// The figures of skill, from the skill rules of docs/mind, but for those marked as project choices.
const (
	skillHalfLife = 14 * oneDay
	// failureWeight is what a failure weighs beside a success.
	failureWeight = 0.7
	// disuseAfter is how long a skill is kept without practice; then its confidence goes back to the middle, halfway in
	// each half-life.
	disuseAfter = 30 * oneDay
	// strengthAbove and weaknessBelow are where a skill is one to name.
	strengthAbove, weaknessBelow = 0.7, 0.4
	// practicePrior is what the middle weighs, in successes: a choice, so that one success proves nothing.
	practicePrior = 2
	// newBelow is how many sessions of practice a trend needs, trendSpan how far back it looks, trendStep how far
	// confidence must have moved: choices.
	newBelow  = 4
	trendSpan = 14 * oneDay
	trendStep = 0.05
)

// Figure is how well the persona does something.
type Figure struct {
	// Confidence is 0–1, 0.5 without practice. Peak is the highest it ever stood right after practice.
	Confidence float64 `json:"confidence"`
	Peak       float64 `json:"peak"`
	Trend      Trend   `json:"trend"`
	// Sessions are those that called for it.
	Sessions int `json:"sessions"`
}

// Strength and Weakness say that a figure is one to name: above 0.7, below 0.4.
func (f Figure) Strength() bool { return f.Confidence > strengthAbove }

// Weakness reports whether the figure is below 0.4.
func (f Figure) Weakness() bool { return f.Confidence < weaknessBelow }

// Skilled returns how well the persona does something at now, by its practice in any order; practice ahead of now is
// not counted. Each success adds, each failure takes 0.7, both halved with every 14 days; their balance is set against
// all that was counted and a prior of two for the middle, and scaled to 0–1. After 30 days without practice it goes
// back to the middle: what is not done is forgotten, not done badly.
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

// trend returns where a skill is going that moved by so much in trendSpan: before and in all are the sessions up to
// then and until now. What was not practised since does not improve.
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

// unpractised is the confidence in what was never done.
const unpractised = 0.5

// proficiency is what practice comes to, as of the last time.
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

// at returns the confidence at a moment after the last practice, 0–1.
func (p proficiency) at(now time.Time) float64 {
	if p.last.IsZero() {
		return unpractised
	}
	idle := now.Sub(p.last)
	left := halved(idle, skillHalfLife)
	above := p.score * left / (p.total*left + practicePrior) / 2
	return clamp(unpractised+above*halved(idle-disuseAfter, skillHalfLife), 0, 1)
}
