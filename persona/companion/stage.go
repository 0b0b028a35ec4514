package companion

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"familiar/channels"
)

// stageName is the channel of the people and rooms of a companion; direct and shared begin the ids of its rooms.
const (
	stageName = "companion"
	direct    = "with/"
	shared    = "room/"
)

// stage is the channel between the program and the engine.
type stage struct {
	clock   *clock
	deliver func(Delivery)

	mu sync.Mutex
	// room is where somebody waits for an answer, chunks what was sent there since, show receives previews.
	room   channels.Room
	chunks []string
	show   func(soFar string)
	sent   int
}

// listen collects what is sent to a room from now on.
func (s *stage) listen(room channels.Room, show func(string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.room, s.chunks, s.show = room, nil, show
}

// heard returns what was sent since listen.
func (s *stage) heard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.chunks, "\n")
}

// Name implements channels.Channel.
func (s *stage) Name() string { return stageName }

// Run implements channels.Channel. Messages are handed to the engine as they are said.
func (s *stage) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

// Send implements channels.Channel.
func (s *stage) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	s.mu.Lock()
	s.sent++
	receipt := channels.Receipt{ID: "said-" + strconv.Itoa(s.sent)}
	awaited, deliver := out.Room == s.room, s.deliver
	if awaited {
		s.chunks = append(s.chunks, out.Text)
	}
	s.mu.Unlock()
	if !awaited && deliver != nil {
		d := Delivery{Text: out.Text, At: s.clock.Now()}
		if name, ok := strings.CutPrefix(out.Room.ID, shared); ok {
			d.Room = name
		} else {
			d.To = strings.TrimPrefix(out.Room.ID, direct)
		}
		deliver(d)
	}
	return receipt, nil
}

// Preview implements channels.Previewer.
func (s *stage) Preview(_ context.Context, room channels.Room, _, soFar string) error {
	s.mu.Lock()
	show := s.show
	awaited := room == s.room
	s.mu.Unlock()
	if awaited && show != nil {
		show(soFar)
	}
	return nil
}
