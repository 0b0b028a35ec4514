package persona

import (
	"context"
	"errors"
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
	// pauseAtMost is how long a network may ask to be left alone. A row that is due later was written before the clock was
	// set back, and must not silence its room until then.
	pauseAtMost = 6 * time.Hour
	// sendAtOnce bounds how many rooms are spoken in at the same time.
	sendAtOnce = 16
)

// sender takes what the outbox holds to the channels. Each room with something to say has one mouth, a goroutine that
// speaks in order until nothing waits there: a slow or limited room delays no other.
type sender struct {
	store    *memory.Store
	persona  string
	channels map[string]channels.Channel
	now      func() time.Time
	jitter   func(time.Duration) time.Duration
	// rested is called when a mouth closes.
	rested func()
	log    *slog.Logger
	// places are taken by those that speak right now.
	places chan struct{}

	mu sync.Mutex
	// mouths are the open ones, with how many rows are known to wait there, unknown for those found at the start.
	mouths map[int64]int
	// waiting counts the mouths that wait for a moment still to come.
	waiting int
	// life ends the mouths; nil while the sender does not run.
	life context.Context
	wg   sync.WaitGroup
}

func newSender(p Parts, served map[string]channels.Channel, rested func()) *sender {
	return &sender{
		store: p.Store, persona: p.Card.Key, channels: served, now: p.Now, jitter: p.Jitter, rested: rested, log: p.Log,
		places: make(chan struct{}, sendAtOnce), mouths: make(map[int64]int),
	}
}

// start opens a mouth in every room in which something was left to say. The mouths live until ctx ends.
func (s *sender) start(ctx context.Context) error {
	s.mu.Lock()
	s.life = ctx
	s.mu.Unlock()
	rooms, err := s.store.OutboxRooms(ctx, s.persona)
	if err != nil {
		return fmt.Errorf("look for unsent replies: %w", err)
	}
	for _, room := range rooms {
		s.open(room, unknown)
	}
	return nil
}

// unknown many rows wait in a room when it is found at the start.
const unknown = 1 << 30

// stop waits until every mouth has closed; what was not sent stays in the outbox.
func (s *sender) stop() {
	s.mu.Lock()
	s.life = nil
	s.mu.Unlock()
	s.wg.Wait()
}

// wake says that one more thing was queued for room.
func (s *sender) wake(room memory.Room) { s.open(room, 1) }

// open lets the room's mouth say n more things.
func (s *sender) open(room memory.Room, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life == nil || !reaches(s.channels, room.Room) {
		return
	}
	left, talking := s.mouths[room.ID]
	s.mouths[room.ID] = left + n
	if talking {
		return
	}
	life := s.life
	s.wg.Go(func() { s.speak(life, room.ID) })
}

// idle says that everything that can be sent now has been sent.
func (s *sender) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.mouths) == s.waiting
}

// speak says what waits in the room, oldest first, until nothing does or ctx ends.
func (s *sender) speak(ctx context.Context, room int64) {
	defer s.rested()
	for {
		known := s.known(room)
		row, err := s.store.FirstOut(ctx, s.persona, room)
		switch {
		case errors.Is(err, memory.ErrNotFound): // withdrawn, or all there was from the start is said
			if s.close(room, known) {
				return
			}
			continue
		case ctx.Err() != nil:
			s.abandon(room)
			return
		case err != nil:
			s.log.Error("read the outbox", "room", room, "error", err, "retry_in", sendFirst)
			row.NotBefore = s.now().Add(sendFirst)
		}
		if !s.await(ctx, row.NotBefore) {
			s.abandon(room)
			return
		}
		if err == nil && s.deliver(ctx, row) && s.said(room) {
			return
		}
	}
}

// said counts one thing as dealt with and says whether that was all: the mouth is closed then.
func (s *sender) said(room int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mouths[room]--; s.mouths[room] > 0 {
		return false
	}
	delete(s.mouths, room)
	return true
}

// known is how many things are known to wait in the room.
func (s *sender) known(room int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mouths[room]
}

// close closes the room's mouth after nothing was found there, unless something was queued since it was looked for:
// known is what was known to wait before that.
func (s *sender) close(room int64, known int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mouths[room] -= known; s.mouths[room] > 0 {
		return false
	}
	delete(s.mouths, room)
	return true
}

func (s *sender) abandon(room int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.mouths, room)
}

// await waits for due by the injected clock, never longer than pauseAtMost, and says whether ctx still lives.
func (s *sender) await(ctx context.Context, due time.Time) bool {
	pause := min(due.Sub(s.now()), pauseAtMost)
	if due.IsZero() || pause <= 0 {
		return ctx.Err() == nil
	}
	s.count(+1)
	s.rested()
	defer s.count(-1)
	return sleep(ctx, pause)
}

func (s *sender) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting += n
}

// deliver sends the chunks of row that were not sent before, notes what became of them, and says whether the row is dealt
// with: sent, or given up.
func (s *sender) deliver(ctx context.Context, row memory.Out) bool {
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return false
	}
	channel := s.channels[row.Room.Channel]
	chunks := channels.Split(row.Text, channels.LimitsOf(channel))
	for i := row.ChunksSent; i < len(chunks); i++ {
		out := channels.Outgoing{Room: row.Room.Room, Key: chunkKey(row.Key, i), Text: chunks[i]}
		if i == 0 {
			out.ReplyTo = row.ReplyTo
		}
		if _, err := channel.Send(ctx, out); err != nil {
			return s.failed(ctx, row, err)
		}
		if i+1 < len(chunks) && !s.note(ctx, row, func() error { return s.store.ChunkSent(ctx, row.ID, i+1) }) {
			return false
		}
	}
	return s.note(ctx, row, func() error { return s.store.OutSent(ctx, row.ID) })
}

// note writes down what became of a row until it is written, or ctx ends: while it is not, the room says nothing more,
// because what is not known to be sent would be sent again.
func (s *sender) note(ctx context.Context, row memory.Out, write func() error) bool {
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
// shown already by a network that would show it twice. It says whether the row is dealt with.
func (s *sender) failed(ctx context.Context, row memory.Out, cause error) bool {
	if ctx.Err() != nil {
		return false // cut short by shutdown: the row stays pending
	}
	kind := channels.Kind(cause)
	unsure := kind == channels.Ambiguous && !channels.LimitsOf(s.channels[row.Room.Channel]).Idempotent
	if kind == channels.Permanent || unsure || row.Attempts+1 >= sendAttempts {
		s.log.Error("give up sending a reply", "outbox", row.ID, "room", row.Room.ID, "error", cause)
		return s.note(ctx, row, func() error { return s.store.OutDead(ctx, row.ID, cause.Error()) })
	}
	pause := s.backoff(row.Attempts, channels.RetryAfter(cause))
	s.log.Warn("send a reply", "outbox", row.ID, "room", row.Room.ID, "error", cause, "retry_in", pause)
	s.note(ctx, row, func() error { return s.store.OutFailed(ctx, row.ID, cause.Error(), s.now().Add(pause)) })
	return false
}

// backoff is the pause after attempt failures: doubling, or what the network asked for, and a little more, so that many
// rooms do not return at the same moment.
func (s *sender) backoff(attempt int, asked time.Duration) time.Duration {
	pause := asked
	if pause == 0 {
		pause = min(sendFirst<<min(attempt, 16), sendLast)
	}
	return pause + s.jitter(pause/4)
}

// chunkKey is the idempotency key of one chunk of a reply.
func chunkKey(reply string, chunk int) string { return fmt.Sprintf("%s-%d", reply, chunk) }
