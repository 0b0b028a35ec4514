package turns

import (
	"time"

	"familiar/channels"
)

// expiryOf returns when a message said at a time is to be forgotten, zero for never.
func expiryOf(m channels.Message, at time.Time) time.Time {
	if m.ExpiresAfter <= 0 {
		return time.Time{}
	}
	return at.Add(m.ExpiresAfter)
}

// expiresAt returns when an answer given at a time is to be forgotten: with the first of the messages it answers.
func (r *TurnWriter) expiresAt(at time.Time) (first time.Time) {
	for _, h := range r.Turn.Heard {
		if v := expiryOf(h.Message, at); !v.IsZero() && (first.IsZero() || v.Before(first)) {
			first = v
		}
	}
	return first
}
