// Package console is the channel of the person at this machine: standard input and output. At a terminal it edits
// lines, shows the persona thinking and writing, and keeps what arrives apart from what is being typed. Anywhere
// else it reads one message per line and prints the replies, so that a conversation can be scripted.
package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"familiar/channels"
)

// Name is the channel's name in rooms and handles.
const Name = "console"

// ReplyTimeout is how long a script's line waits for its answer when Options do not say. A local model on a slow
// machine takes a minute or two.
const ReplyTimeout = 5 * time.Minute

// Nobody is what somebody is called who gave no name.
const Nobody = "you"

// Options say who sits at the console and what it is made of.
type Options struct {
	// In is read until its end. A file is left open; any other reader that can be closed is closed when Run ends,
	// which frees a read that waits.
	In  io.Reader
	Out io.Writer
	// As is the person's name, "you" when empty. Trimmed and in lower case it is their handle.
	As string
	// Room replaces the room's id, "dm/" and the handle when empty.
	Room string
	// Persona labels what the persona says at a terminal, "" for no label.
	Persona string
	// Prompt stands before the person's line at a terminal, "> " when empty.
	Prompt string
	// Now tells when a message is said.
	Now func() time.Time
	// NewID makes the id of a message, never the same one twice, across launches too.
	NewID func() string
	// Arrive opens with a message of arrival, so that the persona may greet.
	Arrive bool
	// JSON prints each reply to a script as one line of JSON with at, room, from and text, as transcripts are written.
	JSON bool
	// Terminal says which face to show. When nil it is the terminal's if both In and Out are one.
	Terminal *bool
	// Colour allows soft colours at a terminal.
	Colour bool
	// History is the file that keeps entered lines at a terminal, "" to forget them at the end.
	History string
	// Redact takes out of an entered line what the history must not keep, such as secrets. When nil lines are kept as
	// they were typed.
	Redact func(line string) string
	// ReplyTimeout is how long a script's line waits for its answer, 0 for the package's ReplyTimeout.
	ReplyTimeout time.Duration
}

// Console is the channel. It implements channels.Channel, Typist, Previewer, Limited, Local, Settler and Hinter.
type Console struct {
	room   channels.Room
	author channels.Author
	now    func() time.Time
	newID  func() string
	face   face

	mu    sync.Mutex
	state state
	// shown holds the keys that were shown. A console lives as long as one sitting, so it is never emptied.
	shown map[string]bool
}

// face is how the console looks to whoever is in front of it: a terminal or a pipe.
type face interface {
	// run hears until the input ends, the person leaves or ctx ends.
	run(ctx context.Context, p persona) error
	// show prints a chunk; answers is the id of the message it answers, "" when it does not say.
	show(key, answers, text string) error
	preview(key, soFar string) error
	typing(on bool) error
	// settled tells that message id needs no answer.
	settled(id string)
}

// persona is the other side, as a face sees it.
type persona struct {
	// message makes a message of a text, an arrival of an empty one.
	message func(text string) channels.Message
	// hear hands a message over; afterwards it is durable.
	hear func(ctx context.Context, m channels.Message) error
}

type state int

const (
	waiting state = iota
	running
	closed
)

// New makes a console. It touches neither In nor Out before Run or Send.
func New(o Options) *Console {
	name := strings.TrimSpace(cmp.Or(strings.TrimSpace(o.As), Nobody))
	id := strings.ToLower(name)
	c := &Console{
		room:   channels.Room{Channel: Name, ID: cmp.Or(o.Room, "dm/"+id)},
		author: channels.Author{Handle: channels.Handle{Channel: Name, ID: id}, Name: name},
		now:    o.Now,
		newID:  o.NewID,
		shown:  map[string]bool{},
	}
	if atTerminal(o) {
		c.face = newTerminal(o)
	} else {
		c.face = newPipe(o, c.room)
	}
	return c
}

func atTerminal(o Options) bool {
	if o.Terminal != nil {
		return *o.Terminal
	}
	in, inFile := o.In.(*os.File)
	out, outFile := o.Out.(*os.File)
	return inFile && outFile && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// Name is "console".
func (c *Console) Name() string { return Name }

// Room is the one room there is.
func (c *Console) Room() channels.Room { return c.room }

// Reaches says that only the person who sits here can be reached.
func (c *Console) Reaches(room channels.Room) bool { return room == c.room }

// Limits says that any length will do and that a key is shown once while the console lives.
func (c *Console) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

// Run hears the person until they leave, the input ends or ctx ends; only the last is an error. It runs once.
// A script's lines that got no answer in time are an error at the end.
func (c *Console) Run(ctx context.Context, accept channels.Accept) error {
	if err := c.enter(waiting, running); err != nil {
		return err
	}
	defer func() { _ = c.enter(running, closed) }() // running is certain here
	return c.face.run(ctx, persona{
		message: c.message,
		hear:    func(ctx context.Context, m channels.Message) error { return deliver(ctx, accept, m) },
	})
}

func (c *Console) enter(from, to state) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != from {
		return errors.New("run console: it runs once, make a new one")
	}
	c.state = to
	return nil
}

func (c *Console) message(text string) channels.Message {
	return channels.Message{
		ID: c.newID(), Room: c.room, Author: c.author, Direct: true, Addressed: true,
		Text: text, Arrival: text == "", At: c.now(),
	}
}

// deliveries is how often a message is handed over before the console gives up, deliveryPause how long it waits
// after the first refusal and four times longer after each one that follows.
const (
	deliveries    = 4
	deliveryPause = 50 * time.Millisecond
)

// deliver hands m over until it is kept: the same message under the same id each time.
func deliver(ctx context.Context, accept channels.Accept, m channels.Message) error {
	pause := deliveryPause
	for try := 1; ; try++ {
		err := accept(ctx, m)
		if err == nil {
			return nil
		}
		if try == deliveries || ctx.Err() != nil {
			return fmt.Errorf("hand over message %s: %w", m.ID, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause *= 4
	}
}

// Send shows one chunk, unless its key was shown before. The receipt's id is the key.
func (c *Console) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.open(out.Room); err != nil {
		return channels.Receipt{}, err
	}
	if out.Key != "" && c.shown[out.Key] {
		return channels.Receipt{ID: out.Key}, nil
	}
	if err := c.face.show(out.Key, out.ReplyTo, out.Text); err != nil {
		return channels.Receipt{}, &channels.SendError{Kind: channels.Ambiguous, Err: fmt.Errorf("print to the console: %w", err)}
	}
	c.shown[out.Key] = true
	return channels.Receipt{ID: out.Key}, nil
}

// Typing shows or hides that the persona is thinking.
func (c *Console) Typing(_ context.Context, room channels.Room, on bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.open(room); err != nil {
		return err
	}
	return c.face.typing(on)
}

// Preview shows a reply while it grows.
func (c *Console) Preview(_ context.Context, room channels.Room, key, soFar string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.open(room); err != nil || c.shown[key] {
		return err
	}
	return c.face.preview(key, soFar)
}

// NoReply tells that the message with this id is dealt with and will get no answer, so that a script goes on to its
// next line. For a message that was answered it does nothing.
func (c *Console) NoReply(id string) { c.face.settled(id) }

// Hints are the ways out, and at a terminal what its keys do.
func (c *Console) Hints() []channels.Hint {
	if _, ok := c.face.(*terminal); !ok {
		return []channels.Hint{{Input: "/quit", Effect: "leaves"}}
	}
	return []channels.Hint{
		{Input: "/quit, Ctrl-D", Effect: "leaves"},
		{Input: "Ctrl-C", Effect: "cuts me short; otherwise clears the line, and pressed again leaves"},
		{Input: "Alt-Enter", Effect: "makes a new line in a message"},
	}
}

// open says whether there is somebody to show something in room to: only the person who sits here may read it.
func (c *Console) open(room channels.Room) error {
	var err error
	switch {
	case c.state == closed:
		err = errors.New("nobody is at the console any more")
	case room != c.room:
		err = fmt.Errorf("room %q is not open at the console, %q is", room.ID, c.room.ID)
	default:
		return nil
	}
	return &channels.SendError{Kind: channels.Temporary, Err: err}
}

// leaves says that the person wants to go. A leading slash inside a pasted text is text.
func leaves(text string) bool { return text == "/quit" || text == "/exit" }
