package companion

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"familiar/channels"
)

// Introduce sets the name by which the persona knows a person from their next message on. Without it, the name is the id.
func (c *Companion) Introduce(person, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names[person] = name
}

// Say returns what the persona answers to a person in their direct conversation. person is an id that the program
// chooses and never changes.
func (c *Companion) Say(ctx context.Context, person, text string) (Reply, error) {
	return c.SayStreaming(ctx, person, text, nil)
}

// SayStreaming is Say with the reply shown while a model writes it: show, if not nil, receives the text so far, now and
// then. It must not call the Companion.
func (c *Companion) SayStreaming(ctx context.Context, person, text string, show func(soFar string)) (Reply, error) {
	return c.tell(ctx, person, "", text, true, show)
}

// Greet returns what the persona says when a person comes in and has said nothing yet: a greeting that picks up what was
// open, or nothing if they were here a moment ago.
func (c *Companion) Greet(ctx context.Context, person string) (Reply, error) {
	return c.tell(ctx, person, "", "", true, nil)
}

// Room is a place where several people talk. What is said there is known to all in it, and never leaves it.
type Room struct {
	c    *Companion
	name string
}

// Room returns the room of a name, which the program chooses and never changes.
func (c *Companion) Room(name string) *Room { return &Room{c, name} }

// Say returns what the persona answers to a person who speaks to it in the room.
func (r *Room) Say(ctx context.Context, person, text string) (Reply, error) {
	return r.c.tell(ctx, person, r.name, text, true, nil)
}

// Hear lets the persona hear what a person says to others in the room. It remembers, and answers nothing.
func (r *Room) Hear(ctx context.Context, person, text string) error {
	_, err := r.c.tell(ctx, person, r.name, text, false, nil)
	return err
}

// tell hands a message to the engine and returns what is sent to its room until the engine rests.
func (c *Companion) tell(ctx context.Context, person, room, text string, addressed bool, show func(string)) (Reply, error) {
	if strings.TrimSpace(person) == "" {
		return Reply{}, errors.New("talk to a companion: the person needs an id")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said++
	m := channels.Message{
		ID: fmt.Sprintf("%d-%d", c.opened, c.said), Room: channels.Room{Channel: stageName, ID: direct + person}, Direct: true,
		Author: channels.Author{Handle: channels.Handle{Channel: stageName, ID: person}, Name: cmp.Or(c.names[person], person)},
		Text:   text, At: c.clock.Now(), Addressed: addressed && text != "", Arrival: text == "",
	}
	if room != "" {
		m.Room.ID, m.Direct, m.RoomTitle = shared+room, false, room
	}
	c.stage.listen(m.Room, show)
	defer c.stage.listen(channels.Room{}, nil)
	if err := c.engine.Accept(ctx, m); err != nil {
		return Reply{}, fmt.Errorf("tell the persona: %w", err)
	}
	if err := c.engine.Drain(ctx); err != nil {
		return Reply{}, fmt.Errorf("wait for the persona's answer: %w", err)
	}
	return Reply{Text: c.stage.heard(), At: c.clock.Now()}, nil
}
