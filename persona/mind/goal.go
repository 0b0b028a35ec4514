package mind

import (
	"slices"
	"strings"
	"time"

	"familiar/internal/lazyregexp"
	"familiar/memory/lexical"
	"familiar/memory/understand"
)

// Goal is the current state of a person's goal. An understand.Analysis finds new ones.
type Goal struct {
	// Text names the goal as an activity: "writing a novel".
	Text string
	// Touched is when it was last mentioned, Mentions how often, Steps how many steps were reported.
	Touched         time.Time
	Mentions, Steps int
}

// Progress is what a message means for a goal.
type Progress string

// The kinds of progress, with the names that memory stores for the sources of a loop.
const (
	NoProgress  Progress = ""
	GoalAgain   Progress = "again"     // it is mentioned
	GoalStep    Progress = "milestone" // a step is done
	GoalReached Progress = "closed"    // it is reached
)

// Toward returns which of someone's goals a message of theirs is about, and how; −1 for none. asked is the goal that
// the persona has just asked about (see AskedAbout), −1 for none; only for that one does "I did it" count.
//
// A goal is mentioned if half of the words of its object are. A step is a word for something done with the object, or a
// part of such things if only one goal can be meant ("finished chapter 3" for "writing a novel"). A goal is reached if
// it is said to be finished itself, and not a part of it. Questions, hopes and denials are no steps.
func Toward(goals []Goal, said string, r understand.Analysis, asked int) (which int, how Progress) {
	text := plain(said)
	tells := r.Question == nil && !saysAny(text, unfinished)
	which, share := nearestGoal(goals, text)
	switch {
	case which >= 0 && tells && share == 1 && finishes(text, goals[which]):
		return which, GoalReached
	case which >= 0 && tells && saysAny(text, done):
		return which, GoalStep
	case which >= 0:
		return which, GoalAgain
	case !tells:
		return -1, NoProgress
	}
	if asked >= 0 && asked < len(goals) && saysAny(text, didIt) {
		return asked, GoalReached
	}
	if which = onlyPartOf(goals, text); which >= 0 {
		return which, GoalStep
	}
	return -1, NoProgress
}

// AskedAbout returns the goal that the persona's message asks about, −1 for none.
func AskedAbout(goals []Goal, words string) int {
	if !strings.Contains(words, "?") {
		return -1
	}
	which, _ := nearestGoal(goals, plain(words))
	return which
}

// Phrases about goals. The tables are English; another language adds its own.
var (
	// done say that something was done, finished that it ended.
	done = phrases(strings.Split("finished|completed|passed|reached|ran|wrote|written|learned|learnt|practised|practiced|managed|started|"+
		"signed up|done with|played|built|saved|lost|read|made progress|got through|half|halfway|trained|studied|submitted|climbed|quit", "|")...)
	finished = phrases(strings.Split("finished|completed|done with|passed|published|launched|submitted|achieved|graduated", "|")...)
	// didIt report the end without naming the goal.
	didIt = phrases(strings.Split("i did it|we did it|i made it|i've done it|finally done|it's finished|it's done|reached my goal|i finished it|i finished|i passed", "|")...)
	// unfinished deny it or put it in the future.
	unfinished = phrases(strings.Split("not|haven't|hasn't|didn't|don't|can't|couldn't|won't|never|yet|almost|nearly|will|i'll|hope|hoping|wish|if|want to|"+
		"going to|before|until|must|should|need to|gave up on|when i", "|")...)
	// ownDeeds are past forms that end what the goal's verb names.
	ownDeeds = map[string]string{
		"running": "ran", "building": "built", "climbing": "climbed", "quitting": "quit", "winning": "won", "restoring": "restored",
		"renovating": "renovated",
	}
	// partWords turn what follows into a part of something.
	partWords = wordsOf("chapter chapters draft page pages part half first second third section lesson week day kilometre kilometres km mile miles " +
		"module unit scene level wall frame outline version prototype song month year")
)

// fields are kinds of goals with the parts by which people report progress.
var fields = []struct{ goal, parts map[string]bool }{
	{
		wordsOf("novel book thesis story dissertation memoir screenplay play"),
		wordsOf("chapter chapters draft page pages scene outline section"),
	},
	{
		wordsOf("marathon half-marathon race triathlon running run"),
		wordsOf("km k kilometres kilometers mile miles 5k 10k 15k 20k 21k 30k"),
	},
	{wordsOf("guitar piano violin drums ukulele cello instrument"), wordsOf("song chord chords scale scales")},
	{
		wordsOf("spanish french german italian japanese chinese russian portuguese dutch english language"),
		wordsOf("lesson lessons level unit vocabulary"),
	},
	{wordsOf("app game website program software"), wordsOf("version prototype release feature demo")},
}

// wordsOf returns the set of the words of a list.
func wordsOf(list string) map[string]bool { return setOf(strings.Fields(list)) }

// nearestGoal returns the goal whose object a text names most completely, at least half of it; −1 for none. Of two
// equal ones it returns the last touched.
func nearestGoal(goals []Goal, text string) (which int, share float64) {
	heard := termsOf(text)
	which = -1
	for i, g := range goals {
		object := objectOf(g.Text)
		if len(object) == 0 {
			continue
		}
		n := 0
		for t := range object {
			if heard[t] {
				n++
			}
		}
		s := float64(n) / float64(len(object))
		if s >= 0.5 && (which < 0 || s > share || s == share && g.Touched.After(goals[which].Touched)) {
			which, share = i, s
		}
	}
	return which, share
}

// finishes reports whether a text reports the end of the goal whose object it names, and not of a part of it.
func finishes(text string, g Goal) bool {
	for w := range strings.FieldsSeq(text) {
		if partWords[w] && !strings.Contains(plain(g.Text), " "+w+" ") {
			return false
		}
	}
	verb, _, _ := strings.Cut(g.Text, " ")
	deed, own := ownDeeds[verb]
	return saysAny(text, finished) || own && saysAny(text, phrases(deed))
}

// distance matches a distance covered: "10k", "12 km".
var distance = lazyregexp.New(` \d+ ?(?:k|km|kilometres|kilometers|miles?) `)

// onlyPartOf returns the one goal of which a text reports a step by naming a part of such things; −1 if there is none
// or more than one.
func onlyPartOf(goals []Goal, text string) int {
	if !saysAny(text, done) {
		return -1
	}
	only := -1
	for i, g := range goals {
		if !namesPart(g.Text, text) {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = i
	}
	return only
}

// namesPart reports whether a text names a part of a goal's object.
func namesPart(goal, text string) bool {
	about, heard := wordsOf(plain(goal)), wordsOf(text)
	for _, f := range fields {
		if overlap(about, f.goal) == 0 {
			continue
		}
		if overlap(heard, f.parts) > 0 || f.parts["km"] && distance.MatchString(text) {
			return true
		}
	}
	return false
}

// The numbers of goals. Staleness is from the goal rules in docs/mind.md; the rest are project choices.
const (
	staleAfter   = 14 * oneDay
	goalHalfLife = 14 * oneDay

	goalRecency, goalMentions, goalSteps = 0.5, 0.3, 0.2
	mentionScale, stepScale              = 3, 2
)

// Stale reports whether a goal was not mentioned for 14 days.
func (g Goal) Stale(now time.Time) bool { return now.Sub(g.Touched) >= staleAfter }

// Priority returns how much a goal is on someone's mind, 0–1: 0.5 for how recently it was mentioned, with a half-life
// of 14 days, 0.3 for how often, and 0.2 for the steps made.
func (g Goal) Priority(now time.Time) float64 {
	return goalRecency*halved(now.Sub(g.Touched), goalHalfLife) + goalMentions*saturate(g.Mentions, mentionScale) +
		goalSteps*saturate(g.Steps, stepScale)
}

// SameGoal reports whether two texts name the same goal: the same object and the same kind of activity.
func SameGoal(a, b string) bool {
	x, y := objectOf(a), objectOf(b)
	return len(x) > 0 && len(x) == len(y) && overlap(x, y) == 1 && pursuitOf(a) == pursuitOf(b)
}

// Evolves reports whether an old goal became a new one: the new one has the whole object of the old one, and more or a
// different activity ("learning the guitar", "writing songs on the guitar").
func Evolves(old, is string) bool {
	x, y := objectOf(old), objectOf(is)
	if len(x) == 0 || len(x) > len(y) || overlap(x, y) < 1 {
		return false
	}
	return len(y) > len(x) || pursuitOf(old) != pursuitOf(is)
}

// pursuitOf returns the stem of the first word of a goal: the activity.
func pursuitOf(goal string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(plain(goal)), " ")
	return slices.Concat(lexical.English.Terms(first), []string{first})[0]
}

// objectOf returns the content of a goal without the activity, or all of it if nothing else is left ("running").
func objectOf(goal string) map[string]bool {
	first, rest, _ := strings.Cut(strings.TrimSpace(plain(goal)), " ")
	if object := termsOf(rest); len(object) > 0 {
		return object
	}
	return termsOf(first)
}

// termsOf returns the set of content terms of an English text.
func termsOf(text string) map[string]bool { return setOf(lexical.English.Terms(text)) }
