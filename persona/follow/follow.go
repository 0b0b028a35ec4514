// Package follow stores what people said in the session files of other programs, while these files grow.
//
// A file is read line by line up to a watermark. Every message has an id that depends only on what the file says, and a room keeps
// an id once, also after its text was forgotten: whatever is read again, after a crash or because a file was written anew, adds
// nothing. So a watermark may be stored after the messages that it stands for, and saves time only.
package follow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"familiar/channels"
	"familiar/channels/transcript"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona"
	"familiar/persona/imports"
)

// Recorder stores messages of one room as in persona.Engine.RecordConversation.
type Recorder interface {
	RecordConversation(ctx context.Context, lines []persona.Recorded) (fresh int, err error)
}

// Source says who talks in session files, with whom, and how the files are read.
type Source struct {
	Persona string
	// PersonID and Author are the person whose words the files have.
	PersonID int64
	Author   channels.Author
	Format   string
}

// Reader reads session files into a store, one after another.
type Reader struct {
	Store *memory.Store
	// To returns who stores what is said to a persona.
	To  func(personaKey string) (Recorder, error)
	Now func() time.Time
	// Lock keeps other processes from reading at the same time. It returns how it is released.
	Lock func(ctx context.Context) (release func() error, err error)

	// unsaved are watermarks that are saved together.
	unsaved []log.Watermark
}

// Result is what was read of one file.
type Result struct {
	// Found are the messages that were read, New those that were stored.
	Found, New int
	// Skipped counts what was left out, by reason.
	Skipped map[string]int
	// Bytes is how much was read.
	Bytes int64
	// Pending says that the file ends with a message that may still grow.
	Pending bool
}

func (r *Result) add(c imports.Chunk, fresh int, from int64) {
	r.Found, r.New = r.Found+len(c.Lines), r.New+fresh
	r.Bytes += c.Next.Offset - from
	for reason, n := range c.Skipped {
		r.skip(reason, n)
	}
}

// Recorded returns the lines of a conversation between one person and a persona as messages of a direct room of its own. place
// distinguishes it from conversations with the same id elsewhere.
func Recorded(place string, author channels.Author, c imports.Conversation) []persona.Recorded {
	room := channels.Room{Channel: transcript.Channel, ID: strings.Join([]string{place, author.Handle.Channel, author.Handle.ID, c.ID}, "/")}
	lines := make([]persona.Recorded, len(c.Lines))
	for i, l := range c.Lines {
		lines[i] = persona.Recorded{Own: l.Own, Message: channels.Message{
			ID: l.ID, Room: room, RoomTitle: c.Title, Author: author, Direct: true, Text: l.Text, At: l.At.Truncate(time.Millisecond),
		}}
	}
	return lines
}

// Stream reads a session from a stream to its end. It keeps no watermark.
func (r *Reader) Stream(ctx context.Context, src Source, in io.Reader) (done Result, err error) {
	release, err := r.Lock(ctx)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, release()) }()
	o, err := r.options(ctx, src)
	if err != nil {
		return done, err
	}
	o.Whole = true
	err = r.read(ctx, src, in, o, func(c imports.Chunk, fresh int, from int64) error {
		done.add(c, fresh, from)
		return nil
	})
	return done, err
}

// options returns what the readers of all files of a source are told.
func (r *Reader) options(ctx context.Context, src Source) (imports.SessionOptions, error) {
	erased, err := r.Store.Log.ErasedAt(ctx, src.Author.Handle)
	return imports.SessionOptions{Format: src.Format, Now: r.Now(), Erased: erased}, err
}

// read reads in and stores chunk by chunk. done is called after each.
func (r *Reader) read(ctx context.Context, src Source, in io.Reader, o imports.SessionOptions, done func(c imports.Chunk, fresh int, from int64) error) error {
	s, err := imports.NewSession(in, o)
	if err != nil {
		return err
	}
	to, err := r.To(src.Persona)
	if err != nil {
		return err
	}
	from := o.From.Offset
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := s.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &FileError{err}
		}
		fresh, err := r.store(ctx, src, to, &c)
		if err != nil {
			return err
		}
		if err := done(c, fresh, from); err != nil {
			return err
		}
		from = c.Next.Offset
	}
}

// store stores the messages of a chunk. What is said while the person does not want to be listened to is left out for good.
func (r *Reader) store(ctx context.Context, src Source, to Recorder, c *imports.Chunk) (fresh int, err error) {
	if len(c.Lines) == 0 {
		return 0, nil
	}
	lines := Recorded("session/"+src.Format, src.Author, c.Conversation)
	paused, err := r.Store.Log.Paused(ctx, src.Persona, lines[0].Message)
	if err != nil {
		return 0, err
	}
	if paused {
		if c.Skipped == nil {
			c.Skipped = map[string]int{}
		}
		c.Skipped["messages while the person asked not to be listened to"] += len(c.Lines)
		c.Lines = nil
		return 0, nil
	}
	return to.RecordConversation(ctx, lines)
}

// watermarkID returns the id of the watermark of a file that is read for a source.
func watermarkID(src Source, path string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", src.Persona, src.Author.Handle.Channel, src.Author.Handle.ID, src.Format, path))
	return hex.EncodeToString(sum[:16])
}

// stem returns a file's name without its extension.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// digest returns a hash of data.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// unread is a watermark at the beginning of a file.
func unread(w log.Watermark) log.Watermark {
	w.Head, w.Tail, w.ReadTo, w.Progress = "", "", 0, ""
	return w
}
