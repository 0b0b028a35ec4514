package mind

import (
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
)

// The figures of trust, from the relationship rules of docs/mind.
const (
	trustCorrected = 0.02 // they corrected us
	trustWarm      = 0.03 // they were warm
	trustTogether  = 0.02 // something was achieved together
	trustHostile   = 0.04 // they were hostile
	// TrustPerDay bounds how far trust can move between the start and the end of one day: one session in which
	// everything went well.
	TrustPerDay = trustCorrected + trustWarm + trustTogether
)

// The shares of the bond, from the relationship rules of docs/mind, and the scale of each part's curve
// 1 − e^(−n/scale): at the scale a part has reached 63 % of its share, at three times the scale 95 %.
const (
	bondInteractions, bondTrust, bondHistory, bondNotes = 0.30, 0.30, 0.20, 0.20

	interactionsScale = 200 // messages: some weeks of daily talk
	historyScale      = 20  // sessions that mattered
	notesScale        = 30  // things learned about the person
)

// Seen returns the relationship after the person was heard saying something to someone else.
func Seen(rel model.Relationship, at time.Time) model.Relationship {
	if rel.FirstMet.IsZero() || at.Before(rel.FirstMet) {
		rel.FirstMet = at
	}
	if at.After(rel.LastSeen) {
		rel.LastSeen = at
	}
	return rel
}

// Heard returns the relationship after one more message of the person, said at (in the person's zone): counted, with
// the part of the day. It never moves trust, and a message that arrives out of order changes no day and no last sight.
func Heard(rel model.Relationship, text string, r understand.Analysis, at time.Time) model.Relationship {
	rel = Seen(rel, at)
	// Days only move forward: a person who changes their zone back and forth wins no days by it.
	if day := at.Format(time.DateOnly); day > rel.LastDay {
		rel.LastDay = day
		rel.Days++
	}
	rel.Messages++
	rel.Words += Words(text)
	countPart(&rel, at)
	if r.Question != nil {
		rel.Questions++
	}
	return rel
}

// Ended returns the relationship after a session that ended at (in the person's zone): the session is counted, with
// what was learned in it and whether it mattered, and trust moves by what happened. How often something happened within
// one session makes no difference.
func Ended(rel model.Relationship, facts SessionFacts, at time.Time) model.Relationship {
	rel.Sessions++
	rel.Notes += facts.Learned
	if Weigh(facts).Class != Routine {
		rel.History++
	}
	if day := at.Format(time.DateOnly); day > rel.TrustDay {
		rel.TrustDay, rel.TrustMoved = day, 0
	}
	for _, step := range []struct {
		happened int
		by       float64
	}{
		{facts.Corrections, trustCorrected},
		{facts.Warm, trustWarm},
		{facts.Achieved, trustTogether},
		{facts.Hostile, -trustHostile},
	} {
		if step.happened > 0 {
			rel = moveTrust(rel, step.by)
		}
	}
	return rel
}

// moveTrust moves trust one step: gains shrink as trust nears 1, and neither gains nor losses carry it further than
// TrustPerDay from where the day began. TrustMoved holds the day's net move.
func moveTrust(rel model.Relationship, step float64) model.Relationship {
	if step > 0 {
		step *= 1 - rel.Trust
	}
	step = min(max(rel.TrustMoved+step, -TrustPerDay), TrustPerDay) - rel.TrustMoved
	before := rel.Trust
	rel.Trust = min(max(before+step, 0), 1)
	rel.TrustMoved += rel.Trust - before
	return rel
}

// Bond returns how much the two have together, 0–1: 0.30 interactions + 0.30 trust + 0.20 shared history + 0.20
// notes, each part but trust, which saturates by itself, on the curve 1 − e^(−n/scale).
func Bond(rel model.Relationship) float64 {
	return bondInteractions*saturate(rel.Messages, interactionsScale) +
		bondTrust*min(max(rel.Trust, 0), 1) +
		bondHistory*saturate(rel.History, historyScale) +
		bondNotes*saturate(rel.Notes, notesScale)
}

// The stages of a relationship.
const (
	Stranger     = "stranger"
	Acquaintance = "acquaintance"
	Friend       = "friend"
	Close        = "close"
)

// Where a stage begins: in bond, and in time since they met, for nobody is befriended in an afternoon. With good daily
// talk it takes about two weeks to a friend and six to someone close. Choices of this project.
const (
	friendFrom, closeFrom   = 0.30, 0.60
	friendAfter, closeAfter = 3 * 24 * time.Hour, 14 * 24 * time.Hour
)

// Stage returns how far two have come by now: stranger, acquaintance, friend or close. Whoever comes back after a first
// session is no stranger.
func Stage(rel model.Relationship, now time.Time) string {
	bond, known := Bond(rel), now.Sub(rel.FirstMet)
	switch {
	case rel.Sessions == 0:
		return Stranger
	case bond >= closeFrom && known >= closeAfter:
		return Close
	case bond >= friendFrom && known >= friendAfter:
		return Friend
	}
	return Acquaintance
}

// The styles of talking.
const (
	Direct      = "direct"      // short messages
	Detailed    = "detailed"    // long messages
	Exploratory = "exploratory" // many questions
	Balanced    = "balanced"
)

// The figures of style are project choices: a chat message has about ten words.
const (
	// styleFrom is how many messages it takes to judge.
	styleFrom = 5
	// exploratoryShare of messages being questions makes a style exploratory.
	exploratoryShare = 0.5
	// directWords and detailedWords bound the mean words per message.
	directWords, detailedWords = 5, 25
)

// Style returns how the person likes to talk, judged by how they do: direct, detailed, exploratory or balanced, which
// it stays until there are five messages to judge by.
func Style(rel model.Relationship) string {
	if rel.Messages < styleFrom {
		return Balanced
	}
	n := float64(rel.Messages)
	words := float64(rel.Words) / n
	switch {
	case float64(rel.Questions)/n >= exploratoryShare:
		return Exploratory
	case words < directWords:
		return Direct
	case words > detailedWords:
		return Detailed
	}
	return Balanced
}
