package persona

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory"
	"familiar/memory/fleet"
	"familiar/memory/log"
	"familiar/persona/command"
	"familiar/persona/words"
)

// batchLimit bounds how many messages one turn takes together: enough for any burst, small enough for one transaction.
const batchLimit = 64

// minRetryPause and maxRetryPause bound the pause before a failed turn is tried again.
const (
	minRetryPause = time.Second
	maxRetryPause = time.Minute
)

// lane answers the messages of one room for one persona, in order. It lives while the room has pending messages.
type lane struct {
	room channels.Room
	// wakeups signals that something new is pending.
	wakeups chan struct{}
	// first is the inbox row of the current turn or action, 0 for none. stopTyping ends the typing indicator, nil if
	// none is shown. isolate makes each message its own turn. Only the lane's goroutine uses these.
	first      int64
	stopTyping func(answered bool)
	isolate    bool
	// pending is what was pending lately, so that a message is decoded once. Only the lane's goroutine uses it.
	pending []log.InboxEntry
	// stop interrupts the voice, nil if it is not running. Cast.mu guards it.
	stop context.CancelFunc
	// stopped reports that the person interrupted a reply, so that their "stop" needs no reply itself. Cast.mu guards
	// it.
	stopped bool
	// answering are the messages of the current turn, by network ID. amended reports that one of them was changed or
	// deleted, silenced that the person wants no reply. Cast.mu guards them.
	answering         []string
	amended, silenced bool
}

// errAmended ends a turn whose messages changed while the voice was composing. The turn is taken again.
var errAmended = errors.New("a message being answered was changed")

// signal makes sure that a lane works on a room. It interrupts the voice if somebody asks for silence or changes a message that
// is being answered.
func (e *Engine) signal(w fleet.Wake) {
	e.mu.Lock()
	defer e.mu.Unlock()
	l := e.laneFor(w.Room)
	if l == nil {
		return
	}
	switch {
	case len(l.answering) == 0:
	case w.Stop:
		l.stopped, l.silenced = true, true
	case w.Changed != "":
		l.amended = l.amended || slices.Contains(l.answering, w.Changed)
	}
	if l.stop != nil && (l.silenced || l.amended) {
		l.stop()
	}
	l.wake()
}

// wake makes sure that a lane works on room.
func (e *Engine) wake(room channels.Room) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if l := e.laneFor(room); l != nil {
		l.wake()
	}
}

// laneFor returns the lane of room and starts one if needed. It returns nil if the engine is not running, cannot reach the
// room, or another process answers there. The caller holds Cast.mu.
func (e *Engine) laneFor(room channels.Room) *lane {
	if e.runCtx == nil || !e.answers(room) {
		return nil
	}
	key := laneKey{e.Card.Key, room}
	l, ok := e.lanes[key]
	if !ok {
		l = &lane{room: room, wakeups: make(chan struct{}, 1)}
		e.lanes[key] = l
		life := e.runCtx
		e.wg.Go(func() { e.runLane(life, l) })
	}
	return l
}

// wake signals the lane that something new is pending.
func (l *lane) wake() {
	select {
	case l.wakeups <- struct{}{}:
	default:
	}
}

// runLane answers what is pending in the lane's room until nothing is left, unless another process answers there.
func (e *Engine) runLane(ctx context.Context, l *lane) {
	release, held := holdRoom(ctx, e.fleet, e.Log, l.room)
	if !held {
		e.closeLane(l, true)
		return
	}
	defer release()
	pause := minRetryPause
	for {
		more, err := e.Engine(e.Card.Key).safeStep(ctx, l) // the engine as it is now: one step, one card
		switch {
		case ctx.Err() != nil:
			e.closeLane(l, true)
			return
		case errors.Is(err, errAmended), errors.Is(err, log.ErrErased):
			// Try again at once with the messages as they are now: one was changed, or somebody was erased.
		case errors.Is(err, memory.ErrCorrupt):
			e.closeLane(l, true)
			e.fail(err)
			return
		case err != nil:
			// The message stays in the inbox. The log tells the operator, and the lane tries again.
			e.Log.Error("answer a message", "room", l.room, "error", err, "retry_in", pause)
			e.recordFailure(ctx, l, err)
			if !sleep.For(ctx, pause) {
				e.closeLane(l, true)
				return
			}
			pause = min(2*pause, maxRetryPause)
		case !more:
			if e.closeLane(l, false) {
				return
			}
		default:
			pause = minRetryPause
		}
	}
}

// maxTurnAttempts is how often the turn of one message may fail. The pauses in between add up to a few minutes. Only
// failures that can be stored count, so a full disk or a locked database never uses them up.
const maxTurnAttempts = 8

// isolateAfter is the number of failures after which the room's messages are taken one by one, because any message of
// the batch may be the cause.
const isolateAfter = maxTurnAttempts / 2

// recordFailure counts a failed attempt at the turn of the lane's first message. After too many it sets the message
// aside, so that a message that triggers a bug does not block its room forever. The message stays in the inbox for the
// operator.
func (e *Engine) recordFailure(ctx context.Context, l *lane, cause error) {
	if l.first == 0 {
		return
	}
	attempts, err := e.Store.Log.MarkInboxFailed(ctx, l.first, cause.Error())
	l.isolate = l.isolate || attempts >= isolateAfter
	if err == nil && attempts >= maxTurnAttempts {
		err = e.Store.Log.MarkInboxDead(ctx, l.first, cause.Error())
		e.Log.Error("give up answering a message", "room", l.room, "inbox", l.first, "attempts", attempts, "error", cause)
	}
	if err != nil && ctx.Err() == nil {
		e.Log.Error("record a failed turn", "room", l.room, "inbox", l.first, "error", err)
	}
}

// safeStep calls step and turns a panic into an error, so that one message that triggers a bug does not stop every
// room.
func (e *Engine) safeStep(ctx context.Context, l *lane) (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return e.step(ctx, l)
}

// closeLane removes the lane unless it was woken meanwhile. force removes it in any case.
func (e *Engine) closeLane(l *lane, force bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !force {
		select {
		case <-l.wakeups:
			return false
		default:
		}
	}
	delete(e.lanes, laneKey{e.Card.Key, l.room})
	e.idleCond.Broadcast()
	return true
}

// step takes the next turn of the room. It reports whether more was pending; messages that arrive meanwhile wake the
// lane.
func (e *Engine) step(ctx context.Context, l *lane) (more bool, err error) {
	l.first = 0
	defer func() { l.endTyping(false) }()
	pending, err := e.collectPending(ctx, l)
	if err != nil || len(pending) == 0 {
		return false, err
	}
	flooded, err := e.slowDown(ctx, l, pending)
	if flooded && err == nil {
		pending, err = e.collectPending(ctx, l)
	}
	if err == nil && len(pending) > 0 {
		pending, err = e.collectHeard(ctx, l, pending)
	}
	if err != nil || len(pending) == 0 {
		return false, err
	}
	l.first = pending[0].ID
	heard := pending[:1]
	switch {
	case pending[0].Message.Action != channels.Post:
		err = e.applyAction(ctx, pending[0])
	case pending[0].Message.Press != (channels.Press{}):
		err = e.takePress(ctx, l, pending[0])
	case command.Is(pending[0].Message):
		err = e.commands().Run(ctx, pending[0])
	default:
		var asked bool
		if asked, err = e.commands().InPlainWords(ctx, pending[0]); asked || err != nil {
			break
		}
		var answer *toolAnswer
		if answer, err = e.answersTool(ctx, pending[0]); err != nil {
			break
		}
		if heard = nextBatch(posts(pending), e.Settings.SessionGap, flooded); l.isolate || answer != nil {
			heard = heard[:1]
		}
		err = e.takeTurn(ctx, l, heard, answer)
	}
	if err == nil {
		e.sender.endAsks(ctx, l.room)
	}
	return len(heard) < len(pending) || len(pending) == batchLimit, err
}

// collectPending reads what is pending and waits until the room is quiet, so that a thought sent in three messages gets
// one reply. Commands, arrivals, actions on earlier messages and rooms where nobody addresses the persona do not wait.
func (e *Engine) collectPending(ctx context.Context, l *lane) ([]log.InboxEntry, error) {
	var waited time.Duration
	for {
		select {
		case <-l.wakeups: // the read below covers it
		default:
		}
		pending, err := e.Store.Log.Pending(ctx, e.Card.Key, l.room, batchLimit, l.pending...)
		if err != nil {
			return nil, fmt.Errorf("read the pending messages of %s: %w", l.room, err)
		}
		l.pending = pending
		if changed, err := e.amendPending(ctx, l, pending); err != nil {
			return nil, err
		} else if changed {
			continue
		}
		if l.stopTyping == nil && awaitsReply(pending) {
			l.stopTyping = e.showTyping(ctx, l.room)
		}
		wait := e.debounce(pending)
		if wait <= 0 || waited >= e.Settings.Cap {
			return pending, nil
		}
		waited += e.waitForMore(ctx, l, min(wait, e.Settings.Cap-waited))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// collectHeard listens to the recordings of what is pending, and then collects it again with what was said.
func (e *Engine) collectHeard(ctx context.Context, l *lane, pending []log.InboxEntry) ([]log.InboxEntry, error) {
	l.first = pending[0].ID
	if any, err := e.hear(ctx, pending); err != nil || !any {
		return pending, err
	}
	return e.collectPending(ctx, l)
}

// awaitsReply reports whether someone waits for a reply that the voice composes.
func awaitsReply(pending []log.InboxEntry) bool {
	if len(pending) == 0 || pending[0].Message.Action != channels.Post || command.Is(pending[0].Message) {
		return false
	}
	return slices.ContainsFunc(pending, func(h log.InboxEntry) bool {
		return h.Message.Action == channels.Post && h.Message.Addressed && !command.Is(h.Message) && !isStop(h.Message)
	})
}

// waitForMore waits for d or until something arrives, which may be a command. It returns how long it waited.
func (e *Engine) waitForMore(ctx context.Context, l *lane, d time.Duration) time.Duration {
	t, begun := time.NewTimer(d), e.Now()
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
		return d
	case <-l.wakeups:
	}
	return e.Now().Sub(begun)
}

// debounce returns how much longer the person who is answered next must stay quiet. Messages of others neither shorten
// nor extend it.
func (e *Engine) debounce(pending []log.InboxEntry) time.Duration {
	if len(pending) == 0 || len(pending) >= batchLimit || pending[0].Message.Action != channels.Post {
		return 0
	}
	pending = posts(pending)
	for _, h := range pending {
		if command.Is(h.Message) || h.Message.Arrival {
			return 0
		}
	}
	turn := nextBatch(pending, e.Settings.SessionGap, false)
	last, asked := lastFromAsker(turn)
	if !asked || len(turn) < len(pending) || last.Message.Complete { // nobody waits, or their next message belongs to another turn
		return 0
	}
	return e.Settings.Quiet - e.Now().Sub(last.Received)
}

// lastFromAsker returns the last message of the person whom the turn answers, addressed or not. It returns false if the
// turn answers nobody.
func lastFromAsker(turn []log.InboxEntry) (last log.InboxEntry, asked bool) {
	i := slices.IndexFunc(turn, func(h log.InboxEntry) bool { return h.Message.Addressed })
	if i < 0 {
		return log.InboxEntry{}, false
	}
	asker := turn[i].Message.Author.Handle
	for _, h := range turn[i:] {
		if h.Message.Author.Handle == asker {
			last = h
		}
	}
	return last, true
}

// nextBatch takes from pending, oldest first, the messages of one turn. A command or an arrival forms its own turn.
// Otherwise the turn ends before the next of those, before a gap that starts a new session, and before a second person
// who waits for a reply, since each gets their own, unless the room is flooded.
func nextBatch(pending []log.InboxEntry, gap time.Duration, flooded bool) []log.InboxEntry {
	var asker channels.Handle
	for i, h := range pending {
		m := h.Message
		alone := command.Is(m) || m.Arrival || m.Press != (channels.Press{}) || command.Asked(m)
		switch {
		case i > 0 && (alone || m.At.Sub(pending[i-1].Message.At).Abs() > gap):
			return pending[:i]
		case alone:
			return pending[:1]
		case m.Addressed && asker != (channels.Handle{}) && m.Author.Handle != asker && !flooded:
			return pending[:i]
		case m.Addressed:
			asker = m.Author.Handle
		}
	}
	return pending
}

// isStop reports whether a message asks the persona to be silent. Messages between others in a group never do.
func isStop(m channels.Message) bool { return m.Addressed && words.AsksQuiet(m.Text) }
