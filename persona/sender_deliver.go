package persona

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
)

// deliver sends the next chunk of row, stores the outcome, and reports whether the row is done: sent or given up. Each
// chunk after the first is read from the store, because its text may have been forgotten.
func (s *sender) deliver(ctx context.Context, row log.OutboxEntry) bool {
	// Store what the network accepted even if the process is asked to stop meanwhile.
	kept := context.WithoutCancel(ctx)
	if err := s.fleet.Await(ctx); err != nil { // another process may be sending this by now
		sleep.For(ctx, minSendRetry)
		return false
	}
	if row.ProactiveSubject != "" && row.ChunksSent == 0 {
		held := false
		if !s.persist(ctx, row, func() (err error) { held, err = s.recheckProactive(kept, row); return err }) {
			return false
		}
		if held {
			return true
		}
	}
	if row.Spoken && row.ChunksSent == 0 {
		if done, settled := s.deliverVoice(ctx, row); settled {
			return done
		}
	}
	chunks, err := split(row.Text, s.channels[row.Room.Channel])
	if err != nil {
		return s.failed(ctx, row, err)
	}
	var asked *log.Ask
	sent := log.SentChunk{Index: row.ChunksSent, Last: row.ChunksSent+1 >= len(chunks)}
	if row.ChunksSent >= len(chunks) { // nothing left to send
		sent.Index--
	} else {
		back := s.nextReturn(row.Room.Channel) // from now on: the network may return during the send
		sent.ID, asked, err = s.sendChunk(ctx, row, chunks[sent.Index], sent.Last)
		if s.noteOutcome(row, err, back); err != nil {
			return s.failed(ctx, row, err)
		}
		sent.Asked = asked != nil
	}
	stored := s.persist(ctx, row, func() error { return s.store.Log.MarkChunkSent(kept, row, sent) })
	if stored && asked != nil {
		s.watchAsk(ctx, *asked)
	}
	return stored && sent.Last
}

// split splits a text to the channel's limits.
func split(text string, channel channels.Channel) (chunks []string, err error) {
	err = recoverAs(channels.Permanent, func() error {
		chunks = channels.Split(text, channels.LimitsOf(channel))
		return nil
	})
	return chunks, err
}

// chunk returns the next chunk of row as an outgoing message with text.
func chunk(row log.OutboxEntry, text string) channels.Outgoing {
	out := channels.Outgoing{Room: row.Room.Room, Key: chunkKey(row.Key, row.ChunksSent), Text: text, ReplyData: row.ReplyData}
	if row.ChunksSent == 0 {
		out.ReplyTo = row.ReplyTo
	}
	return out
}

// send calls channel.Send. A panic counts as an unknown outcome: the message may have been shown.
func send(ctx context.Context, channel channels.Channel, out channels.Outgoing) (id string, err error) {
	err = recoverAs(channels.Ambiguous, func() error {
		receipt, err := channel.Send(ctx, out)
		id = receipt.ID
		return err
	})
	return id, err
}

// recoverAs calls do and turns a panic into a send error of that kind, so that one text that triggers a bug does not
// stop every room.
func recoverAs(kind channels.SendKind, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &channels.SendError{Kind: kind, Err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	return do()
}

// persist stores the outcome of a row and retries until it succeeds or ctx ends. The room sends nothing meanwhile: a
// chunk not recorded as sent would be sent again.
func (s *sender) persist(ctx context.Context, row log.OutboxEntry, write func() error) bool {
	for attempt := 0; ; attempt++ {
		err := write()
		if err == nil || errors.Is(err, memory.ErrNotFound) { // no longer pending: withdrawn or already recorded
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		pause := s.backoff(attempt, 0)
		s.log.Error("store the outcome of a send", "outbox", row.ID, "error", err, "retry_in", pause)
		if !sleep.For(ctx, pause) {
			return false
		}
	}
}

// failed decides whether row is retried. It is not if the network refused it permanently, or if a network without
// idempotency keys may already have shown it and must not show it again. It reports whether the row is done.
func (s *sender) failed(ctx context.Context, row log.OutboxEntry, cause error) bool {
	kind := channels.Kind(cause)
	unknown := kind == channels.Ambiguous && !s.limits(row).Idempotent
	if ctx.Err() != nil && !unknown {
		return false // interrupted by shutdown: the row stays pending
	}
	switch {
	case kind == channels.Moved && s.follow(ctx, row, channels.MovedTo(cause)):
		return false
	case kind == channels.Blocked && row.Room.PersonID != 0:
		if !s.persist(ctx, row, func() error { return s.store.Log.MarkBlocked(ctx, row.Room.PersonID) }) {
			return false
		}
	}
	if s.isFinal(row, kind) {
		s.log.Error("give up sending a reply", "outbox", row.ID, "room", row.Room.ID, "error", cause)
		return s.persist(ctx, row, func() error { return s.store.Log.MarkOutboxDead(context.WithoutCancel(ctx), row.ID, cause.Error()) })
	}
	asked := channels.RetryAfter(cause)
	if unknown {
		asked = resendPause
	}
	pause := s.backoff(row.Attempts, asked)
	s.log.Warn("send a reply", "outbox", row.ID, "room", row.Room.ID, "error", cause, "retry_in", pause)
	f := log.FailedAttempt{Cause: cause.Error(), MaybeShown: unknown, NotBefore: s.now().Add(pause)}
	s.persist(ctx, row, func() error { return s.store.Log.MarkOutboxFailed(context.WithoutCancel(ctx), row.ID, f) })
	return false
}

func (s *sender) limits(row log.OutboxEntry) channels.Limits {
	return channels.LimitsOf(s.channels[row.Room.Channel])
}

// isFinal reports whether row must not be retried after a failure of this kind.
func (s *sender) isFinal(row log.OutboxEntry, kind channels.SendKind) bool {
	switch kind {
	case channels.Permanent, channels.Blocked, channels.Moved:
		return true
	case channels.Ambiguous:
		if l := s.limits(row); !l.Idempotent && !(l.ResendUnknown && mayRepeat(row)) {
			return true
		}
	}
	tried := s.now().Sub(row.Created)
	return row.Attempts+1 >= sendAttempts && (tried >= minSendPeriod || tried < 0) // the clock was set back
}

// mayRepeat reports whether the next chunk of row may be shown twice. A reply is worth that risk once; a message that
// nobody waits for is not.
func mayRepeat(row log.OutboxEntry) bool { return !row.MaybeShown && row.ProactiveSubject == "" }

// follow records a room's new ID and reports whether row is to be sent there. A row follows only once, since two IDs
// could refer to each other.
func (s *sender) follow(ctx context.Context, row log.OutboxEntry, to string) bool {
	s.mu.Lock()
	again := s.followed[row.Room.ID] == row.ID
	s.followed[row.Room.ID] = row.ID
	s.mu.Unlock()
	if to == "" || to == row.Room.Room.ID || again {
		return false
	}
	var moved []model.Room
	var apart bool
	noted := s.persist(ctx, row, func() (err error) {
		moved, err = s.store.Log.MoveRoom(ctx, row.Room.Room, to)
		if apart = errors.Is(err, log.ErrOtherAudience); apart {
			return nil
		}
		return err
	})
	for _, room := range moved {
		s.addWork(room, unknownCount, log.OutboxEntry{}) // includes what was queued for the new ID
	}
	return noted && !apart
}

// backoff returns the pause after attempt failures: doubling, or what the network asked for, plus jitter so that many
// rooms do not retry at the same moment.
func (s *sender) backoff(attempt int, asked time.Duration) time.Duration {
	pause := asked
	if pause == 0 {
		pause = min(minSendRetry<<min(attempt, 16), maxSendRetry)
	}
	return pause + s.jitter(pause/4)
}

// chunkKey returns the idempotency key of one chunk of a reply.
func chunkKey(reply string, chunk int) string { return fmt.Sprintf("%s-%d", reply, chunk) }
