package supervise

import (
	"context"
	"sync"
	"time"

	"familiar/channels"
)

// stateBoard holds a channel's latest status until it is published. Earlier unpublished states are dropped.
type stateBoard struct {
	mu    sync.Mutex
	state channels.State
	fresh chan struct{} // holds one element while state is unpublished
}

func (s *Supervisor) board(name string) *stateBoard {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.boards[name]
	if !ok {
		b = &stateBoard{fresh: make(chan struct{}, 1)}
		s.boards[name] = b
	}
	return b
}

// put stores the channel's status and reports whether it changed.
func (b *stateBoard) put(state channels.State) bool {
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

func (b *stateBoard) now() channels.State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}

// A failed publication is retried after publishRetry; one attempt may take publishTimeout.
const (
	publishRetry   = 5 * time.Second
	publishTimeout = 10 * time.Second
)

// publish publishes each change of the board until done, and then the last state once more.
func (s *Supervisor) publish(done <-chan struct{}, name string, b *stateBoard) {
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
		ctx, cancel := context.WithTimeout(context.Background(), publishTimeout)
		var err error
		if state := b.now(); state.Phase != channels.Standby { // the state of the channel is what the connected process says
			err = s.Publish(ctx, name, state)
		}
		cancel()
		if err == nil {
			continue
		}
		s.Log.Error("publish a channel's status", "channel", name, "error", err)
		if last {
			return
		}
		select { // until the next change, or the next retry
		case b.fresh <- struct{}{}:
		default:
		}
		select {
		case <-done:
		case <-time.After(publishRetry):
		}
	}
}
