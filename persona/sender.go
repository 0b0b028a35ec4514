package persona

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"familiar/channels"
	"familiar/memory"
)

// The sender's patience: a chunk is tried for about a day, with pauses that double from sendFirst to sendLast.
const (
	sendFirst    = 2 * time.Second
	sendLast     = 30 * time.Minute
	sendAttempts = 60
	// sendAtOnce bounds how many rooms are spoken in at the same time.
	sendAtOnce = 16
)

// sender takes what the outbox holds to the channels: in order within a room, rooms independent of one another.
type sender struct {
	store    *memory.Store
	persona  string
	channels map[string]channels.Channel
	now      func() time.Time
	jitter   func(time.Duration) time.Duration
	// rested is called when there is nothing left to do for now.
	rested func()
	log    *slog.Logger

	kick chan struct{}
	mu   sync.Mutex
	busy map[int64]bool // rooms being spoken in
	// woken says that something new may wait, looking that the outbox is being read.
	woken, looking bool
	wg             sync.WaitGroup
}

func newSender(p Parts, served map[string]channels.Channel, rested func()) *sender {
	return &sender{
		store: p.Store, persona: p.Card.Key, channels: served, now: p.Now,
		jitter: p.Jitter, rested: rested, log: p.Log,
		kick: make(chan struct{}, 1), busy: make(map[int64]bool), woken: true,
	}
}

// wake says that the outbox may hold something new.
func (s *sender) wake() {
	s.mu.Lock()
	s.woken = true
	s.mu.Unlock()
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

// idle says that everything that can be sent now has been sent.
func (s *sender) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.woken && !s.looking && len(s.busy) == 0
}

// run sends until ctx ends, then waits for what is under way.
func (s *sender) run(ctx context.Context) error {
	defer s.wg.Wait()
	for {
		next, err := s.dispatch(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			s.log.Error("read the outbox", "error", err, "retry_in", sendFirst)
			next = s.now().Add(sendFirst)
		}
		s.rest(ctx, next)
	}
}

// rest waits for a kick, the next due row, or the end. A zero next means that nothing is due.
func (s *sender) rest(ctx context.Context, next time.Time) {
	var due <-chan time.Time
	if !next.IsZero() {
		t := time.NewTimer(max(0, next.Sub(s.now())))
		defer t.Stop()
		due = t.C
	}
	select {
	case <-ctx.Done():
	case <-s.kick:
	case <-due:
	}
}

// dispatch starts sending the oldest due row of every room that is not being spoken in. It returns when the next row
// falls due, zero when none waits.
func (s *sender) dispatch(ctx context.Context) (time.Time, error) {
	s.look(true)
	rows, err := s.store.DueOutbox(ctx, s.persona, s.now(), 4*sendAtOnce)
	if err != nil {
		return time.Time{}, err
	}
	started := 0
	for _, row := range rows {
		if !reaches(s.channels, row.Room.Room) || !s.take(row.Room.ID) {
			continue
		}
		started++
		s.wg.Go(func() {
			s.deliver(ctx, row)
			s.release(row.Room.ID)
		})
	}
	s.look(false)
	if started > 0 {
		return time.Time{}, nil // each of them wakes the sender again
	}
	if s.idle() {
		s.rested()
	}
	return s.store.NextOutbox(ctx, s.persona, s.now())
}

// look notes that the outbox is being read, or has been.
func (s *sender) look(begins bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looking = begins
	if begins {
		s.woken = false
	}
}

func (s *sender) take(room int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[room] || len(s.busy) >= sendAtOnce {
		return false
	}
	s.busy[room] = true
	return true
}

// release looks at the room again: the next row of its talk may wait behind the one that was sent.
func (s *sender) release(room int64) {
	s.mu.Lock()
	delete(s.busy, room)
	s.mu.Unlock()
	s.wake()
}

// deliver sends the chunks of row that were not sent before and notes what became of them.
func (s *sender) deliver(ctx context.Context, row memory.Out) {
	channel := s.channels[row.Room.Channel]
	chunks := channels.Split(row.Text, channels.LimitsOf(channel))
	for i := row.ChunksSent; i < len(chunks); i++ {
		out := channels.Outgoing{Room: row.Room.Room, Key: chunkKey(row.Key, i), Text: chunks[i]}
		if i == 0 {
			out.ReplyTo = row.ReplyTo
		}
		if _, err := channel.Send(ctx, out); err != nil {
			s.failed(ctx, row, err)
			return
		}
		if i+1 < len(chunks) {
			if err := s.store.ChunkSent(ctx, row.ID, i+1); err != nil {
				s.log.Error("note a sent chunk", "outbox", row.ID, "error", err)
				return
			}
		}
	}
	if err := s.store.OutSent(ctx, row.ID); err != nil {
		s.log.Error("note a sent reply", "outbox", row.ID, "error", err)
	}
}

// failed decides whether row is tried again: not when the network refused it for good, and not when it may have been
// shown already by a network that would show it twice.
func (s *sender) failed(ctx context.Context, row memory.Out, cause error) {
	if ctx.Err() != nil {
		return // cut short by shutdown: the row stays pending
	}
	kind := channels.Kind(cause)
	unsure := kind == channels.Ambiguous && !channels.LimitsOf(s.channels[row.Room.Channel]).Idempotent
	if kind == channels.Permanent || unsure || row.Attempts+1 >= sendAttempts {
		s.log.Error("give up sending a reply", "outbox", row.ID, "room", row.Room.ID, "error", cause)
		if err := s.store.OutDead(ctx, row.ID, cause.Error()); err != nil {
			s.log.Error("note a reply that cannot be sent", "outbox", row.ID, "error", err)
		}
		return
	}
	pause := backoff(row.Attempts, channels.RetryAfter(cause))
	pause += s.jitter(pause / 4) // so that many rooms do not return at the same moment
	s.log.Warn("send a reply", "outbox", row.ID, "room", row.Room.ID, "error", cause, "retry_in", pause)
	if err := s.store.OutFailed(ctx, row.ID, cause.Error(), s.now().Add(pause)); err != nil {
		s.log.Error("note a failed send", "outbox", row.ID, "error", err)
	}
}

// backoff is the pause after attempt failures: doubling, or what the network asked for.
func backoff(attempt int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	return min(sendFirst<<min(attempt, 16), sendLast)
}

// chunkKey is the idempotency key of one chunk of a reply.
func chunkKey(reply string, chunk int) string { return fmt.Sprintf("%s-%d", reply, chunk) }
