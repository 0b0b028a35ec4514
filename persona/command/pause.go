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
			return c.told("pause.everywhere"), nil
		}
		return c.told("pause.here"), nil
	case "off":
		if err := r.Store.Log.SetPaused(ctx, r.Card.Key, c.person.ID, room, false, c.inbox); err != nil {
			return result{}, err
		}
		everywhere, _, err := r.Store.Log.PausedIn(ctx, r.Card.Key, c.person.ID, c.room)
		if err != nil {
			return result{}, err
		}
		if everywhere {
			return c.told("pause.still"), nil
		}
		return c.told("pause.off"), nil
	}
	return c.told("pause.usage"), nil
}
