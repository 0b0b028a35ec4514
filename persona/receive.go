package persona

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"familiar/channels"
	"familiar/memory/log"
	"familiar/persona/command"
	"familiar/persona/route"
)

// Accept stores m durably for the personas that receive it and wakes their lanes. Channels call it for every event. It
// may be called before Run and from any goroutine. It ignores an event that was delivered before, and does not store a
// message for a persona that its author has paused. Whom a message is for is decided here, once, and stored with it:
// neither a restart nor another configuration changes it.
func (c *Cast) Accept(ctx context.Context, m channels.Message) error {
	if m.Action == channels.Move {
		return c.moveRoom(ctx, m)
	}
	if err := c.BurnCodes(ctx, m); err != nil {
		return err
	}
	if m.Press != (channels.Press{}) {
		return c.acceptPress(ctx, m)
	}
	to, err := c.deliveries(ctx, m)
	if err != nil {
		return fmt.Errorf("find whom a message on %s is for: %w", m.Room.Channel, err)
	}
	return c.deliver(ctx, m, to)
}

// deliver stores m for those who receive it, and wakes their lanes.
func (c *Cast) deliver(ctx context.Context, m channels.Message, to []log.Delivery) error {
	fresh, err := c.store.Log.Deliver(ctx, c.everKnown(), to...)
	if errors.Is(err, log.ErrPaused) {
		c.NoReply(m)
		err = nil
	}
	if err != nil {
		return fmt.Errorf("store message %s from %s: %w", m.ID, m.Room.Channel, err)
	}
	if !fresh {
		return nil
	}
	if len(to) > 0 && !c.fleet.Answers(m.Room) {
		c.fleet.Tell(wakeFor(to[0].Message))
		return nil
	}
	for _, d := range to {
		if e := c.Engine(d.Persona); e != nil {
			e.signal(wakeFor(d.Message))
		}
	}
	return nil
}

// deliveries returns m as each persona receives it. Only one of them sees a message that asks for a reply; a command reaches
// nobody else.
func (c *Cast) deliveries(ctx context.Context, m channels.Message) ([]log.Delivery, error) {
	if err := c.readOnce(ctx); err != nil {
		return nil, err
	}
	router := c.Router()
	if m.Action != channels.Post {
		return c.actionDeliveries(ctx, router, m)
	}
	facts := route.Facts{Message: m, Chosen: c.chosenFor(m.Room)}
	if present := router.Present(m); !m.Direct && m.ReplyTo != "" && len(present) > 1 {
		by, err := c.store.Log.SaidBy(ctx, present, m.Room, m.ReplyTo)
		if err != nil {
			return nil, err
		}
		facts.RepliesTo = by
	}
	decided := router.Route(facts)
	to := []log.Delivery{{Persona: decided.For, Message: m}}
	if command.Is(m) {
		return to, nil
	}
	m.Addressed, m.ReplyData, m.Overheard = false, "", true
	for _, key := range decided.Hears {
		to = append(to, log.Delivery{Persona: key, Message: m})
	}
	return to, nil
}

// ForAdults reports whether the persona that m is for is for adults.
func (c *Cast) ForAdults(ctx context.Context, m channels.Message) (bool, error) {
	if !slices.ContainsFunc(c.Engines(), func(e *Engine) bool { return e.Card.Adult }) {
		return false, nil
	}
	to, err := c.deliveries(ctx, m)
	if err != nil {
		return false, fmt.Errorf("find whether a message on %s is for a persona for adults: %w", m.Room.Channel, err)
	}
	e := c.Engine(to[0].Persona)
	return e != nil && e.Card.Adult, nil
}

// actionDeliveries returns an action on an earlier message for each persona that received or said that, served or not. If
// nobody did, the action is for those to whom the message would go.
func (c *Cast) actionDeliveries(ctx context.Context, router route.Router, m channels.Message) (to []log.Delivery, err error) {
	keys := c.keys
	if all := c.everKnown(); len(all) > 1 {
		if keys, err = c.store.Log.ReceivedBy(ctx, all, m.Room, m.TargetID); err != nil {
			return nil, err
		}
	}
	if len(keys) == 0 {
		decided := router.Route(route.Facts{Message: m, Chosen: c.chosenFor(m.Room)})
		keys = append([]string{decided.For}, decided.Hears...)
	}
	for i, key := range keys {
		m.Overheard = i > 0
		to = append(to, log.Delivery{Persona: key, Message: m})
	}
	return to, nil
}

// everKnown returns the personas that may have received a message: those that are served, and others with messages in the
// inbox.
func (c *Cast) everKnown() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Concat(c.keys, c.former)
}

// readOnce reads what routing needs from the store before the first message.
func (c *Cast) readOnce(ctx context.Context) error {
	c.mu.Lock()
	known := c.chosen != nil
	c.mu.Unlock()
	if known {
		return nil
	}
	found, err := c.store.Log.InboxPersonas(ctx)
	if err != nil {
		return err
	}
	former := slices.DeleteFunc(found, func(key string) bool { return c.Engine(key) != nil })
	c.mu.Lock()
	c.former = former
	c.mu.Unlock()
	return c.readChosen(ctx)
}

// readChosen reads which personas people chose for their direct rooms.
func (c *Cast) readChosen(ctx context.Context) error {
	chosen, err := c.store.Log.ChosenPersonas(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chosen = chosen
	return nil
}

// chosenFor returns the persona that was chosen for a room, "" for none.
func (c *Cast) chosenFor(room channels.Room) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.chosen[room]
}

// BurnCodes makes link codes invalid that somebody shows in a group, where everybody could use them. That holds for every
// message in a group, also for one that is not stored. It does nothing in a direct room.
func (c *Cast) BurnCodes(ctx context.Context, m channels.Message) error {
	if m.Direct {
		return nil
	}
	burnt, err := c.store.Links.Burn(ctx, command.CodesIn(m.FullText())...)
	if err != nil {
		return fmt.Errorf("burn a link code shown in a group: %w", err)
	}
	if burnt {
		c.log.Warn("a link code was shown in a group and is no longer valid", "channel", m.Room.Channel)
	}
	return nil
}
