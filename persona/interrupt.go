package persona

import (
	"context"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory/log"
)

// typingEvery refreshes the typing indicator before it expires; 4 s suits the shortest network. typingCap ends it for a
// voice that hangs. Removing it is given up after typingOff: it expires by itself.
const (
	typingEvery = 4 * time.Second
	typingCap   = 5 * time.Minute
	typingOff   = 2 * time.Second
)

// beginTurn marks the messages of t as being answered. Until over is called, people may stop the turn or change those
// messages.
func (e *Engine) beginTurn(l *lane, t *turn) (over func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	l.answering, l.amended, l.silenced = nil, false, false
	for _, h := range t.pending {
		l.answering = append(l.answering, h.Message.ID)
	}
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		l.answering = nil
	}
}

// interruptible returns the context of the voice for the lane's turn. The person can end it with "stop" or by changing
// their message, also before the voice starts. ended releases the context and reports whether a message changed.
func (e *Engine) interruptible(ctx context.Context, l *lane) (voice context.Context, ended func() (amended bool)) {
	ctx, cancel := context.WithCancel(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	l.stop = cancel
	if l.amended || l.silenced {
		cancel()
	}
	return ctx, func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		l.stop, l.answering = nil, nil
		cancel()
		return l.amended
	}
}

// interrupted reports whether the turn consists only of the "stop" that ended the last reply.
func (e *Engine) interrupted(l *lane, t *turn) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	stopped := l.stopped && len(t.pending) == 1 && isStop(t.pending[0].Message)
	l.stopped = l.stopped && !stopped
	return stopped
}

// showTyping shows the typing indicator in room until the returned function is called. After a reply the network
// removes the indicator itself.
func (e *Engine) showTyping(ctx context.Context, room channels.Room) (stop func(answered bool)) {
	typist, ok := e.channels[room.Channel].(channels.Typist)
	if !ok {
		return func(bool) {}
	}
	show := func(ctx context.Context, on bool) {
		defer func() {
			if p := recover(); p != nil {
				e.Log.Error("show typing", "room", room, "panic", p)
			}
		}()
		// A failing indicator must not prevent the reply.
		if err := typist.Typing(ctx, room, on); err != nil && ctx.Err() == nil {
			e.Log.Debug("show typing", "room", room, "on", on, "error", err)
		}
	}
	shown, cancel := context.WithTimeout(ctx, typingCap)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for show(shown, true); sleep.For(shown, typingEvery); show(shown, true) {
		}
	}()
	return func(answered bool) {
		cancel()
		<-done
		if !answered {
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), typingOff)
			defer cancel()
			show(last, false)
		}
	}
}

// endTyping removes the typing indicator, if one is shown.
func (l *lane) endTyping(answered bool) {
	if l.stopTyping != nil {
		l.stopTyping(answered)
		l.stopTyping = nil
	}
}

// cancelPreview removes the preview of a reply that m will not get.
func (e *Engine) cancelPreview(ctx context.Context, m channels.Message) {
	w, ok := e.channels[m.Room.Channel].(channels.PreviewCanceler)
	if !ok {
		return
	}
	// A leftover preview must not stop the room.
	if err := w.CancelPreview(ctx, m.Room, chunkKey(e.replyKey(m), 0)); err != nil {
		e.Log.Warn("cancel the preview of a reply", "room", m.Room, "error", err)
	}
}

// notifyNoReplies tells the channel that these messages are processed and get no reply, except those whose answer another
// persona sees to.
func (e *Engine) notifyNoReplies(heard []log.InboxEntry) {
	for _, h := range heard {
		if !h.Message.Overheard {
			e.NoReply(h.Message)
		}
	}
}

// NoReply tells a channel that waits for a reply to m that there will be none.
func (c *Cast) NoReply(m channels.Message) {
	if s, ok := c.channels[m.Room.Channel].(channels.NoReplier); ok {
		s.NoReply(m.ID)
	}
}
