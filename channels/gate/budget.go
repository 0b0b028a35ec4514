package gate

import (
	"sync"
	"time"

	"familiar/channels"
)

// How many messages of another bot are answered: two bots that answer each other never stop by themselves.
const (
	botMessages = 20
	botWindow   = time.Minute
	botSilence  = time.Minute
)

// Budget limits replies to other bots, counted per bot and room. It is kept in memory only: a loop of bots that
// survives a restart uses it up again at once. The zero Budget is ready to use and safe for concurrent use.
type Budget struct {
	mu    sync.Mutex
	pairs map[botInRoom]*botActivity
}

// botInRoom identifies one bot in one room.
type botInRoom struct {
	bot  channels.Handle
	room channels.Room
}

// botActivity holds a bot's messages within botWindow, and until when it gets no reply.
type botActivity struct {
	messages    []botMessage
	silentUntil time.Time
}

type botMessage struct {
	id string
	at time.Time
}

// Spend counts the message and reports whether the bot still gets a reply. From its 21st message within a minute the
// bot gets none until a minute after that message. A redelivered message counts once.
func (b *Budget) Spend(m channels.Message, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget(now)
	key := botInRoom{m.Author.Handle, m.Room}
	s := b.pairs[key]
	if s == nil {
		s = &botActivity{}
		b.pairs[key] = s
	}
	for _, was := range s.messages {
		if was.id == m.ID {
			return true
		}
	}
	switch {
	case now.Before(s.silentUntil):
		return false
	case len(s.messages) >= botMessages:
		s.messages, s.silentUntil = nil, now.Add(botSilence)
		return false
	}
	s.messages = append(s.messages, botMessage{m.ID, now})
	return true
}

// forget removes messages from before the window, and bots that have been silent.
func (b *Budget) forget(now time.Time) {
	if b.pairs == nil {
		b.pairs = map[botInRoom]*botActivity{}
	}
	for key, s := range b.pairs {
		for len(s.messages) > 0 && now.Sub(s.messages[0].at) >= botWindow {
			s.messages = s.messages[1:]
		}
		if len(s.messages) == 0 && !now.Before(s.silentUntil) {
			delete(b.pairs, key)
		}
	}
}
