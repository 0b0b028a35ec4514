package persona

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona/command"
)

// pace bounds how often each room is answered: a token bucket per room that holds the answers of a minute.
type pace struct {
	mu    sync.Mutex
	rooms map[channels.Room]*bucket
}

// bucket is the answers that a room may have now. told says that the room was told that it is too fast, since the bucket was
// full last.
type bucket struct {
	*rate.Limiter
	told bool
}

// wait returns how long the next answer in room must wait, and counts it. notice is how long a word about that must wait, which
// is counted too; 0 for none. perMinute is how many a minute may have, 0 for any number.
func (p *pace) wait(room channels.Room, perMinute int, now time.Time) (notice, answer time.Duration) {
	if perMinute <= 0 {
		return 0, 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgetIdle(now)
	b, ok := p.rooms[room]
	if !ok {
		b = &bucket{Limiter: rate.NewLimiter(rate.Every(time.Minute/time.Duration(perMinute)), perMinute)}
		p.rooms[room] = b
	}
	if b.isFull(now) {
		b.told = false
	}
	answer = b.ReserveN(now, 1).DelayFrom(now)
	if answer <= 0 || b.told {
		return 0, answer
	}
	b.told = true
	return answer, b.ReserveN(now, 1).DelayFrom(now)
}

func (b *bucket) isFull(now time.Time) bool { return b.TokensAt(now) >= float64(b.Burst()) }

// pacedRooms is how many rooms are kept before those whose bucket is full are dropped: a full bucket is like a new one.
const pacedRooms = 1000

func (p *pace) forgetIdle(now time.Time) {
	if len(p.rooms) < pacedRooms {
		return
	}
	for room, b := range p.rooms {
		if b.isFull(now) {
			delete(p.rooms, room)
		}
	}
}

// slowDown waits where a room is answered too often. It reports whether it waited: more may be pending then, which one answer
// takes up together. Rooms at the operator's own terminal never wait.
func (e *Engine) slowDown(ctx context.Context, l *lane, pending []log.InboxEntry) (waited bool, err error) {
	if _, own := e.channels[l.room.Channel].(channels.Local); own || !isAnswered(pending) {
		return false, nil
	}
	notice, answer := e.pace.wait(l.room, e.Settings.AnswersPerMinute, e.Now())
	if answer <= 0 {
		return false, nil
	}
	if notice > 0 {
		if !sleep.For(ctx, notice) {
			return true, ctx.Err()
		}
		if err := e.tellFlooded(ctx, pending[0].Message); err != nil {
			return true, err
		}
	}
	if !sleep.For(ctx, answer-notice) {
		return true, ctx.Err()
	}
	return true, nil
}

// tellFlooded tells the room of m, which waits for an answer, that answers take longer now. A room where nothing was ever
// answered is told nothing.
func (e *Engine) tellFlooded(ctx context.Context, m channels.Message) error {
	room, err := e.Store.Log.RoomByAddress(ctx, m.Room)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the room that is written to too fast: %w", err)
	}
	author, err := e.Store.Log.PersonByHandle(ctx, m.Author.Handle)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("find who writes too fast: %w", err)
	}
	key := fmt.Sprintf("flood-%s-%d", e.eventKey(m), e.Now().UnixMilli())
	if err := e.Store.Log.Tell(ctx, e.Card.Key, room, key, command.FloodNotice(author.Language, m.FullText())); err != nil {
		return err
	}
	e.sender.wake(room)
	return nil
}

// isAnswered reports whether what is pending first gets an answer: a command, or a turn in which somebody addresses the
// persona.
func isAnswered(pending []log.InboxEntry) bool {
	return len(pending) > 0 && pending[0].Message.Action == channels.Post && (command.Is(pending[0].Message) || awaitsReply(pending))
}
