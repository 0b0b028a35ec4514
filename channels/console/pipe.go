package console

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"familiar/channels"
)

// maxLine is the longest line in bytes that a script may say. It is far beyond what a message can mean and keeps
// input that never ends a line from filling the memory.
const maxLine = 16 << 20

// pipe is the face for scripts: one message per line, each answered before the next is read, nothing printed but
// the replies.
type pipe struct {
	in      io.Reader
	out     io.Writer
	arrive  bool
	timeout time.Duration
	// line makes a reply what is printed of it.
	line func(text string) (string, error)

	mu sync.Mutex
	// awaited is the id of the message whose answer is waited for, "" when none is; answered closes with it.
	awaited  string
	answered chan struct{}
	// broken is why no reply can be printed any more.
	broken error
}

func newPipe(o Options, room channels.Room) *pipe {
	p := &pipe{in: o.In, out: o.Out, arrive: o.Arrive, timeout: cmp.Or(o.ReplyTimeout, ReplyTimeout), line: plainLine}
	if o.JSON {
		p.line = jsonLine(room, o.Persona, o.Now)
	}
	return p
}

func plainLine(text string) (string, error) { return text + "\n", nil }

// jsonLine writes what from says in room the way transcripts are written.
func jsonLine(room channels.Room, from string, now func() time.Time) func(text string) (string, error) {
	return func(text string) (string, error) {
		var line strings.Builder
		enc := json.NewEncoder(&line)
		enc.SetEscapeHTML(false)
		err := enc.Encode(struct {
			At   time.Time `json:"at"`
			Room string    `json:"room"`
			From string    `json:"from"`
			Text string    `json:"text"`
		}{now(), room.ID, from, text})
		return line.String(), err
	}
}

func (p *pipe) run(ctx context.Context, other persona) error {
	in, err := newInput(ctx, p.in)
	if err != nil {
		return err
	}
	defer in.stop()
	if p.arrive {
		// A persona need not greet: an arrival that is never answered is no failure.
		if err := p.say(ctx, other, ""); err != nil && !errors.Is(err, errNoAnswer) {
			return err
		}
	}
	unanswered, err := p.read(ctx, in, other)
	if err != nil {
		return err
	}
	if unanswered > 0 {
		return fmt.Errorf("messages with %w within %s: %d", errNoAnswer, p.timeout, unanswered)
	}
	return nil
}

// read says one line after the other and counts those that got no answer in time.
func (p *pipe) read(ctx context.Context, in io.Reader, other persona) (unanswered int, err error) {
	for lines, more := bufio.NewReader(in), true; more; {
		line, err := readLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return unanswered, fmt.Errorf("read the next message: %w", err)
		}
		more = err == nil
		text := strings.TrimSpace(line)
		if text == "" {
			continue
		}
		if leaves(text) {
			break
		}
		switch err := p.say(ctx, other, text); {
		case errors.Is(err, errNoAnswer):
			unanswered++
		case err != nil:
			return unanswered, err
		}
	}
	return unanswered, nil
}

// errNoAnswer is a message that was kept but not answered in time.
var errNoAnswer = errors.New("no answer")

// readLine returns the next line without its newline, with io.EOF for what follows the last one.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxLine {
			return "", fmt.Errorf("a line is longer than %d bytes, split it", maxLine)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return strings.ToValidUTF8(string(line), "\uFFFD"), err
		}
	}
}

// say hands one text over and waits until it is answered.
func (p *pipe) say(ctx context.Context, other persona, text string) error {
	m := other.message(text)
	answered := p.await(m.ID) // before the persona hears: the answer may be quick
	if err := other.hear(ctx, m); err != nil {
		return err
	}
	patience := time.NewTimer(p.timeout)
	defer patience.Stop()
	select {
	case <-answered:
		return p.failure()
	case <-ctx.Done():
		return ctx.Err()
	case <-patience.C:
		return errNoAnswer
	}
}

func (p *pipe) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broken
}

func (p *pipe) await(id string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.awaited, p.answered = id, make(chan struct{})
	return p.answered
}

// settled ends the waiting for message id.
func (p *pipe) settled(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id != "" && id == p.awaited {
		p.awaited = ""
		close(p.answered)
	}
}

// fail ends the waiting for good: nobody sees what else is answered.
func (p *pipe) fail(err error) {
	p.mu.Lock()
	p.broken = err
	awaited := p.awaited
	p.mu.Unlock()
	p.settled(awaited)
}

// show prints a reply. One that does not say what it answers is taken to answer what was asked last.
func (p *pipe) show(_, answers, text string) error {
	line, err := p.line(harmless(text))
	if err != nil {
		return err
	}
	if _, err := io.WriteString(p.out, line); err != nil {
		p.fail(fmt.Errorf("print the answer: %w", err))
		return err
	}
	if answers == "" {
		p.mu.Lock()
		answers = p.awaited
		p.mu.Unlock()
	}
	p.settled(answers)
	return nil
}

// preview and typing would only clutter what a script reads.
func (p *pipe) preview(string, string) error { return nil }
func (p *pipe) typing(bool) error            { return nil }
