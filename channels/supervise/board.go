package supervise

import (
	"context"
	"sync"
	"time"

	"familiar/channels"
)

// board holds how a channel stands until that is published: the latest, whatever came before.
type board struct {
	mu    sync.Mutex
	state channels.State
	fresh chan struct{} // holds one when state is not published yet
}

func (s *Supervisor) board(name string) *board {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.boards[name]
	if !ok {
		b = &board{fresh: make(chan struct{}, 1)}
		s.boards[name] = b
	}
	return b
}

// put notes how the channel stands and says whether that is news.
func (b *board) put(state channels.State) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state == state {
		return false
	}
	b.state = state
	select {
	case b.fresh <- struct{}{}:
	default:
	}
	return true
}

func (b *board) now() channels.State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}

// A state that cannot be published is tried again after publishAgain, and one attempt may take publishWithin.
const (
	publishAgain  = 5 * time.Second
	publishWithin = 10 * time.Second
)

// publish publishes what the board says, each time it says something else, until done; what it said last is published
// once more then.
func (s *Supervisor) publish(done <-chan struct{}, name string, b *board) {
	for last := false; ; {
		select {
		case <-b.fresh:
		case <-done:
			last = true
			select {
			case <-b.fresh:
			default:
				return
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), publishWithin)
		err := s.Publish(ctx, name, b.now())
		cancel()
		if err == nil {
			continue
		}
		s.Log.Error("publish how a channel stands", "channel", name, "error", err)
		if last {
			return
		}
		select { // until something else is to be published, or this again
		case b.fresh <- struct{}{}:
		default:
		}
		t := time.NewTimer(publishAgain)
		select {
		case <-done:
		case <-t.C:
		}
		t.Stop()
	}
}
