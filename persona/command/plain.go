package command

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona/request"
)

// Asked reports whether a message asks in plain words for what a command does. In a group people say such things to
// each other.
func Asked(m channels.Message) bool {
	if !m.Direct || !m.Addressed || m.Action != channels.Post || m.Proactive != "" || len(m.Attachments) > 0 {
		return false
	}
	_, ok := request.Read(m.Text)
	return ok
}

// InPlainWords answers a message that asks in plain words for what a command does, and reports whether it does. A plain yes
// confirms what waits for one; anything else drops it, so that no later yes is taken for one.
func (r Runner) InPlainWords(ctx context.Context, h log.InboxEntry) (bool, error) {
	m := h.Message
	if !m.Direct || !m.Addressed || m.Action != channels.Post || m.Proactive != "" {
		return false, nil
	}
	waits, err := r.proposalWaits(ctx, m)
	if err != nil {
		return false, err
	}
	switch {
	case waits != "" && request.IsYes(m.Text):
		return true, r.answer(ctx, h, spoken{m.Text, "forget", "yes"})
	case waits != "":
		if err := r.proposals().Delete(ctx, waits); err != nil {
			return false, fmt.Errorf("drop what waits for a yes: %w", err)
		}
	}
	if !Asked(m) {
		return false, nil
	}
	c, _ := request.Read(m.Text)
	return true, r.answer(ctx, h, spoken{m.Text, c.Name, c.Args})
}

// proposalWaits returns the key of what waits for a yes of a message's author in its room, "" for nothing.
func (r Runner) proposalWaits(ctx context.Context, m channels.Message) (string, error) {
	waiting, err := r.proposals().Keys(ctx, "")
	if err != nil || len(waiting) == 0 {
		return "", err
	}
	room, err := r.Store.Log.RoomByAddress(ctx, m.Room)
	if errors.Is(err, memory.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find what waits for a yes: %w", err)
	}
	key := proposalKeyOf(room.ID, room.PersonID)
	_, err = r.proposals().Get(ctx, key)
	if errors.Is(err, channels.ErrNotFound) {
		return "", nil
	}
	return key, err
}
