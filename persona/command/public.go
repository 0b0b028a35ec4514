package command

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
)

// isPublic reports whether others than the author would read the answer to a command.
func isPublic(m channels.Message) bool { return !m.Direct && !m.PrivateReply }

// answerElsewhere handles a command given in a group, where others would read the answer: memories of a person are for
// that person alone. It answers in their direct room if they have one on that network, otherwise with one line that
// reveals nothing. It ignores unknown commands, which may be typos or meant for another bot.
func (r Runner) answerElsewhere(ctx context.Context, h log.InboxEntry, c call, name string) error {
	if !knownCommand(name) {
		if err := r.Store.Log.DismissCommand(ctx, h.ID); err != nil {
			return fmt.Errorf("ignore /%s: %w", name, err)
		}
		r.Outbox.NoReply(h.Message)
		return nil
	}
	answer := c.told("elsewhere.here", "name", name, "group", c.title(c.room))
	direct, err := r.Store.Log.DirectRoom(ctx, c.room.Channel, c.person.ID)
	if errors.Is(err, memory.ErrNotFound) {
		direct, err, answer = c.room, nil, c.told("elsewhere.only", "name", name)
	}
	if err != nil {
		return fmt.Errorf("find where to answer /%s: %w", name, err)
	}
	if err := r.tell(ctx, h, direct, answer); err != nil {
		return fmt.Errorf("answer /%s in a direct room: %w", name, err)
	}
	r.Outbox.Wake(direct)
	return nil
}

func knownCommand(name string) bool {
	for _, c := range commands() {
		if c.Name == name {
			return true
		}
	}
	return false
}

// title returns how to refer to a group.
func (t *tongue) title(room model.Room) string {
	if room.Title == "" {
		return t.say("elsewhere.group")
	}
	return "“" + room.Title + "”"
}
