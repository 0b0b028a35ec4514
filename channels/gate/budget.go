package gate

import (
	"sync"
	"time"

	"familiar/channels"
)

// How much another bot may say before it is answered no more: two bots that answer one another never stop by themselves.
const (
	botMessages = 20
	botWindow   = time.Minute
	botSilence  = time.Minute
)

// Budget counts what other bots say, each in each room. It lives as long as the process: a loop of bots that outlives a
// restart uses it up again at once. The zero Budget is ready, and may be used by any number of goroutines.
type Budget struct {
	mu    sync.Mutex
	pairs map[pair]*spending
}

// pair is one bot in one room.
type pair struct {
	bot  channels.Handle
	room channels.Room
}

// spending is what a bot has said within botWindow, and until when it is not answered.
type spending struct {
	said  []spent
	until time.Time
}

type spent struct {
	id string
	at time.Time
}

// Spend counts the message and says whether the bot is still answered: not from its 21st message within a minute on,
// until a minute after that. The same message counts once.
func (b *Budget) Spend(m channels.Message, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget(now)
	key := pair{m.Author.Handle, m.Room}
	s := b.pairs[key]
	if s == nil {
		s = &spending{}
		b.pairs[key] = s
	}
	for _, was := range s.said {
		if was.id == m.ID {
			return true
		}
	}
	switch {
	case now.Before(s.until):
		return false
	case len(s.said) >= botMessages:
		s.said, s.until = nil, now.Add(botSilence)
		return false
	}
	s.said = append(s.said, spent{m.ID, now})
	return true
}

// forget lets go of what was said before the window, and of bots that have been silent.
func (b *Budget) forget(now time.Time) {
	if b.pairs == nil {
		b.pairs = map[pair]*spending{}
	}
	for key, s := range b.pairs {
		for len(s.said) > 0 && now.Sub(s.said[0].at) >= botWindow {
			s.said = s.said[1:]
		}
		if len(s.said) == 0 && !now.Before(s.until) {
			delete(b.pairs, key)
		}
	}
}
