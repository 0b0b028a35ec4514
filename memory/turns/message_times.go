package turns

import (
	"time"

	"familiar/channels"
)

// vanishes is when a message said at that moment is to be forgotten, zero for never.
func vanishes(m channels.Message, at time.Time) time.Time {
	if m.ExpiresAfter <= 0 {
		return time.Time{}
	}
	return at.Add(m.ExpiresAfter)
}
