package persona

import (
	"familiar/channels"
	"familiar/memory/log"
)

// Reconnected tells the engine that the network of a channel can be reached again. What could not be sent there is sent
// now instead of after its pause.
func (e *Engine) Reconnected(channel string) { e.sender.reconnected(channel) }

// reconnected ends the pauses after sends that did not reach the network of channel.
func (s *sender) reconnected(channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
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

// endOfPause returns what ends the room's pause early, nil for nothing.
func (s *sender) endOfPause(room int64) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unreached[room]
}
