package persona

import (
	"context"
	"time"

	"familiar/channels"
)

// typingEvery refreshes the typing indicator before the networks let it expire (4 s suits the shortest of them);
// typingCap ends it for a voice that hangs.
const (
	typingEvery = 4 * time.Second
	typingCap   = 5 * time.Minute
)

// interruptible is the context of the voice: the person in the room may end it with "stop".
func (e *Engine) interruptible(ctx context.Context, l *lane) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	e.mu.Lock()
	l.stop = cancel
	e.mu.Unlock()
	return ctx, func() {
		e.mu.Lock()
		l.stop = nil
		e.mu.Unlock()
		cancel()
	}
}

// interrupted says that the turn is nothing but the "stop" that cut the last answer short.
func (e *Engine) interrupted(l *lane, t *turn) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	stopped := l.stopped && len(t.pending) == 1 && isStop(t.pending[0].Message)
	l.stopped = l.stopped && !stopped
	return stopped
}

// typing shows the indicator in room until the returned function is called.
func (e *Engine) typing(ctx context.Context, room channels.Room) (stop func()) {
	typist, ok := e.channels[room.Channel].(channels.Typist)
	if !ok {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(ctx, typingCap)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			// An indicator that cannot be shown is no reason not to answer.
			if err := typist.Typing(ctx, room, true); err != nil {
				e.Log.Debug("show typing", "room", room, "error", err)
			}
			if !sleep(ctx, typingEvery) {
				return
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// preview shows the growing reply where the channel can, nil where it cannot.
func (e *Engine) preview(ctx context.Context, t *turn) func(string) {
	previewer, ok := e.channels[t.room.Channel].(channels.Previewer)
	if !ok {
		return nil
	}
	key := chunkKey(e.replyKey(t), 0)
	return func(soFar string) {
		if err := previewer.Preview(ctx, t.room.Room, key, soFar); err != nil {
			e.Log.Debug("preview a reply", "room", t.room.ID, "error", err)
		}
	}
}

// settle tells a channel that waits for it that the turn's messages have been dealt with.
func (e *Engine) settle(t *turn) {
	for _, h := range t.pending {
		e.settled(h.Message)
	}
}

// settled tells a channel that waits for it that m has been dealt with and gets no answer.
func (e *Engine) settled(m channels.Message) {
	if s, ok := e.channels[m.Room.Channel].(channels.Settler); ok {
		s.Settle(m.ID)
	}
}
