package persona

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/speech"
	"familiar/memory/budget"
	"familiar/memory/log"
	"familiar/persona/command"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
)

// Transcriber turns recordings into text.
type Transcriber interface {
	// Transcribe returns what is said in a recording. The call is charged to whom the context names (modelvoice.WithPayer,
	// modelvoice.WithRoom), and fails with budget.ErrCapReached if a cap does not allow it. Other errors are *speech.Error.
	Transcribe(ctx context.Context, r speech.Recording) (speech.Transcript, error)
	// Longest is the longest recording that is listened to.
	Longest() time.Duration
}

// fetchRecordingWithin is how long fetching a recording may take.
const fetchRecordingWithin = 60 * time.Second

// hear listens to the recordings of messages that wait for an answer, and reports whether there were any. What is said becomes the
// message's text where it waits, before anything is done with it: what is repeated after a crash has the words already.
func (e *Engine) hear(ctx context.Context, pending []log.InboxEntry) (any bool, err error) {
	answered := slices.ContainsFunc(pending, func(h log.InboxEntry) bool { return h.Message.Addressed })
	for _, h := range pending {
		m := h.Message
		if m.Action != channels.Post && m.Action != channels.Edit || command.Is(m) || len(m.Recordings()) == 0 {
			continue
		}
		wanted := answered
		if !wanted && m.Overheard {
			if wanted, err = e.Store.Log.AwaitsReply(ctx, m); err != nil {
				return any, err
			}
		}
		if !wanted {
			continue
		}
		if err := e.hearMessage(ctx, m); err != nil {
			return any, fmt.Errorf("listen to a recording: %w", err)
		}
		any = true
	}
	return any, nil
}

// hearMessage listens to the recordings of a message. Personas that receive it too wait meanwhile, and find the words.
func (e *Engine) hearMessage(ctx context.Context, m channels.Message) error {
	unlock := e.listening.lock(messageKey{m.Room, m.ID})
	defer unlock()
	fresh, err := e.Store.Log.Pending(ctx, e.Card.Key, m.Room, batchLimit)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(fresh, func(h log.InboxEntry) bool { return h.Message.ID == m.ID })
	if i < 0 {
		return nil
	}
	m = fresh[i].Message
	for _, place := range m.Recordings() {
		h, words, err := e.transcribe(ctx, m, m.Attachments[place])
		if err != nil {
			return err
		}
		if err := e.Store.Log.SetHearing(ctx, m, place, h, words); err != nil {
			return err
		}
	}
	return nil
}

// transcribe returns what became of a recording, and its words. An error means that nothing became of it yet.
func (e *Engine) transcribe(ctx context.Context, m channels.Message, a channels.Attachment) (channels.Hearing, string, error) {
	if e.Transcriber == nil {
		return channels.Deaf, "", nil
	}
	if a.Size > speech.MaxBytes || a.Length > e.Transcriber.Longest() {
		return channels.TooLong, "", nil
	}
	payer, room := e.payerOf(ctx, m)
	file, err := e.fetchRecording(ctx, m, a)
	if err == nil {
		var said speech.Transcript
		said, err = e.Transcriber.Transcribe(modelvoice.WithRoom(modelvoice.WithPayer(ctx, payer), room), speech.Recording{Data: file, Length: a.Length})
		if err == nil {
			return channels.Heard, said.Text, nil
		}
	}
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	e.Log.Warn("a recording is not listened to", "room", m.Room, "error", err)
	return hearingOf(err), "", nil
}

// hearingOf returns what becomes of a recording by an error.
func hearingOf(err error) channels.Hearing {
	if errors.Is(err, budget.ErrCapReached) {
		return channels.OverCap
	}
	if fault, ok := errors.AsType[*speech.Error](err); ok {
		switch fault.Kind {
		case speech.TooLarge:
			return channels.TooLong
		case speech.WrongFormat:
			return channels.NoFormat
		}
	}
	return channels.Failed
}

// payerOf returns who pays for what a message costs and in which room, 0 while one of them is new.
func (e *Engine) payerOf(ctx context.Context, m channels.Message) (person, room int64) {
	people, where, err := e.Store.Turns.Participants(ctx, []channels.Message{m})
	if err != nil || len(people) == 0 {
		return 0, 0
	}
	return people[0].ID, where.ID
}

// fetchRecording returns the file of a recording, at most speech.MaxBytes long.
func (e *Engine) fetchRecording(ctx context.Context, m channels.Message, a channels.Attachment) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchRecordingWithin)
	defer cancel()
	return e.fetchFile(ctx, m.Room.Channel, a, speech.MaxBytes)
}

// errNotFetched reports that a channel cannot fetch files.
var errNotFetched = errors.New("the channel fetches no files")

// fetchFile returns the file of an attachment from where it is stored, else from its channel, at most limit bytes.
func (e *Engine) fetchFile(ctx context.Context, channel string, a channels.Attachment, limit int64) ([]byte, error) {
	if a.Path != "" {
		if data, err := readFile(a.Path, limit); err == nil || a.Ref == "" {
			return data, err
		}
	}
	fetcher, ok := e.channels[channel].(channels.FileFetcher)
	if !ok {
		return nil, errNotFetched
	}
	return fetcher.FetchFile(ctx, a, limit)
}

func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open a stored file: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read a stored file: %w", err)
	}
	return data, nil
}

// excuse returns what is said to somebody of whose messages nothing could be heard, "" if there is anything to answer. No voice is
// asked: it would make something up.
func (e *Engine) excuse(t *turn) string {
	why, said := channels.Unheard, ""
	for _, h := range t.pending {
		if !h.Message.Addressed {
			continue
		}
		reason, only := h.Message.UnheardOnly()
		if !only {
			return ""
		}
		why = reason
	}
	if why == channels.Unheard {
		return ""
	}
	for _, m := range t.recent {
		if m.PersonID == t.asker.ID {
			said = channels.Said(m.Text)
		}
	}
	return command.Unheard(t.asker.Language, said, e.Card.Language, why)
}

// excused returns the reply that says why nothing was heard.
func excused(text string) scene.Reply { return scene.Reply{Text: text, Voice: "plain", Exact: true} }

// messageKey identifies a message among those of all rooms.
type messageKey struct {
	room channels.Room
	id   string
}

// keyedLocks are locks that exist while somebody holds or awaits them.
type keyedLocks struct {
	mu   sync.Mutex
	held map[messageKey]*keyedLock
}

type keyedLock struct {
	sync.Mutex
	users int
}

// lock waits until nobody else holds key, and holds it until unlock is called.
func (k *keyedLocks) lock(key messageKey) (unlock func()) {
	k.mu.Lock()
	if k.held == nil {
		k.held = make(map[messageKey]*keyedLock)
	}
	l := k.held[key]
	if l == nil {
		l = &keyedLock{}
		k.held[key] = l
	}
	l.users++
	k.mu.Unlock()
	l.Lock()
	return func() {
		l.Unlock()
		k.mu.Lock()
		defer k.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(k.held, key)
		}
	}
}
