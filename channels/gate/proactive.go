package gate

import "time"

// Hours is a daily period between two clock times. If From is after Until, it spans midnight. The zero Hours is empty.
type Hours struct{ From, Until time.Duration }

// Contains reports whether t, in its own zone, is within the hours.
func (h Hours) Contains(t time.Time) bool {
	clock := sinceMidnight(t)
	if h.From <= h.Until {
		return h.From <= clock && clock < h.Until
	}
	return clock >= h.From || clock < h.Until
}

// sinceMidnight returns the clock time of t, unaffected by daylight saving changes on that day.
func sinceMidnight(t time.Time) time.Duration {
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second
}

// ProactivePolicy says when the persona may write to somebody first. It does not restrict replies. The zero
// ProactivePolicy allows nothing.
type ProactivePolicy struct {
	// QuietHours are the hours without proactive messages, in the person's time zone.
	QuietHours Hours
	// Daily is the maximum number of proactive messages a day, 0 for none.
	Daily int
	// MinSilence is how long the person must not have written.
	MinSilence time.Duration
	// Channels are the channels whose direct rooms may get proactive messages, each with how recently the person must
	// have written there; 0 accepts any time.
	Channels map[string]time.Duration
}

// spacing is the minimum time between two proactive messages to one person. A project choice: two messages of one day
// should not follow each other directly.
const spacing = 4 * time.Hour

// Reason is why the persona wrote to somebody first, or did not.
type Reason string

// The reasons to write.
const (
	FollowUp      Reason = "follow-up"   // something they had planned is over
	Encouragement Reason = "good wishes" // something they had planned is near
)

// The reasons not to write, in the order they are checked.
const (
	Allowed           Reason = "" // none
	NeverWrote        Reason = "never wrote first"
	OptedOut          Reason = "opted out"
	BlockedPersona    Reason = "unwelcome"
	ChannelNotAllowed Reason = "room not allowed"
	Unanswered        Reason = "unanswered last time"
	TooSoon           Reason = "gap"
	DailyCapReached   Reason = "cap"
	InQuietHours      Reason = "quiet hours"
	Busy              Reason = "busy"
)

// The reasons found only when the message is composed.
const (
	Outdated     Reason = "overtaken" // the topic was resolved, forgotten or out of date by then
	NothingToSay Reason = "nothing to say"
)

// ContactState is what decides whether the persona may write first to one person in one of their direct rooms.
type ContactState struct {
	// Now is in the person's time zone.
	Now     time.Time
	Channel string
	// LastWrote is when they last wrote anywhere, LastWroteHere in that room; zero for never.
	LastWrote, LastWroteHere time.Time
	// LastProactive is when the persona last wrote to them first, Answered whether they have replied since.
	LastProactive time.Time
	Answered      bool
	// OptedOut reports that they turned proactive messages off, Blocked that their network reported a block.
	OptedOut, Blocked bool
	// SentToday is the number of proactive messages sent to them today.
	SentToday int
	// Busy reports that a message is pending in the room, incoming or outgoing.
	Busy bool
}

// Judge returns the first reason not to write, or Allowed if there is none.
func (u ProactivePolicy) Judge(s ContactState) Reason {
	within, here := u.Channels[s.Channel]
	switch {
	case s.LastWroteHere.IsZero():
		return NeverWrote
	case s.OptedOut:
		return OptedOut
	case s.Blocked:
		return BlockedPersona
	case !here || within > 0 && s.Now.Sub(s.LastWroteHere) > within:
		return ChannelNotAllowed
	case !s.LastProactive.IsZero() && !s.Answered:
		return Unanswered
	case s.Now.Sub(s.LastWrote) < u.MinSilence || s.Now.Sub(s.LastProactive) < spacing:
		return TooSoon
	case s.SentToday >= u.Daily || u.Daily == 0:
		return DailyCapReached
	case u.QuietHours.Contains(s.Now):
		return InQuietHours
	case s.Busy:
		return Busy
	}
	return Allowed
}
