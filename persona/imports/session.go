package imports

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// sessionFormat is a format of files that a program appends to while a conversation goes on.
type sessionFormat struct {
	name, pattern string
	// line reads one line, which is without its end.
	line func(*Session, []byte) error
	// open says that a message ends only where the next begins, and that lines are text and not JSON.
	open bool
}

// sessionFormats lists them. A function, since the readers refer to it.
func sessionFormats() []sessionFormat {
	return []sessionFormat{
		{name: "claude-code", pattern: "*.jsonl", line: (*Session).claudeCode},
		{name: "codex", pattern: "rollout-*.jsonl", line: (*Session).codex},
		{name: "openai", pattern: "*.jsonl", line: (*Session).chatLine},
		{name: "jsonl", pattern: "*.jsonl", line: (*Session).chatLine},
		{name: "markdown", pattern: "*.md", line: (*Session).markdownLine, open: true},
	}
}

// SessionFormats returns the names of the formats that NewSession reads.
func SessionFormats() []string {
	var names []string
	for _, f := range sessionFormats() {
		names = append(names, f.name)
	}
	return names
}

// SessionPattern returns the pattern that the names of a format's files usually match, "" for an unknown format.
func SessionPattern(format string) string {
	for _, f := range sessionFormats() {
		if f.name == format {
			return f.pattern
		}
	}
	return ""
}

// Progress is how far a session file was read. The zero value is its beginning. It is stored as JSON.
type Progress struct {
	// Offset is where the next line begins, in bytes.
	Offset int64 `json:"offset"`
	// Conversation and Title are those of the latest message.
	Conversation string    `json:"conversation,omitempty"`
	Title        string    `json:"title,omitempty"`
	Last         time.Time `json:"last,omitzero"`
	// Chain is the id of the latest message that had none of its own: the next one's is made from it.
	Chain string `json:"chain,omitempty"`
	// Twin is the latest message of a program that records each twice, in two ways.
	Twin string `json:"twin,omitempty"`
	// Role is who speaks in a file whose last message was passed on before the next began.
	Role string `json:"role,omitempty"`
}

// SessionOptions are what a reader needs to know besides its input.
type SessionOptions struct {
	Format string
	// Stem is the file's name without extension, "" for a stream; Project the name of its directory.
	Stem, Project string
	// From is where the input begins.
	From Progress
	// Now bounds the times of messages. Modified is the time of those without one, zero for Now.
	Now, Modified time.Time
	// Whole says that the input is complete: what looks unfinished at its end is a message.
	Whole bool
	// Erased is when the person was last erased: what was said before is left out. Of messages without a time, those that begin
	// before ErasedBytes are.
	Erased      time.Time
	ErasedBytes int64
}

// Chunk is what was read at once.
type Chunk struct {
	// Conversation has no lines if nothing was said. A long one comes in several chunks.
	Conversation
	// Skipped counts what is left out, by reason.
	Skipped map[string]int
	// Next is where the next chunk begins: once the lines are stored, reading may go on from there.
	Next Progress
}

// Session reads a session file. What cannot be read is counted and left out: the next line may be good.
type Session struct {
	emitter
	o      SessionOptions
	format sessionFormat
	in     *lineScanner
	p      Progress
	// at is where the current line begins.
	at int64
	// whole are the conversations to be returned, oldest first.
	whole []Conversation
	// out counts what is left out.
	out  Plan
	open section
	// added is when what follows was added, zero at the beginning.
	added time.Time
	// end says that there is nothing more to read.
	end bool
}

// NewSession returns a reader of r, which begins at o.From. It fails for an unknown format.
func NewSession(r io.Reader, o SessionOptions) (*Session, error) {
	i := slices.IndexFunc(sessionFormats(), func(f sessionFormat) bool { return f.name == o.Format })
	if i < 0 {
		return nil, fmt.Errorf("%w: %q; use one of %s", ErrUnknown, o.Format, strings.Join(SessionFormats(), ", "))
	}
	s := &Session{o: o, format: sessionFormats()[i], p: o.From}
	s.in = newLineScanner(r, o.From.Offset, !s.format.open)
	s.emitter = emitter{sink: (*sessionSink)(s), now: o.Now, fallback: o.Modified, last: o.From.Last}
	if o.From.Offset > 0 { // what was added since is not from then
		s.added = o.Modified
	}
	s.talk = Conversation{ID: o.From.Conversation, Title: o.From.Title}
	s.open = section{role: o.From.Role, begun: o.From.Role != "", later: true, at: o.From.Offset}
	return s, nil
}

// sessionSink collects what the emitter passes on.
type sessionSink Session

// Conversation implements Sink.
func (s *sessionSink) Conversation(c Conversation) error {
	s.whole = append(s.whole, c)
	return nil
}

// Document implements Sink: sessions have none.
func (*sessionSink) Document(Document) error { return nil }

// Persona implements Sink: sessions have none.
func (*sessionSink) Persona(Persona) error { return nil }

// Skip implements Sink.
func (s *sessionSink) Skip(reason string, n int) { s.out.Skip(reason, n) }

// Next returns the next chunk, and io.EOF once there is no complete message left. A chunk without lines tells that only noise
// was read. Errors are those of reading.
func (s *Session) Next() (Chunk, error) {
	for len(s.whole) == 0 {
		if s.end {
			if p := s.progress(); p.Offset == s.o.From.Offset && p.Role == s.o.From.Role && len(s.out.Skipped) == 0 {
				return Chunk{}, io.EOF
			}
			break
		}
		if err := s.advance(); err != nil {
			return Chunk{}, err
		}
		if s.p.Offset-s.o.From.Offset >= quietBytes {
			if err := s.emitter.end(); err != nil {
				return Chunk{}, err
			}
			break
		}
	}
	return s.chunk(), nil
}

// quietBytes is how much is read before a chunk is returned that is not full.
const quietBytes = 8 << 20

// advance reads the next line, or what the end of the input means.
func (s *Session) advance() error {
	line, err := s.in.next()
	switch {
	case errors.Is(err, io.EOF):
		return s.finish()
	case err != nil:
		return err
	case !line.ended && !s.o.Whole && (s.format.open || !line.object()): // it is being written
		return s.finish()
	}
	return s.take(line)
}

// take reads one line.
func (s *Session) take(line scannedLine) error {
	s.at = line.at
	if line.cut > 0 {
		s.sink.Skip(fmt.Sprintf("values longer than %d KiB", maxLine>>10), line.cut)
	}
	switch {
	case line.tooLong:
		s.sink.Skip(fmt.Sprintf("lines longer than %d MiB", maxValue>>20), 1)
	case len(line.text) > 0 || s.format.open:
		if err := s.format.line(s, line.text); err != nil {
			s.sink.Skip(reasonOf(err), 1)
		}
	}
	s.p.Offset = line.at + line.size
	return nil
}

// finish ends the reading at the end of the input.
func (s *Session) finish() error {
	s.end = true
	if s.format.open {
		if err := s.closeSection(s.o.Whole); err != nil {
			return err
		}
	}
	return s.emitter.end()
}

// chunk returns what was read. Several conversations come one by one; how far they were read is known with the last.
func (s *Session) chunk() Chunk {
	c := Chunk{Skipped: s.out.Skipped, Next: s.o.From}
	s.out.Skipped = nil
	if len(s.whole) > 0 {
		c.Conversation, s.whole = s.whole[0], s.whole[1:]
	}
	if len(s.whole) == 0 && len(s.talk.Lines) == 0 { // otherwise there are messages that come later
		c.Next = s.progress()
		s.o.From = c.Next
	}
	return c
}

// progress returns how far everything was passed on.
func (s *Session) progress() Progress {
	p := s.p
	p.Conversation, p.Title, p.Last = s.talk.ID, s.talk.Title, s.last
	if s.format.open && s.open.begun && !s.open.passed {
		p.Offset, p.Role = s.open.at, ""
		if s.open.later {
			p.Role = s.open.role
		}
	}
	return p
}

// within makes id the conversation of what follows.
func (s *Session) within(id, title string) error {
	if id = shortID(id); id == s.talk.ID {
		return nil
	}
	err := s.emitter.end()
	s.talk = Conversation{ID: id, Title: strings.TrimSpace(cmp.Or(title, s.o.Project))}
	return err
}

// restart ends the conversation: the next message begins one, which it names.
func (s *Session) restart(title string) error {
	err := s.emitter.end()
	s.talk, s.p.Chain = Conversation{Title: strings.TrimSpace(title)}, ""
	return err
}

// speak adds a message. One without an id gets one made of its text and of what the file says before it, so that reading
// again yields the same.
func (s *Session) speak(l Line) error {
	l.Text = strings.TrimSpace(strings.ToValidUTF8(l.Text, "\uFFFD"))
	if !s.fits(l.Text) {
		return nil
	}
	dated := s.plausible(l.At)
	if l.ID == "" {
		if dated {
			l.ID = contentID(l)
		} else {
			l.ID = digest(s.p.Chain, fmt.Sprint(l.Own), l.Text)
			s.p.Chain = l.ID
		}
	}
	if s.talk.ID == "" {
		if err := s.within(digest(s.o.Stem, l.ID), s.talk.Title); err != nil {
			return err
		}
	}
	if !dated && s.added.After(s.last) {
		s.last, s.added = s.added.Add(-time.Second), time.Time{}
	}
	l.ID, l.At = shortID(l.ID), s.timeOf(l.At)
	if !l.At.After(s.o.Erased) || !dated && s.at < s.o.ErasedBytes {
		s.sink.Skip("messages from before the person was erased", 1)
		return nil
	}
	return s.add(l)
}

// reasonOf returns why a line is left out, without a word of it.
func reasonOf(err error) string {
	var other *otherRecord
	if errors.As(err, &other) {
		return other.what
	}
	return Unreadable
}

// Unreadable is the reason why lines are left out that are not in the format at all.
const Unreadable = "lines that cannot be read"

// otherRecord says that a line is no message. It is an error so that a reader ends there.
type otherRecord struct{ what string }

func (o *otherRecord) Error() string { return o.what }

// leftOut returns the error of a line that is not a message.
func leftOut(what string) error { return &otherRecord{what} }
