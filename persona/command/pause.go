package command

import (
	"context"
	"strings"
)

// pauseCommand makes the persona hear and keep nothing of what the person says, until they end it: everywhere if they say
// so in a direct talk, else in this group only.
func (r Runner) pauseCommand(ctx context.Context, c call) (result, error) {
	room := c.room.ID
	if c.room.Direct {
		room = 0
	}
	switch strings.ToLower(c.rest) {
	case "", "on":
		if err := r.Store.Log.SetPaused(ctx, r.Card.Key, c.person.ID, room, true, c.inbox); err != nil {
			return result{}, err
		}
		if room == 0 {
			return result{text: "I no longer listen to you, here or in groups: I read, keep and answer nothing of what you say, except commands. /pause off ends that."}, nil
		}
		return result{text: "I no longer listen to you in this group: I read, keep and answer nothing of what you say here, except commands. /pause off ends that."}, nil
	case "off":
		if err := r.Store.Log.SetPaused(ctx, r.Card.Key, c.person.ID, room, false, c.inbox); err != nil {
			return result{}, err
		}
		everywhere, _, err := r.Store.Log.PausedIn(ctx, r.Card.Key, c.person.ID, c.room)
		if err != nil {
			return result{}, err
		}
		if everywhere {
			return result{text: "You paused me everywhere: say /pause off to me in a direct talk."}, nil
		}
		return result{text: "I listen to you again. What you said meanwhile I do not know."}, nil
	}
	return result{text: "Say /pause and I hear and keep nothing of what you say, or /pause off and I listen again."}, nil
}
