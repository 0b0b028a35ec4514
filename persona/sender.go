package persona

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/internal/speech"
	"familiar/memory"
	"familiar/memory/fleet"
	"familiar/memory/log"
	"familiar/memory/model"
)

// A chunk is tried for about a day, with pauses that double from minSendRetry to maxSendRetry.
const (
	minSendRetry = 2 * time.Second
	maxSendRetry = 30 * time.Minute
	sendAttempts = 60
	// resendPause is how long a chunk with an unknown outcome waits before it is sent once more.
	resendPause = 3 * time.Second
	// minSendPeriod is how long a chunk is tried at least, because a network that keeps asking to wait uses up attempts
	// sooner.
	minSendPeriod = 24 * time.Hour
	// maxSendPause bounds how long a network may ask to wait. A row that is due later was stored before the clock was
	// set back and must not block its room until then.
	maxSendPause = 24 * time.Hour
)

// sender delivers the outbox of all personas to the channels. Each room with queued messages has one worker, a goroutine that sends
// them in order until none is left, so that a slow or rate-limited room delays no other. Adapters enforce the rate
// limits of their networks.
type sender struct {
	store    *memory.Store
	channels map[string]channels.Channel
	now      func() time.Time
	jitter   func(time.Duration) time.Duration
	// onIdle is called when a worker ends or waits.
	onIdle func()
	// fleet is this process among those that send, nil if it is the only one.
	fleet *fleet.Member
	// recheckProactive withdraws a proactive message that is no longer allowed and reports whether it did.
	recheckProactive func(context.Context, log.OutboxEntry) (bool, error)
	log              *slog.Logger

	mu sync.Mutex
	// workers holds the queue length of each room with a running worker, unknownCount for rooms found in the store.
	workers map[int64]int
	// inFlight are the rows that are being sent.
	inFlight map[int64]bool
	// read is, by room, the newest row that a worker read from the outbox.
	read map[int64]int64
	// waiting counts the workers that wait for a later time.
	waiting int
	// followed is, by room, the row that led to a new room ID. Each row follows only once, so a room cannot redirect
	// endlessly.
	followed map[int64]int64
	// returns has what is closed when a channel's network can be reached again, and unreached the same for rooms whose last
	// send did not reach it.
	returns   map[string]chan struct{}
	unreached map[int64]<-chan struct{}
	// down has the channels whose networks are known to be unreachable.
	down map[string]bool
	// speaker returns what speaks for a persona, nil for nothing. notes are replies as they are said, by row, for the next attempt.
	speaker func(persona string) Speaker
	notes   map[int64]speech.VoiceNote
	// stands reports whether a question waits for its answer. asks are those whose buttons are shown, by outbox row.
	stands func(context.Context, log.Ask) (bool, error)
	asks   map[int64]*shownAsk
	// previews are those of replies that are being recorded. Such a reply may not be sent beside its preview.
	previews map[previewKey]*preview
	// runCtx ends the workers. It is nil while the sender is not running.
	runCtx context.Context
	wg     sync.WaitGroup
}

// newSender returns a sender for the served channels.
func newSender(
	p Parts, served map[string]channels.Channel, rested func(), holdBack func(context.Context, log.OutboxEntry) (bool, error),
) *sender {
	return &sender{
		store: p.Store, channels: served, now: p.Now, jitter: p.Jitter, onIdle: rested, recheckProactive: holdBack, log: p.Log,
		workers: make(map[int64]int), inFlight: make(map[int64]bool), read: make(map[int64]int64), followed: make(map[int64]int64),
		returns: make(map[string]chan struct{}), unreached: make(map[int64]<-chan struct{}), down: make(map[string]bool),
		previews: make(map[previewKey]*preview), notes: make(map[int64]speech.VoiceNote), asks: make(map[int64]*shownAsk),
		speaker: func(string) Speaker { return p.Speaker },
		fleet:   p.Fleet,
	}
}

// start starts a worker in every room with unsent messages. The workers run until ctx ends.
func (s *sender) start(ctx context.Context) error {
	s.mu.Lock()
	s.runCtx = ctx
	s.mu.Unlock()
	return errors.Join(s.watchShown(ctx), s.wakeAll(ctx))
}

// wakeAll adds everything that is queued in the store.
func (s *sender) wakeAll(ctx context.Context) error {
	rooms, err := s.store.Log.OutboxRooms(ctx, "")
	if err != nil {
		return fmt.Errorf("find rooms with unsent messages: %w", err)
	}
	for _, room := range rooms {
		s.addWork(room, unknownCount, log.OutboxEntry{})
	}
	return nil
}

// unknownCount stands for the unknown queue length of a room that was found in the store.
const unknownCount = 1 << 30

// stop waits until every worker has ended. Unsent messages stay in the outbox.
func (s *sender) stop() {
	s.mu.Lock()
	s.runCtx = nil
	s.mu.Unlock()
	s.wg.Wait()
}

// wake adds one queued message for room.
func (s *sender) wake(room model.Room) { s.addWork(room, 1, log.OutboxEntry{}) }

// wakeWith is wake for a message that was the room's oldest unsent one when it was queued, as NextOutbox returns it. A
// zero row stands for an unknown one.
func (s *sender) wakeWith(room model.Room, row log.OutboxEntry) { s.addWork(room, 1, row) }

// addWork adds n queued messages for room and starts its worker if needed, which begins with row, unless an earlier
// worker may have sent that.
func (s *sender) addWork(room model.Room, n int, row log.OutboxEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runCtx == nil {
		return
	}
	if !s.sendsIn(room.Room) {
		if n < unknownCount {
			s.fleet.Tell(fleet.Wake{Room: room.Room, Send: true})
		}
		return
	}
	left, talking := s.workers[room.ID]
	s.workers[room.ID] = left + n
	if talking {
		return
	}
	if row.ID <= s.read[room.ID] {
		row = log.OutboxEntry{}
	}
	life := s.runCtx
	s.wg.Go(func() { s.workOn(life, room, row) })
}

// isBusy reports whether the room has messages to send.
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

// sendsIn reports whether this process sends in a room.
func (s *sender) sendsIn(room channels.Room) bool {
	return reaches(s.channels, room) && s.fleet.Answers(room)
}

// workOn sends what is queued in the room, unless another process does.
func (s *sender) workOn(ctx context.Context, room model.Room, row log.OutboxEntry) {
	release, held := holdRoom(ctx, s.fleet, s.log, room.Room)
	if !held {
		s.dropWorker(room.ID)
		s.onIdle()
		return
	}
	defer release()
	s.work(ctx, room.ID, row)
}

// work sends what is queued in the room, oldest first, until nothing is left or ctx ends. It begins with row unless that
// is zero. A row that had to wait is read again afterwards, because it may have been forgotten.
func (s *sender) work(ctx context.Context, room int64, row log.OutboxEntry) {
	defer s.onIdle()
	if row.ID != 0 && s.deliverOnce(ctx, row) && s.finishOne(room) {
		return
	}
	var due, tested int64 // the row that is now due, and the one that has waited for its network
	for {
		known := s.queued(room)
		row, err := s.store.Log.NextOutbox(ctx, "", room)
		switch {
		case errors.Is(err, memory.ErrNotFound): // withdrawn, or everything found in the store is sent
			if s.closeWorker(room, known) {
				return
			}
			continue
		case ctx.Err() != nil:
			s.dropWorker(room)
			return
		case err != nil:
			s.log.Error("read the outbox", "room", room, "error", err, "retry_in", minSendRetry)
			s.await(ctx, minSendRetry, nil)
			continue
		}
		s.awaitPreview(previewKey{row.Persona, room})
		s.noteRead(room, row.ID)
		if pause := s.untilDue(row.NotBefore); pause > 0 && row.ID != due {
			s.await(ctx, pause, s.endOfPause(room))
			due = row.ID
			continue
		}
		if back := s.nextReturn(row.Room.Channel); row.MaybeShown && row.ID != tested && s.isDown(row.Room.Channel) {
			s.await(ctx, resendPatience, back) // no other send follows
			due, tested = row.ID, row.ID
			continue
		}
		due, tested = 0, 0
		if s.deliverOnce(ctx, row) && s.finishOne(room) {
			return
		}
	}
}

// previewKey names the preview of one persona's reply in one room.
type previewKey struct {
	persona string
	room    int64
}

// holdFor keeps the room's worker from sending the persona's reply until release is called, which waits until the preview of the reply that is being
// recorded has settled: the worker may find the reply before it is woken for it. Calling release again is safe.
func (s *sender) holdFor(of previewKey, p *preview) (release func()) {
	if p == nil {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.previews[of] = p
	return func() {
		p.settle()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.previews, of)
	}
}

// awaitPreview waits until a reply that was just recorded is no longer being previewed.
func (s *sender) awaitPreview(of previewKey) {
	s.mu.Lock()
	p := s.previews[of]
	s.mu.Unlock()
	if p != nil {
		<-p.done
	}
}

// noteRead records that a worker of the room has read row from the outbox.
func (s *sender) noteRead(room, row int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read[room] = max(s.read[room], row)
}

// finishOne counts one message as done. It reports whether it was the last; the worker then ends.
func (s *sender) finishOne(room int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workers[room]--; s.workers[room] > 0 {
		return false
	}
	delete(s.workers, room)
	return true
}

// queued returns how many messages are counted for the room.
func (s *sender) queued(room int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.workers[room]
}

// closeWorker ends the room's worker after the outbox was empty, unless something was queued since: known is the count
// before the outbox was read.
func (s *sender) closeWorker(room int64, known int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workers[room] -= known; s.workers[room] > 0 {
		return false
	}
	delete(s.workers, room)
	return true
}

// dropWorker removes the room's worker, whatever is queued.
func (s *sender) dropWorker(room int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.workers, room)
}

// untilDue returns the time until due by the injected clock, at most maxSendPause.
func (s *sender) untilDue(due time.Time) time.Duration {
	if due.IsZero() {
		return 0
	}
	return min(due.Sub(s.now()), maxSendPause)
}

// await waits for pause, or until ctx or back ends it. The worker counts as idle meanwhile.
func (s *sender) await(ctx context.Context, pause time.Duration, back <-chan struct{}) {
	s.addWaiting(+1)
	s.onIdle()
	defer s.addWaiting(-1)
	select {
	case <-time.After(pause):
	case <-back:
	case <-ctx.Done():
	}
}

// addWaiting adds n to the number of waiting workers.
func (s *sender) addWaiting(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting += n
}

// deliverOnce delivers row unless another worker is sending it, which happens when two rooms were merged.
func (s *sender) deliverOnce(ctx context.Context, row log.OutboxEntry) (done bool) {
	s.mu.Lock()
	taken := s.inFlight[row.ID]
	s.inFlight[row.ID] = true
	s.mu.Unlock()
	if taken {
		sleep.For(ctx, minSendRetry)
		return false
	}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.inFlight, row.ID)
	}()
	return s.deliver(ctx, row)
}
