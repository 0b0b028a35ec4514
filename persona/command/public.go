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
func (r Runner) answerElsewhere(ctx context.Context, h log.InboxEntry, person model.Person, room model.Room, name string) error {
	if !knownCommand(name) {
		if err := r.Store.Log.DismissCommand(ctx, h.ID); err != nil {
			return fmt.Errorf("ignore /%s: %w", name, err)
		}
		r.Outbox.NoReply(h.Message)
		return nil
	}
	text := fmt.Sprintf("You asked /%s in %s. I answer that to you alone: ask me here.", name, title(room))
	direct, err := r.Store.Log.DirectRoom(ctx, room.Channel, person.ID)
	if errors.Is(err, memory.ErrNotFound) {
		direct, err, text = room, nil, fmt.Sprintf("I answer /%s in a direct talk only.", name)
	}
	if err != nil {
		return fmt.Errorf("find where to answer /%s: %w", name, err)
	}
	if err := r.tell(ctx, h, direct, result{text: text}); err != nil {
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
func title(room model.Room) string {
	if room.Title == "" {
		return "a group"
	}
	return "“" + room.Title + "”"
}
