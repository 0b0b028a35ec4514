package gate

import "time"

// Hours are a part of the day, from one time of it to another as written on a clock: From after Until goes over midnight.
// The zero Hours are none.
type Hours struct{ From, Until time.Duration }

// Contains says that t, in its own zone, is within the hours.
func (h Hours) Contains(t time.Time) bool {
	clock := sinceMidnight(t)
	if h.From <= h.Until {
		return h.From <= clock && clock < h.Until
	}
	return clock >= h.From || clock < h.Until
}

// sinceMidnight is the time of day as a clock shows it, whatever was put forward or back that day.
func sinceMidnight(t time.Time) time.Duration {
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second
}

// ProactivePolicy says when the persona may speak to somebody without having been asked. Answers are always given. The zero
// Unasked never lets it.
type ProactivePolicy struct {
	// QuietHours are the hours in which it does not, by the person's own clock.
	QuietHours Hours
	// Daily is how often it may in a day, 0 for never.
	Daily int
	// MinSilence is how long somebody must not have written before.
	MinSilence time.Duration
	// Channels are the channels on whose direct rooms it may at all, each with how lately somebody must have written there;
	// 0 is whenever it was.
	Channels map[string]time.Duration
}

// spacing is how long lies at least between two things said unasked to one person, a choice of this project: two of a day
// are not one after the other.
const spacing = 4 * time.Hour

// Reason is why the persona spoke to somebody unasked, or did not.
type Reason string

// The reasons to speak.
const (
	FollowUp      Reason = "follow-up"   // something they had planned is over
	Encouragement Reason = "good wishes" // something they had planned is near
)

// The reasons not to, in the order they are looked for.
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

// The reasons that are found only when the words are looked for.
const (
	Outdated     Reason = "overtaken" // it was settled, forgotten or out of date by then
	NothingToSay Reason = "nothing to say"
)

// ContactState is what decides whether the persona may speak to one person unasked in one of their direct rooms.
type ContactState struct {
	// Now is in the person's zone.
	Now     time.Time
	Channel string
	// LastWrote is when they last wrote anywhere, WroteHere in that room; zero for never.
	LastWrote, LastWroteHere time.Time
	// LastProactive is when the persona last spoke to them unasked, Answered that they have written to it since.
	LastProactive time.Time
	Answered      bool
	// OptedOut says that they want it never to write first, Unwelcome that their network said so.
	OptedOut, Blocked bool
	// SentToday is how often it has spoken to them unasked today.
	SentToday int
	// Busy says that something waits in the room to be answered or sent.
	Busy bool
}

// Judge is the first reason not to speak to somebody unasked, Allowed when there is none.
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
