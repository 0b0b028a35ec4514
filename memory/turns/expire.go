package turns

import (
	"time"
)

// vanishes is when an answer given at that moment is to be forgotten: with the first of what it answers that is.
func (r *TurnWriter) vanishes(at time.Time) (first time.Time) {
	for _, h := range r.Turn.Heard {
		if v := vanishes(h.Message, at); !v.IsZero() && (first.IsZero() || v.Before(first)) {
			first = v
		}
	}
	return first
}
