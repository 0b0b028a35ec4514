package persona

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory/log"
	"familiar/persona/command"
)

// pace bounds how often each room is answered: a token bucket per room that holds the answers of a minute.
type pace struct {
	mu    sync.Mutex
	rooms map[channels.Room]*rate.Limiter
}

// wait returns how long the next answer in room must wait, and counts it. perMinute is how many a minute may have, 0 for any
// number.
func (p *pace) wait(room channels.Room, perMinute int, now time.Time) time.Duration {
	if perMinute <= 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgetIdle(now)
	limit, ok := p.rooms[room]
	if !ok {
		limit = rate.NewLimiter(rate.Every(time.Minute/time.Duration(perMinute)), perMinute)
		p.rooms[room] = limit
	}
	return limit.ReserveN(now, 1).DelayFrom(now)
}

// pacedRooms is how many rooms are kept before those whose bucket is full are dropped: a full bucket is like a new one.
const pacedRooms = 1000

func (p *pace) forgetIdle(now time.Time) {
	if len(p.rooms) < pacedRooms {
		return
	}
	for room, limit := range p.rooms {
		if limit.TokensAt(now) >= float64(limit.Burst()) {
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
	wait := e.pace.wait(l.room, e.Settings.AnswersPerMinute, e.Now())
	if wait <= 0 {
		return false, nil
	}
	if !sleep.For(ctx, wait) {
		return true, ctx.Err()
	}
	return true, nil
}

// isAnswered reports whether what is pending first gets an answer: a command, or a turn in which somebody addresses the
// persona.
func isAnswered(pending []log.InboxEntry) bool {
	return len(pending) > 0 && pending[0].Message.Action == channels.Post && (command.Is(pending[0].Message) || awaitsReply(pending))
}
