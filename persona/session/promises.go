package session

import (
	"familiar/memory/belief"
	"familiar/memory/understand"
)

// promised returns what the persona promised: to the person whose message it replied to, as it said it.
func (e *endedSession) promised() (open []belief.LeftOpen) {
	to := int64(0)
	for _, h := range e.talk {
		switch {
		case h.PersonID != 0:
			to = h.PersonID
		case to != 0:
			for _, c := range understand.Promises(understand.Utterance{Text: h.Text, At: h.At.In(e.zones[to])}) {
				o := belief.LeftOpen{Kind: belief.LoopPromise, PersonID: to, MessageID: h.ID, Text: c.Quote, At: h.At}
				if c.Span != nil {
					o.DueFrom, o.DueUntil = c.Span.From, c.Span.Until
				}
				open = append(open, o)
			}
		}
	}
	return open
}
