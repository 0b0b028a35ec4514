package persona

import (
	"time"

	"familiar/channels"
	"familiar/memory/log"
)

// resendPatience is how long the one more send after an unknown outcome waits for a network that is known to be
// unreachable.
const resendPatience = 5 * time.Minute

// Reachable tells the cast whether the network of a channel can be reached now. If so, what could not be sent there
// before is sent now instead of after its pause.
func (c *Cast) Reachable(channel string, now bool) { c.sender.setReachable(channel, now) }

func (s *sender) setReachable(channel string, now bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down[channel] = !now
	if !now {
		return
	}
	if back, ok := s.returns[channel]; ok {
		close(back)
		delete(s.returns, channel)
	}
}

// nextReturn returns what is closed when the network of channel can be reached again.
func (s *sender) nextReturn(channel string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	back, ok := s.returns[channel]
	if !ok {
		back = make(chan struct{})
		s.returns[channel] = back
	}
	return back
}

// noteOutcome records what ends the room's pause after a send of row: back if it did not reach the network, otherwise only
// time.
func (s *sender) noteOutcome(row log.OutboxEntry, err error, back <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && channels.Kind(err) == channels.Temporary && channels.RetryAfter(err) == 0 {
		s.unreached[row.Room.ID] = back
		return
	}
	delete(s.unreached, row.Room.ID)
}

// isDown reports whether the network of channel is known to be unreachable.
func (s *sender) isDown(channel string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.down[channel]
}

// endOfPause returns what ends the room's pause early, nil for nothing.
func (s *sender) endOfPause(room int64) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unreached[room]
}
