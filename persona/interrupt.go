package persona

import (
	"context"
	"time"

	"familiar/channels"
	"familiar/memory/log"
)

// typingEvery refreshes the typing indicator before the networks let it expire (4 s suits the shortest of them);
// typingCap ends it for a voice that hangs, and taking it down is given up after typingOff: it expires by itself.
const (
	typingEvery = 4 * time.Second
	typingCap   = 5 * time.Minute
	typingOff   = 2 * time.Second
)

// beginTurn reports whether the lane takes t: until over, people may stop it or change what they had said.
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

// interruptible returns the context of the voice that answers the lane's turn: the person in the room may end it with
// "stop", or by changing what they had said, and may have done so before. ended lets go of it and says whether they
// changed something.
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

// interrupted reports whether the turn is nothing but the "stop" that cut the last answer short.
func (e *Engine) interrupted(l *lane, t *turn) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	stopped := l.stopped && len(t.pending) == 1 && isStop(t.pending[0].Message)
	l.stopped = l.stopped && !stopped
	return stopped
}

// showTyping shows the indicator in room until the returned function is called: once the answer is on its way, with which
// the network takes it down, or when there is none.
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
		// An indicator that cannot be shown is no reason not to answer.
		if err := typist.Typing(ctx, room, on); err != nil && ctx.Err() == nil {
			e.Log.Debug("show typing", "room", room, "on", on, "error", err)
		}
	}
	shown, cancel := context.WithTimeout(ctx, typingCap)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for show(shown, true); sleep(shown, typingEvery); show(shown, true) {
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

// endTyping takes the typing indicator down, if one is shown.
func (l *lane) endTyping(answered bool) {
	if l.stopTyping != nil {
		l.stopTyping(answered)
		l.stopTyping = nil
	}
}

// preview shows the growing reply where the channel can, nil where it cannot.
func (e *Engine) preview(ctx context.Context, t *turn) func(string) {
	previewer, ok := e.channels[t.room.Channel].(channels.Previewer)
	if !ok {
		return nil
	}
	key := chunkKey(e.replyKey(t.pending[0].Message), 0)
	return func(soFar string) {
		if e.sender.isBusy(t.room.ID) { // the end of what was said before comes first
			return
		}
		if err := previewer.Preview(ctx, t.room.Room, key, soFar); err != nil {
			e.Log.Debug("preview a reply", "room", t.room.ID, "error", err)
		}
	}
}

// cancelPreview takes back what was shown of an answer that m will not get.
func (e *Engine) cancelPreview(ctx context.Context, m channels.Message) {
	w, ok := e.channels[m.Room.Channel].(channels.PreviewCanceler)
	if !ok {
		return
	}
	// Words too many on the screen are no reason to stop the room.
	if err := w.CancelPreview(ctx, m.Room, chunkKey(e.replyKey(m), 0)); err != nil {
		e.Log.Warn("take back what was shown of a reply", "room", m.Room, "error", err)
	}
}

// notifyNoReplies tells a channel that waits for it that messages have been dealt with.
func (e *Engine) notifyNoReplies(heard []log.InboxEntry) {
	for _, h := range heard {
		e.NoReply(h.Message)
	}
}

// NoReply tells a channel that waits for it that m has been dealt with and gets no answer.
func (e *Engine) NoReply(m channels.Message) {
	if s, ok := e.channels[m.Room.Channel].(channels.NoReplier); ok {
		s.NoReply(m.ID)
	}
}
