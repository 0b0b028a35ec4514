package persona

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
)

// isPublic reports whether the answer to a command would be read by others than who asked.
func isPublic(m channels.Message) bool { return !m.Direct && !m.PrivateReply }

// answerElsewhere deals with a command given where others would read the answer: what is remembered of someone is for
// them alone. They are told so in their direct room, where they have one on that network, else in one line that gives
// nothing away. A command nobody knows was meant for another bot, or is a slip: a group is not told.
func (cm commander) answerElsewhere(ctx context.Context, h log.InboxEntry, person model.Person, room model.Room, name string) error {
	if !knownCommand(name) {
		if err := cm.Store.Log.DismissCommand(ctx, h.ID); err != nil {
			return fmt.Errorf("pass over /%s: %w", name, err)
		}
		cm.NoReply(h.Message)
		return nil
	}
	text := fmt.Sprintf("You asked /%s in %s. I answer that to you alone: ask me here.", name, title(room))
	direct, err := cm.Store.Log.DirectRoom(ctx, room.Channel, person.ID)
	if errors.Is(err, memory.ErrNotFound) {
		direct, err, text = room, nil, fmt.Sprintf("I answer /%s in a direct talk only.", name)
	}
	if err != nil {
		return fmt.Errorf("find where to answer /%s: %w", name, err)
	}
	if err := cm.tell(ctx, h, direct, commandResult{text: text}); err != nil {
		return fmt.Errorf("answer /%s elsewhere: %w", name, err)
	}
	cm.sender.wake(direct)
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

// title returns what a group is called when it is spoken of.
func title(room model.Room) string {
	if room.Title == "" {
		return "a group"
	}
	return "“" + room.Title + "”"
}
