package whatsapp

import (
	"context"
	"time"

	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
)

// composing is how often the typing indicator is renewed; phones forget it after a little longer.
const composing = 10 * time.Second

// Typing implements channels.Typist. It may be called as often as one likes.
func (c *Channel) Typing(ctx context.Context, room channels.Room, on bool) error {
	chat, ok := chatOf(room.ID)
	if !ok {
		return refused("there is no such chat in WhatsApp")
	}
	l, err := c.online(ctx)
	if err != nil {
		return err
	}
	state := types.ChatPresenceComposing
	if !on {
		state = types.ChatPresencePaused
	}
	if !c.toShow(room, on) {
		return nil
	}
	if err := l.client.SendChatPresence(ctx, chat, state, types.ChatPresenceMediaText); err != nil {
		return failure(err)
	}
	return nil
}

// toShow says whether there is news to show about typing in room.
func (c *Channel) toShow(room channels.Room, on bool) bool {
	c.typingMu.Lock()
	defer c.typingMu.Unlock()
	now := c.host.Now()
	since, typing := c.typing[room]
	if on && typing && now.Sub(since) < composing || !on && !typing {
		return false
	}
	if on {
		c.typing[room] = now
	} else {
		delete(c.typing, room)
	}
	return true
}

// notTyping notes that a message ended the indicator in room.
func (c *Channel) notTyping(room channels.Room) {
	c.typingMu.Lock()
	defer c.typingMu.Unlock()
	delete(c.typing, room)
}

// stir says that something happens: the account is there.
func (l *line) stir() {
	select {
	case l.stirs <- struct{}{}:
	default:
	}
}

// keepPresence shows the account as there while something happens, and as away when nothing has for a while.
func (l *line) keepPresence() {
	there := false
	idle := time.NewTimer(l.idleAfter)
	defer idle.Stop()
	hourly := time.NewTicker(time.Hour)
	defer hourly.Stop()
	for {
		select {
		case <-l.stirs:
			there = there || l.show(types.PresenceAvailable)
			idle.Reset(l.idleAfter)
		case <-idle.C:
			there = there && !l.show(types.PresenceUnavailable)
		case <-hourly.C:
			l.change(func() {}) // the phone may have been away for too long by now
		case <-l.ctx.Done():
			return
		}
	}
}

// show shows the account as p and says whether that went well. Without a name nothing can be shown: the phone tells it
// some time after the device was linked.
func (l *line) show(p types.Presence) bool {
	err := l.client.SendPresence(l.ctx, p)
	if err != nil {
		l.log.Debug("whatsapp: show presence", "error", redacted(err))
	}
	return err == nil
}
