package mind

import (
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
)

// The numbers of trust, from the relationship rules in docs/mind.md.
const (
	trustCorrected = 0.02 // they corrected the persona
	trustWarm      = 0.03 // they were warm
	trustTogether  = 0.02 // something was achieved together
	trustHostile   = 0.04 // they were hostile
	// TrustPerDay bounds the change of trust within a day: one session in which everything went well.
	TrustPerDay = trustCorrected + trustWarm + trustTogether
)

// The shares of the bond, from the relationship rules in docs/mind.md, and the scale of each part's curve 1 −
// e^(−n/scale). At the scale a part has reached 63 % of its share, at three times the scale 95 %.
const (
	bondInteractions, bondTrust, bondHistory, bondNotes = 0.30, 0.30, 0.20, 0.20

	interactionsScale = 200 // messages: some weeks of daily conversation
	historyScale      = 20  // significant sessions
	notesScale        = 30  // things learned about the person
)

// Seen returns the relationship after the persona saw a message of the person to someone else.
func Seen(rel model.Relationship, at time.Time) model.Relationship {
	if rel.FirstMet.IsZero() || at.Before(rel.FirstMet) {
		rel.FirstMet = at
	}
	if at.After(rel.LastSeen) {
		rel.LastSeen = at
	}
	return rel
}

// Heard returns the relationship after one more message of the person at a time in their timezone. It counts the
// message and its part of the day. It never changes trust. A message out of order changes neither the days nor the last
// contact.
func Heard(rel model.Relationship, text string, r understand.Analysis, at time.Time) model.Relationship {
	rel = Seen(rel, at)
	// Days only move forward, so that changing the timezone back and forth adds no days.
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

// Ended returns the relationship after a session that ended at a time in the person's timezone. It counts the session,
// what was learned and whether it was significant, and moves trust by what happened. How often something happened
// within the session makes no difference.
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

// moveTrust moves trust by one step. Gains shrink as trust approaches 1, and trust never moves further than TrustPerDay
// from its value at the start of the day. TrustMoved holds the day's net change.
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

// Bond returns the strength of the relationship, 0–1: 0.30 interactions + 0.30 trust + 0.20 shared history + 0.20
// notes. Each part follows the curve 1 − e^(−n/scale), except trust, which saturates by itself.
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

// FriendFrom and CloseFrom are the bond at which each stage begins, with the time since the first contact: no one becomes a friend in an
// afternoon. With good daily conversations a friend takes about two weeks, a close one six. Project choices.
const (
	FriendFrom              = 0.30
	CloseFrom               = 0.60
	friendAfter, closeAfter = 3 * 24 * time.Hour, 14 * 24 * time.Hour
)

// Stage returns the stage of a relationship at now: stranger, acquaintance, friend or close. A person who returns after
// a first session is no stranger.
func Stage(rel model.Relationship, now time.Time) string {
	bond, known := Bond(rel), now.Sub(rel.FirstMet)
	switch {
	case rel.Sessions == 0:
		return Stranger
	case bond >= CloseFrom && known >= closeAfter:
		return Close
	case bond >= FriendFrom && known >= friendAfter:
		return Friend
	}
	return Acquaintance
}

// The conversation styles.
const (
	Direct      = "direct"      // short messages
	Detailed    = "detailed"    // long messages
	Exploratory = "exploratory" // many questions
	Balanced    = "balanced"
)

// The numbers of styles are project choices: a chat message has about ten words.
const (
	// styleFrom is how many messages are needed to judge a style.
	styleFrom = 5
	// exploratoryShare is the share of questions that makes a style exploratory.
	exploratoryShare = 0.5
	// directWords and detailedWords bound the mean number of words per message.
	directWords, detailedWords = 5, 25
)

// Style returns how the person likes to talk, judged by their messages: direct, detailed, exploratory or balanced. It
// is balanced for fewer than five messages.
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
