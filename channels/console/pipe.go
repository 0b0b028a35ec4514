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

// maxLine is the longest line in bytes a script may send. It is far beyond any sensible message, and keeps endless
// input from filling the memory.
const maxLine = 16 << 20

// pipe is the frontend for scripts: one message per line, each answered before the next is read. Only the replies are
// printed.
type pipe struct {
	in      io.Reader
	out     io.Writer
	arrive  bool
	timeout time.Duration
	// line formats a reply for output.
	line func(text string) (string, error)

	mu sync.Mutex
	// awaited is the id of the message whose reply is awaited, "" for none; answered is closed when it arrives.
	awaited  string
	answered chan struct{}
	// broken is why no more replies can be printed.
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

// jsonLine formats the messages of from in room as in transcripts.
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
		// A persona need not greet: an arrival without a reply is not an error.
		if err := p.send(ctx, other, ""); err != nil && !errors.Is(err, errNoAnswer) {
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

// read sends one line after the other and counts those without a reply in time.
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
		if isQuit(text) {
			break
		}
		switch err := p.send(ctx, other, text); {
		case errors.Is(err, errNoAnswer):
			unanswered++
		case err != nil:
			return unanswered, err
		}
	}
	return unanswered, nil
}

// errNoAnswer reports a message that was stored but not answered in time.
var errNoAnswer = errors.New("no answer")

// readLine returns the next line without its newline. The last one comes with io.EOF.
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

// send passes on one text and waits for its reply.
func (p *pipe) send(ctx context.Context, other persona, text string) error {
	m, err := other.message(text)
	if err != nil {
		return err
	}
	answered := p.await(m.ID) // register first: the reply may come quickly
	if err := other.accept(ctx, m); err != nil {
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

// noReply stops waiting for message id.
func (p *pipe) noReply(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id != "" && id == p.awaited {
		p.awaited = ""
		close(p.answered)
	}
}

// fail stops all waiting: no further reply can be shown.
func (p *pipe) fail(err error) {
	p.mu.Lock()
	p.broken = err
	awaited := p.awaited
	p.mu.Unlock()
	p.noReply(awaited)
}

// show prints a reply. A reply without a message id counts as the answer to the last message.
func (p *pipe) show(_, answers, text string) error {
	line, err := p.line(sanitize(text))
	if err != nil {
		return err
	}
	if _, err := io.WriteString(p.out, line); err != nil {
		p.fail(fmt.Errorf("print the reply: %w", err))
		return err
	}
	if answers == "" {
		p.mu.Lock()
		answers = p.awaited
		p.mu.Unlock()
	}
	p.noReply(answers)
	return nil
}

// preview and typing would clutter a script's output.
func (p *pipe) preview(string, string) error { return nil }
func (p *pipe) typing(bool) error            { return nil }
