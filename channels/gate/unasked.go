package gate

import "time"

// Hours are a part of the day, from one time of it to another as written on a clock: From after Until goes over midnight.
// The zero Hours are none.
type Hours struct{ From, Until time.Duration }

// Hold says that t, in its own zone, is within the hours.
func (h Hours) Hold(t time.Time) bool {
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

// Unasked says when the persona may speak to somebody without having been asked. Answers are always given.
type Unasked struct {
	// Quiet are the hours in which it does not, by the person's own clock.
	Quiet Hours
	// Daily is how often it may in a day, 0 for never.
	Daily int
}

// May says whether the persona may speak unasked now, in the person's zone: not in the quiet hours, not to somebody who
// wants to hear nothing, and not more often in a day.
func (u Unasked) May(now time.Time, unwelcome bool, today int) bool {
	return !unwelcome && today < u.Daily && !u.Quiet.Hold(now)
}
