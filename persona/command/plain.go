package command

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/when"
	"familiar/persona/card"
	"familiar/persona/request"
)

// Asked reports whether a message asks in plain words for what a command does.
func Asked(m channels.Message) bool {
	_, ok := requestOf(m)
	return ok
}

// requestOf returns the command that a message asks for in plain words. In a group people say such things to each other. What its words are taken to name must be there: a
// language, a timezone, a time. Otherwise the message is part of the talk, like any other.
//
// Nothing asks for /correct: what people put right in ordinary talk is learned as they say it. Nothing ends a pause either, since
// nothing that is said meanwhile is read.
func requestOf(m channels.Message) (request.Command, bool) {
	if !m.Direct || !m.Addressed || m.Action != channels.Post || m.Proactive != "" || len(m.Attachments) > 0 && !m.OnlySpoken() {
		return request.Command{}, false
	}
	c, ok := request.Read(m.Text)
	if !ok {
		return request.Command{}, false
	}
	switch c.Name {
	case "language":
		ok = utf8.RuneCountInString(c.Args) >= shortestLanguage && card.LanguageNamed(c.Args) != ""
	case "timezone":
		name, near := zoneNamed(c.Args)
		ok = name != "" || near != ""
	case "remind":
		c.Args, ok = timeFirst(c.Args, m.At)
	}
	return c, ok
}

// shortestLanguage is how many letters the name of a language has at least. Shorter words are tags, which nobody says: "it" is
// Italian, and "no" Norwegian.
const shortestLanguage = 4

// timeFirst returns what somebody wants to be reminded of in the order that /remind takes, false if no time is in it.
func timeFirst(said string, now time.Time) (string, bool) {
	if m, ok := when.ReadMoment(said, now); ok {
		return said, m.Rest != ""
	}
	for i, r := range said {
		if r != ' ' {
			continue
		}
		if m, ok := when.ReadMoment(said[i+1:], now); ok && m.Rest == "" {
			return said[i+1:] + " " + said[:i], true
		}
	}
	return "", false
}

// InPlainWords answers a message that asks in plain words for what a command does, and reports whether it does. A plain yes
// confirms what waits for one if it was written: a spoken one may be misheard. Anything else drops it, so that no later yes is
// taken for one.
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
	case waits != "" && request.IsYes(m.Text) && m.Spoken():
		return true, r.answer(ctx, h, spoken{m.Text, "forget", spokenYes})
	case waits != "" && request.IsYes(m.Text):
		return true, r.answer(ctx, h, spoken{m.Text, "forget", "yes"})
	case waits != "" && request.IsNo(m.Text):
		return true, r.answer(ctx, h, spoken{m.Text, "forget", "no"})
	case waits != "":
		if err := r.Proposals.Delete(ctx, waits); err != nil {
			return false, fmt.Errorf("drop what waits for a yes: %w", err)
		}
	}
	c, asked := requestOf(m)
	if !asked {
		return false, nil
	}
	return true, r.answer(ctx, h, spoken{m.Text, c.Name, c.Args})
}

// proposalWaits returns the key of what waits for a yes of a message's author in its room, "" for nothing.
func (r Runner) proposalWaits(ctx context.Context, m channels.Message) (string, error) {
	if none, err := r.Proposals.none(ctx); err != nil || none {
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
	_, err = r.Proposals.Get(ctx, key)
	if errors.Is(err, channels.ErrNotFound) {
		return "", nil
	}
	return key, err
}
