package persona

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
)

// The sender's patience: a chunk is tried for about a day, with pauses that double from sendFirst to sendLast.
const (
	minSendRetry = 2 * time.Second
	maxSendRetry = 30 * time.Minute
	sendAttempts = 60
	// minSendPeriod is how long a chunk is tried at least: a network that asks to wait again and again uses attempts up
	// sooner.
	minSendPeriod = 24 * time.Hour
	// maxSendPause is how long a network may ask to be left alone. A row that is due later was written before the clock was
	// set back, and must not silence its room until then.
	maxSendPause = 24 * time.Hour
)

// sender takes what the outbox holds to the channels. Each room with something to say has one worker, a goroutine that
// speaks in order until nothing waits there: a slow or limited room delays no other. How much a network takes at once
// is its adapter's to know.
type sender struct {
	store    *memory.Store
	persona  string
	channels map[string]channels.Channel
	now      func() time.Time
	jitter   func(time.Duration) time.Duration
	// onIdle is called when a worker closes.
	onIdle func()
	// recheckProactive withdraws what is to be said proactively where that may not be any more, and says so.
	recheckProactive func(context.Context, log.OutboxEntry) (bool, error)
	log              *slog.Logger

	mu sync.Mutex
	// workers are the open ones, with how many rows are known to wait there, unknown for those found at the start.
	workers map[int64]int
	// inFlight are the rows that are being said.
	inFlight map[int64]bool
	// waiting counts the workers that wait for a moment still to come.
	waiting int
	// followed is the row with which a room was followed to another id, by room: a room does not lead on and on.
	followed map[int64]int64
	// runCtx ends the workers; nil while the sender does not run.
	runCtx context.Context
	wg     sync.WaitGroup
}

func newSender(
	p Parts, served map[string]channels.Channel, rested func(), holdBack func(context.Context, log.OutboxEntry) (bool, error),
) *sender {
	return &sender{
		store: p.Store, persona: p.Card.Key, channels: served, now: p.Now, jitter: p.Jitter, onIdle: rested, recheckProactive: holdBack, log: p.Log,
		workers: make(map[int64]int), inFlight: make(map[int64]bool), followed: make(map[int64]int64),
	}
}

// start opens a worker in every room in which something was left to say. The workers live until ctx ends.
func (s *sender) start(ctx context.Context) error {
	s.mu.Lock()
	s.runCtx = ctx
	s.mu.Unlock()
	rooms, err := s.store.Log.OutboxRooms(ctx, s.persona)
	if err != nil {
		return fmt.Errorf("look for unsent replies: %w", err)
	}
	for _, room := range rooms {
		s.addWork(room, unknownCount)
	}
	return nil
}

// unknownCount many rows wait in a room when it is found at the start.
const unknownCount = 1 << 30

// stop waits until every worker has closed; what was not sent stays in the outbox.
func (s *sender) stop() {
	s.mu.Lock()
	s.runCtx = nil
	s.mu.Unlock()
	s.wg.Wait()
}

// wake says that one more thing was queued for room.
func (s *sender) wake(room model.Room) { s.addWork(room, 1) }

// addWork lets the room's worker say n more things.
func (s *sender) addWork(room model.Room, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runCtx == nil || !reaches(s.channels, room.Room) {
		return
	}
	left, talking := s.workers[room.ID]
	s.workers[room.ID] = left + n
	if talking {
		return
	}
	life := s.runCtx
	s.wg.Go(func() { s.work(life, room.ID) })
}

// isBusy reports whether something is still to be said in the room.
func (s *sender) isBusy(room int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, talking := s.workers[room]
	return talking
}

// isIdle reports whether everything that can be sent now has been sent.
func (s *sender) isIdle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.workers) == s.waiting
}

// work says what waits in the room, oldest first, until nothing does or ctx ends. What had to wait for its moment is
// read again then: it may be forgotten meanwhile.
func (s *sender) work(ctx context.Context, room int64) {
	defer s.onIdle()
	var due int64 // the row whose moment has come
	for {
		known := s.queued(room)
		row, err := s.store.Log.NextOutbox(ctx, s.persona, room)
		switch {
		case errors.Is(err, memory.ErrNotFound): // withdrawn, or all there was from the start is said
			if s.closeWorker(room, known) {
				return
			}
			continue
		case ctx.Err() != nil:
			s.dropWorker(room)
			return
		case err != nil:
			s.log.Error("read the outbox", "room", room, "error", err, "retry_in", minSendRetry)
			s.await(ctx, minSendRetry)
			continue
		}
		if pause := s.untilDue(row.NotBefore); pause > 0 && row.ID != due {
			s.await(ctx, pause)
			due = row.ID
			continue
		}
		due = 0
		if s.deliverOnce(ctx, row) && s.finishOne(room) {
			return
		}
	}
}

// finishOne counts one thing as dealt with and says whether that was all: the worker is closed then.
func (s *sender) finishOne(room int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workers[room]--; s.workers[room] > 0 {
		return false
	}
	delete(s.workers, room)
	return true
}

// queued returns how many things are known to wait in the room.
func (s *sender) queued(room int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.workers[room]
}

// closeWorker closes the room's worker after nothing was found there, unless something was queued since it was looked
// for: known is what was known to wait before that.
func (s *sender) closeWorker(room int64, known int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workers[room] -= known; s.workers[room] > 0 {
		return false
	}
	delete(s.workers, room)
	return true
}

func (s *sender) dropWorker(room int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.workers, room)
}

// untilDue returns how long it is until due by the injected clock, never longer than pauseAtMost.
func (s *sender) untilDue(due time.Time) time.Duration {
	if due.IsZero() {
		return 0
	}
	return min(due.Sub(s.now()), maxSendPause)
}

// await waits, until ctx ends at most. Nothing can be sent meanwhile.
func (s *sender) await(ctx context.Context, pause time.Duration) {
	s.addWaiting(+1)
	s.onIdle()
	defer s.addWaiting(-1)
	sleep(ctx, pause)
}

func (s *sender) addWaiting(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting += n
}

// deliverOnce delivers row, unless another worker is just doing that: of a room that became this one.
func (s *sender) deliverOnce(ctx context.Context, row log.OutboxEntry) (done bool) {
	s.mu.Lock()
	taken := s.inFlight[row.ID]
	s.inFlight[row.ID] = true
	s.mu.Unlock()
	if taken {
		sleep(ctx, minSendRetry)
		return false
	}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.inFlight, row.ID)
	}()
	return s.deliver(ctx, row)
}

// deliver sends the next chunk of row, notes what became of it, and says whether the row is dealt with: sent, or given
// up. The one after that is read again: it may be forgotten meanwhile.
func (s *sender) deliver(ctx context.Context, row log.OutboxEntry) bool {
	// What the network has taken is written down even when the process is asked to end meanwhile.
	kept := context.WithoutCancel(ctx)
	if row.ProactiveSubject != "" && row.ChunksSent == 0 {
		held := false
		if !s.persist(ctx, row, func() (err error) { held, err = s.recheckProactive(kept, row); return err }) {
			return false
		}
		if held {
			return true
		}
	}
	channel := s.channels[row.Room.Channel]
	chunks, err := split(row.Text, channel)
	if err != nil {
		return s.failed(ctx, row, err)
	}
	sent := log.SentChunk{Index: row.ChunksSent, Last: row.ChunksSent+1 >= len(chunks)}
	if row.ChunksSent >= len(chunks) { // nothing is left of it to say
		sent.Index--
	} else if sent.ID, err = send(ctx, channel, chunk(row, chunks[sent.Index])); err != nil {
		return s.failed(ctx, row, err)
	}
	return s.persist(ctx, row, func() error { return s.store.Log.MarkChunkSent(kept, row.ID, sent) }) && sent.Last
}

// split returns a text as the channel takes it.
func split(text string, channel channels.Channel) (chunks []string, err error) {
	err = recoverAs(channels.Permanent, func() error {
		chunks = channels.Split(text, channels.LimitsOf(channel))
		return nil
	})
	return chunks, err
}

// chunk returns the next chunk of row, which says text.
func chunk(row log.OutboxEntry, text string) channels.Outgoing {
	out := channels.Outgoing{Room: row.Room.Room, Key: chunkKey(row.Key, row.ChunksSent), Text: text, ReplyData: row.ReplyData}
	if row.ChunksSent == 0 {
		out.ReplyTo = row.ReplyTo
	}
	return out
}

// send returns channel.Send. Of what a channel was doing when it hit a bug, nobody knows whether it was shown.
func send(ctx context.Context, channel channels.Channel, out channels.Outgoing) (id string, err error) {
	err = recoverAs(channels.Ambiguous, func() error {
		receipt, err := channel.Send(ctx, out)
		id = receipt.ID
		return err
	})
	return id, err
}

// recoverAs is do, with a panic turned into an error of that kind: one text that hits a bug must not silence every room.
func recoverAs(kind channels.SendKind, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &channels.SendError{Kind: kind, Err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	return do()
}

// persist writes down what became of a row until it is written, or ctx ends: while it is not, the room says nothing more,
// because what is not known to be sent would be sent again.
func (s *sender) persist(ctx context.Context, row log.OutboxEntry, write func() error) bool {
	for attempt := 0; ; attempt++ {
		err := write()
		if err == nil || errors.Is(err, memory.ErrNotFound) { // not pending any more: withdrawn or noted after all
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		pause := s.backoff(attempt, 0)
		s.log.Error("note what became of a reply", "outbox", row.ID, "error", err, "retry_in", pause)
		if !sleep(ctx, pause) {
			return false
		}
	}
}

// failed decides whether row is tried again: not when the network refused it for good, and not when it may have been
// shown already by a network that would show it twice. It reports whether the row is dealt with.
func (s *sender) failed(ctx context.Context, row log.OutboxEntry, cause error) bool {
	kind := channels.Kind(cause)
	if ctx.Err() != nil && !(kind == channels.Ambiguous && s.isFinal(row, kind)) {
		return false // cut short by shutdown: the row stays pending
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
	pause := s.backoff(row.Attempts, channels.RetryAfter(cause))
	s.log.Warn("send a reply", "outbox", row.ID, "room", row.Room.ID, "error", cause, "retry_in", pause)
	s.persist(ctx, row, func() error { return s.store.Log.MarkOutboxFailed(ctx, row.ID, cause.Error(), s.now().Add(pause)) })
	return false
}

// isFinal reports whether row is not to be tried again after a failure of this kind.
func (s *sender) isFinal(row log.OutboxEntry, kind channels.SendKind) bool {
	switch kind {
	case channels.Permanent, channels.Blocked, channels.Moved:
		return true
	case channels.Ambiguous:
		if !channels.LimitsOf(s.channels[row.Room.Channel]).Idempotent {
			return true
		}
	}
	tried := s.now().Sub(row.Created)
	return row.Attempts+1 >= sendAttempts && (tried >= minSendPeriod || tried < 0) // before the clock was set back
}

// follow goes after a room that has another id now and says whether row is to be sent there: once, as two IDs could
// lead to one another forever.
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
		s.addWork(room, unknownCount) // what was queued for the new id is among it now
	}
	return noted && !apart
}

// backoff returns the pause after attempt failures: doubling, or what the network asked for, and a little more, so that
// many rooms do not return at the same moment.
func (s *sender) backoff(attempt int, asked time.Duration) time.Duration {
	pause := asked
	if pause == 0 {
		pause = min(minSendRetry<<min(attempt, 16), maxSendRetry)
	}
	return pause + s.jitter(pause/4)
}

// chunkKey returns the idempotency key of one chunk of a reply.
func chunkKey(reply string, chunk int) string { return fmt.Sprintf("%s-%d", reply, chunk) }
