// Package console is the channel for the person at this machine: standard input and output. At a terminal it edits
// lines, shows when the persona thinks and writes, and keeps incoming messages apart from the text being typed.
// Otherwise it reads one message per line and prints the replies, so that conversations can be scripted.
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
	"familiar/channels/markdown"
)

// Name is the channel name in rooms and handles.
const Name = "console"

// ReplyTimeout is the default time a script's line waits for its reply. A local model on a slow machine takes a minute
// or two.
const ReplyTimeout = 5 * time.Minute

// DefaultName is the display name of a person who gave none.
const DefaultName = "you"

// Options configures a console.
type Options struct {
	// In is read until its end. A file is left open; any other reader that can be closed is closed when Run ends, which
	// ends a blocked read.
	In  io.Reader
	Out io.Writer
	// As is the person's name, "you" if empty. Trimmed and in lower case it is their handle.
	As string
	// Room replaces the room id, which defaults to "dm/" and the handle.
	Room string
	// Persona labels the persona's messages at a terminal, "" for no label.
	Persona string
	// Prompt precedes the person's line at a terminal, "> " if empty.
	Prompt string
	// Now returns the time for new messages.
	Now func() time.Time
	// NewID returns a unique message id, unique across program starts.
	NewID func() string
	// Arrive sends an arrival first, so that the persona may greet.
	Arrive bool
	// JSON prints each reply to a script as one line of JSON with at, room, from and text, the format of transcripts.
	JSON bool
	// Terminal selects the terminal frontend. If nil, it is used if both In and Out are terminals.
	Terminal *bool
	// Colour enables muted colours at a terminal.
	Colour bool
	// History is the file for the lines entered at a terminal, "" to keep them only in memory.
	History string
	// Files is the directory for files that the persona sends, "" for the current one.
	Files string
	// Redact removes secrets from a line before it is added to the history. If nil, lines are stored as typed.
	Redact func(line string) string
	// Remembered tells which of the lines in the history are still stored as messages; the others are removed, because
	// they were forgotten. It is called at the start, and after the answer to a command, which may have been to forget. If
	// nil, the history keeps all lines.
	Remembered func(lines []string) (kept map[string]bool, err error)
	// AsksCommand reports that a line asks in plain words for what a command does. Such a line is no message, and never
	// written to the history. If nil, only lines that begin with a slash are commands.
	AsksCommand func(line string) bool
	// ReplyTimeout is how long a script's line waits for its reply, 0 for the package's ReplyTimeout.
	ReplyTimeout time.Duration
}

// Console is the channel. It implements channels.Channel, Typist, Previewer, Limited, Local, NoReplier, FileFetcher and Hinter.
type Console struct {
	room     channels.Room
	author   channels.Author
	now      func() time.Time
	newID    func() string
	files    string
	frontend frontend

	mu    sync.Mutex
	state state
	// shown holds the keys already shown. It is never cleared, because a console lives for one session.
	shown map[string]bool
}

// frontend is the console's user interface: a terminal or a pipe.
type frontend interface {
	// run reads messages until the input ends, the person leaves or ctx ends.
	run(ctx context.Context, p persona) error
	// show prints a chunk; answers is the id of the message it answers, "" if unknown.
	show(key, answers, text string) error
	preview(key, soFar string) error
	typing(on bool) error
	// noReply reports that message id gets no reply.
	noReply(id string)
}

// persona is the receiving side, as a frontend sees it.
type persona struct {
	// message creates a message with text, or an arrival if text is empty. It fails if the text shows what cannot be shown.
	message func(text string) (channels.Message, error)
	// accept passes a message on; when it returns nil, the message is durable.
	accept func(ctx context.Context, m channels.Message) error
}

type state int

const (
	waiting state = iota
	running
	closed
)

// New returns a console. It does not use In or Out before Run or Send.
func New(o Options) *Console {
	author, room := Person(o.As)
	c := &Console{
		room:   channels.Room{Channel: Name, ID: cmp.Or(o.Room, room.ID)},
		author: author,
		now:    o.Now,
		newID:  o.NewID,
		files:  o.Files,
		shown:  map[string]bool{},
	}
	if atTerminal(o) {
		c.frontend = newTerminal(o)
	} else {
		c.frontend = newPipe(o, c.room)
	}
	return c
}

// Person returns the account of somebody who chats in the terminal under a name, DefaultName if it is empty, and their direct room.
func Person(as string) (channels.Author, channels.Room) {
	name := cmp.Or(strings.TrimSpace(as), DefaultName)
	id := strings.ToLower(name)
	return channels.Author{Handle: channels.Handle{Channel: Name, ID: id}, Name: name}, channels.Room{Channel: Name, ID: "dm/" + id}
}

func atTerminal(o Options) bool {
	if o.Terminal != nil {
		return *o.Terminal
	}
	in, inFile := o.In.(*os.File)
	out, outFile := o.Out.(*os.File)
	return inFile && outFile && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// Name returns "console".
func (c *Console) Name() string { return Name }

// Room returns the console's only room.
func (c *Console) Room() channels.Room { return c.room }

// Reaches reports whether room is the console's own.
func (c *Console) Reaches(room channels.Room) bool { return room == c.room }

// Limits reports that chunks may have any length, and that a key is shown once while the console exists.
func (c *Console) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

// Run receives the person's messages until they leave, the input ends or ctx ends; only the last is an error. It may be
// called once. If lines of a script got no reply in time, it returns an error at the end.
func (c *Console) Run(ctx context.Context, accept channels.Accept) error {
	if err := c.setState(waiting, running); err != nil {
		return err
	}
	defer func() { _ = c.setState(running, closed) }() // cannot fail here
	return c.frontend.run(ctx, persona{
		message: c.message,
		accept:  func(ctx context.Context, m channels.Message) error { return deliver(ctx, accept, m) },
	})
}

func (c *Console) setState(from, to state) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != from {
		return errors.New("run console: Run may be called only once; create a new console")
	}
	c.state = to
	return nil
}

func (c *Console) message(text string) (channels.Message, error) {
	m := channels.Message{
		ID: c.newID(), Room: c.room, Author: c.author, Direct: true, Addressed: true,
		Text: text, Arrival: text == "", At: c.now(),
	}
	if path, words, ok := pictureIn(text); ok {
		picture, err := pictureAt(path)
		if err != nil {
			return m, fmt.Errorf("show a picture: %w", err)
		}
		m.Text, m.Attachments = words, []channels.Attachment{picture}
	}
	return m, nil
}

// maxAttempts is how often a message is passed on before the console gives up. The first pause is firstRetryPause; each
// further one is four times longer.
const (
	maxAttempts     = 4
	firstRetryPause = 50 * time.Millisecond
)

// deliver passes m to accept until it is stored, under the same id each time.
func deliver(ctx context.Context, accept channels.Accept, m channels.Message) error {
	pause := firstRetryPause
	for try := 1; ; try++ {
		err := accept(ctx, m)
		if err == nil {
			return nil
		}
		if try == maxAttempts || ctx.Err() != nil {
			return fmt.Errorf("store message %s: %w", m.ID, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause *= 4
	}
}

// Send shows one chunk as Markdown without its escapes, unless its key was already shown. The receipt's id is the key.
func (c *Console) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.checkRoom(out.Room); err != nil {
		return channels.Receipt{}, err
	}
	if out.Key != "" && c.shown[out.Key] {
		return channels.Receipt{ID: out.Key}, nil
	}
	if err := c.frontend.show(out.Key, out.ReplyTo, markdown.Unescape(out.Text)); err != nil {
		return channels.Receipt{}, &channels.SendError{Kind: channels.Ambiguous, Err: fmt.Errorf("print to the console: %w", err)}
	}
	c.shown[out.Key] = true
	return channels.Receipt{ID: out.Key}, nil
}

// Typing shows or hides the thinking indicator.
func (c *Console) Typing(_ context.Context, room channels.Room, on bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.checkRoom(room); err != nil {
		return err
	}
	return c.frontend.typing(on)
}

// Preview shows the text so far of a reply.
func (c *Console) Preview(_ context.Context, room channels.Room, key, soFar string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.checkRoom(room); err != nil || c.shown[key] {
		return err
	}
	return c.frontend.preview(key, markdown.Unescape(soFar))
}

// NoReply reports that the message with this id gets no reply, so that a script continues with its next line. It does
// nothing for a message that was answered.
func (c *Console) NoReply(id string) { c.frontend.noReply(id) }

// checkRoom reports whether messages to room can be shown: only the person at the console may read them.
func (c *Console) checkRoom(room channels.Room) error {
	var err error
	switch {
	case c.state == closed:
		err = errors.New("the console session is over")
	case room != c.room:
		err = fmt.Errorf("room %q is not open at the console, %q is", room.ID, c.room.ID)
	default:
		return nil
	}
	return &channels.SendError{Kind: channels.Temporary, Err: err}
}

// isQuit reports whether the person wants to leave. A leading slash in a pasted text does not count.
func isQuit(text string) bool { return text == "/quit" || text == "/exit" }
