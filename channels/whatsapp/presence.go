package whatsapp

import (
	"context"
	"time"

	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
)

// typingInterval is how often the typing indicator is renewed; phones hide it slightly later.
const typingInterval = 10 * time.Second

// Typing implements channels.Typist. It may be called at any rate.
func (c *Channel) Typing(ctx context.Context, room channels.Room, on bool) error {
	chat, ok := chatOf(room.ID)
	if !ok {
		return refused("WhatsApp has no such chat")
	}
	l, err := c.currentConnection(ctx)
	if err != nil {
		return err
	}
	state := types.ChatPresenceComposing
	if !on {
		state = types.ChatPresencePaused
	}
	if !c.typingChanged(room, on) {
		return nil
	}
	if err := l.client.SendChatPresence(ctx, chat, state, types.ChatPresenceMediaText); err != nil {
		return sendError(err)
	}
	return nil
}

// typingChanged reports whether the typing indicator of room must be sent.
func (c *Channel) typingChanged(room channels.Room, on bool) bool {
	c.typingMu.Lock()
	defer c.typingMu.Unlock()
	now := c.host.Now()
	since, typing := c.typing[room]
	if on && typing && now.Sub(since) < typingInterval || !on && !typing {
		return false
	}
	if on {
		c.typing[room] = now
	} else {
		delete(c.typing, room)
	}
	return true
}

// typingEnded notes that a message ended the indicator in room.
func (c *Channel) typingEnded(room channels.Room) {
	c.typingMu.Lock()
	defer c.typingMu.Unlock()
	delete(c.typing, room)
}

// touch marks the account as active.
func (l *connection) touch() {
	select {
	case l.activity <- struct{}{}:
	default:
	}
}

// keepPresence shows the account as available while it is active, and as unavailable after an idle period.
func (l *connection) keepPresence() {
	there := false
	idle := time.NewTimer(l.idleAfter)
	defer idle.Stop()
	hourTicker := time.NewTicker(time.Hour)
	defer hourTicker.Stop()
	for {
		select {
		case <-l.activity:
			there = there || l.showPresence(types.PresenceAvailable)
			idle.Reset(l.idleAfter)
		case <-idle.C:
			there = there && !l.showPresence(types.PresenceUnavailable)
		case <-hourTicker.C:
			l.updateState(func() {}) // the warning about the phone may be due
		case <-l.ctx.Done():
			return
		}
	}
}

// showPresence sets the presence p and reports success. Without a display name no presence can be sent: the phone sends
// the name some time after the link.
func (l *connection) showPresence(p types.Presence) bool {
	err := l.client.SendPresence(l.ctx, p)
	if err != nil {
		l.log.Debug("whatsapp: send presence", "error", redacted(err))
	}
	return err == nil
}
