package persona

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona/words"
)

// batchLimit bounds how many messages one turn takes together: enough for any burst, small enough for one transaction.
const batchLimit = 64

// minRetryPause and retryLast bound the pause before a failed turn is tried again.
const (
	minRetryPause = time.Second
	maxRetryPause = time.Minute
)

// lane is the one place where a room's messages are answered, in order. It lives while the room has something pending.
type lane struct {
	room channels.Room
	// wakeups says that something new is pending.
	wakeups chan struct{}
	// first is the inbox row of the turn or act being taken, 0 for none, and hush ends the typing indicator, nil while none is
	// shown. wary takes each message by itself. Only the lane's own goroutine touches them.
	first      int64
	stopTyping func(answered bool)
	isolate    bool
	// stop interrupts the voice that is speaking, nil while none is. It is guarded by Engine.mu.
	stop context.CancelFunc
	// stopped says that the person interrupted, so that their "stop" itself asks for no answer. Guarded by Engine.mu.
	stopped bool
	// answering are the messages of the turn that is being taken, by network IDs; amended says that one of them reads
	// otherwise now, or is gone, hushed that the person wants no answer. Guarded by Engine.mu.
	answering         []string
	amended, silenced bool
}

// errAmended ends a turn whose messages changed while the voice was speaking: it is taken again.
var errAmended = errors.New("what is being answered was changed")

// notifyLane makes sure that a lane works on the room of m. A voice that speaks there, or is about to, is cut short when m asks
// for silence, or changes what is being answered.
func (e *Engine) notifyLane(m channels.Message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	l := e.laneFor(m.Room)
	if l == nil {
		return
	}
	switch {
	case len(l.answering) == 0:
	case m.Action == channels.Post && isStop(m):
		l.stopped, l.silenced = true, true
	case m.Action == channels.Edit || m.Action == channels.Delete:
		l.amended = l.amended || slices.Contains(l.answering, m.TargetID)
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

// laneFor returns the one that works on room, made when there is none; nil when nobody may work there now. Engine.mu is
// held.
func (e *Engine) laneFor(room channels.Room) *lane {
	if e.runCtx == nil || !e.reaches(room) {
		return nil
	}
	l, ok := e.lanes[room]
	if !ok {
		l = &lane{room: room, wakeups: make(chan struct{}, 1)}
		e.lanes[room] = l
		life := e.runCtx
		e.wg.Go(func() { e.runLane(life, l) })
	}
	return l
}

// wake tells the lane that something new is pending.
func (l *lane) wake() {
	select {
	case l.wakeups <- struct{}{}:
	default:
	}
}

// runLane answers what is pending in the lane's room until nothing is left.
func (e *Engine) runLane(ctx context.Context, l *lane) {
	pause := minRetryPause
	for {
		more, err := e.safeStep(ctx, l)
		switch {
		case ctx.Err() != nil:
			e.closeLane(l, true)
			return
		case errors.Is(err, errAmended): // at once, as what is pending reads now
		case errors.Is(err, memory.ErrCorrupt):
			e.closeLane(l, true)
			e.fail(err)
			return
		case err != nil:
			// The message stays in the inbox: the operator is told, and the lane tries again.
			e.Log.Error("answer a message", "room", l.room, "error", err, "retry_in", pause)
			e.recordFailure(ctx, l, err)
			if !sleep(ctx, pause) {
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

// maxTurnAttempts is how often one message may fail its turn. The pauses before that add up to a few minutes. Only failures that
// can be written down count, so that a full disk or a locked database never uses them up.
const maxTurnAttempts = 8

// isolateAfter is after how many strikes the room's messages are taken one by one: any of those that were folded together may
// be the one that fails.
const isolateAfter = maxTurnAttempts / 2

// recordFailure notes that the turn of the lane's first message failed, and after too many times sets the message aside, so
// that one that hits a bug does not silence its room for good. It stays in the inbox for the operator.
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
		e.Log.Error("note a failed turn", "room", l.room, "inbox", l.first, "error", err)
	}
}

// safeStep returns step, with a panic turned into an error: one message that hits a bug must not silence every room.
func (e *Engine) safeStep(ctx context.Context, l *lane) (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return e.step(ctx, l)
}

// closeLane takes the lane away unless it was kicked in the meantime; force takes it away in any case.
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
	delete(e.lanes, l.room)
	e.idleCond.Broadcast()
	return true
}

// step takes the next turn of the room. It reports whether more was waiting; what arrived meanwhile has kicked the
// lane.
func (e *Engine) step(ctx context.Context, l *lane) (more bool, err error) {
	l.first = 0
	defer func() { l.endTyping(false) }()
	pending, err := e.collectPending(ctx, l)
	if err != nil || len(pending) == 0 {
		return false, err
	}
	l.first = pending[0].ID
	heard := pending[:1]
	switch {
	case pending[0].Message.Action != channels.Post:
		err = e.applyAction(ctx, pending[0])
	case isCommand(pending[0].Message):
		err = commander{e}.command(ctx, pending[0])
	default:
		if heard = nextBatch(posts(pending), e.Settings.SessionGap); l.isolate {
			heard = heard[:1]
		}
		err = e.takeTurn(ctx, l, heard)
	}
	return len(heard) < len(pending) || len(pending) == batchLimit, err
}

// collectPending reads what is pending and waits until the room falls quiet, so that a thought sent in three messages is
// answered once. Commands, arrivals, what is done to earlier messages and rooms that are only listened to do not wait.
func (e *Engine) collectPending(ctx context.Context, l *lane) ([]log.InboxEntry, error) {
	var waited time.Duration
	for {
		select {
		case <-l.wakeups: // what it told of is read now
		default:
		}
		pending, err := e.Store.Log.Pending(ctx, e.Card.Key, l.room, batchLimit)
		if err != nil {
			return nil, fmt.Errorf("read what %s is waiting for: %w", l.room, err)
		}
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

// awaitsReply reports whether someone waits for words of the persona's own.
func awaitsReply(pending []log.InboxEntry) bool {
	if len(pending) == 0 || pending[0].Message.Action != channels.Post || isCommand(pending[0].Message) {
		return false
	}
	return slices.ContainsFunc(pending, func(h log.InboxEntry) bool {
		return h.Message.Action == channels.Post && h.Message.Addressed && !isCommand(h.Message) && !isStop(h.Message)
	})
}

// waitForMore waits for d or until something arrives, which may be a command, and returns how long that was.
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

// debounce returns how much longer the one who is answered next must stay quiet before that. What others say meanwhile
// neither hurries nor delays their answer.
func (e *Engine) debounce(pending []log.InboxEntry) time.Duration {
	if len(pending) == 0 || len(pending) >= batchLimit || pending[0].Message.Action != channels.Post {
		return 0
	}
	pending = posts(pending)
	for _, h := range pending {
		if isCommand(h.Message) || h.Message.Arrival {
			return 0
		}
	}
	turn := nextBatch(pending, e.Settings.SessionGap)
	last, asked := lastFromAsker(turn)
	if !asked || len(turn) < len(pending) { // nobody waits, or what they say next is answered by itself
		return 0
	}
	return e.Settings.Quiet - e.Now().Sub(last.Received)
}

// lastFromAsker returns the last that the one whom a turn answers has said, addressed or not; false when it answers
// nobody.
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

// nextBatch takes from pending, oldest first, what one turn answers: a command or an arrival by itself, otherwise
// everything up to the next of those, the next gap that would start another session, or the next person who waits for
// an answer: everybody gets their own.
func nextBatch(pending []log.InboxEntry, gap time.Duration) []log.InboxEntry {
	var asker channels.Handle
	for i, h := range pending {
		m := h.Message
		alone := isCommand(m) || m.Arrival
		switch {
		case i > 0 && (alone || m.At.Sub(pending[i-1].Message.At).Abs() > gap):
			return pending[:i]
		case alone:
			return pending[:1]
		case m.Addressed && asker != (channels.Handle{}) && m.Author.Handle != asker:
			return pending[:i]
		case m.Addressed:
			asker = m.Author.Handle
		}
	}
	return pending
}

// isStop reports whether a message asks the persona to be silent. What people tell one another in a group does not.
func isStop(m channels.Message) bool { return m.Addressed && words.AsksQuiet(m.Text) }

// sleep waits for d and says whether ctx still lives.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
