package persona

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/channels"
	"familiar/channels/markdown"
	"familiar/internal/speech"
	"familiar/memory/log"
	"familiar/persona/modelvoice"
)

// Speaker says replies aloud.
type Speaker interface {
	// Speak returns a text as it is said, in a language ("" if unknown). The call is charged to whom the context names
	// (modelvoice.WithPayer, modelvoice.WithRoom), and fails if a cap does not allow it.
	Speak(ctx context.Context, text, language string) (speech.VoiceNote, error)
}

// longestSpoken is how long a reply is at most, in letters, that is sent as a voice message: about a minute and a half.
const longestSpoken = 1200

// answersAloud reports whether the reply of a turn is to be sent as a voice message: if the person wants it, or the operator for
// those who never said. What is written first, and what is said to somebody in danger, is read rather than played.
func (e *Engine) answersAloud(ctx context.Context, t *turn) (bool, error) {
	if e.Speaker == nil || t.proactive() != "" || t.isArrival() || t.scene.Careful() {
		return false, nil
	}
	if _, ok := e.channels[t.room.Channel].(channels.VoiceSender); !ok {
		return false, nil
	}
	mode, err := e.Store.Log.Voice(ctx, t.asker.ID, t.room.ID)
	if err != nil {
		return false, err
	}
	if mode == "" {
		mode = e.Settings.aloudOn(t.room.Channel)
	}
	asked := t.replyTarget()
	return mode == VoiceOn || mode == VoiceAuto && asked.Spoken(), nil
}

// The forms in which somebody may want answers.
const (
	// VoiceOff is in writing.
	VoiceOff = "off"
	// VoiceOn is aloud.
	VoiceOn = "on"
	// VoiceAuto is aloud to what was spoken.
	VoiceAuto = "auto"
)

// aloudOn returns the form of answers on a network for people who never said.
func (s Settings) aloudOn(channel string) string {
	if s.Aloud == nil {
		return VoiceOff
	}
	return s.Aloud(channel)
}

// spokenText returns a reply as it is said, false if it is one to be read: long, or with code, a link, a heading or a table.
func spokenText(md string) (string, bool) {
	d := markdown.Parse(md)
	if utf8.RuneCountInString(d.Text) > longestSpoken || strings.Contains(d.Text, "://") || strings.Contains(d.Text, "|") {
		return "", false
	}
	if slices.ContainsFunc(d.Spans, func(s markdown.Span) bool {
		return s.Kind == markdown.Code || s.Kind == markdown.Pre || s.Kind == markdown.Link || s.Kind == markdown.Heading
	}) {
		return "", false
	}
	said := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) || r == '\u200d' || r == '\ufe0f' || r == '•' {
			return -1 // nobody says an emoji
		}
		return r
	}, d.Text)
	said = strings.Join(strings.Fields(said), " ")
	return said, strings.ContainsFunc(said, unicode.IsLetter)
}

// deliverVoice sends a reply as a voice message, and reports whether that settled this attempt; done is then whether the row is. If
// it did not, the text is to be sent. What may have been shown as a voice message is never followed by its text.
func (s *sender) deliverVoice(ctx context.Context, row log.OutboxEntry) (done, settled bool) {
	channel, ok := s.channels[row.Room.Channel].(channels.VoiceSender)
	text, fit := spokenText(row.Text)
	if !ok || !fit {
		return false, false
	}
	note, err := s.noteFor(ctx, row, text)
	switch {
	case err != nil && ctx.Err() != nil:
		return false, true
	case err != nil && row.MaybeShown:
		return s.failed(ctx, row, err), true
	case err != nil:
		s.log.Warn("a reply is sent in writing, since it could not be said", "outbox", row.ID, "room", row.Room.ID, "error", err)
		return false, false
	}
	back := s.nextReturn(row.Room.Channel)
	id := ""
	err = recoverAs(channels.Ambiguous, func() error {
		receipt, err := channel.SendVoice(ctx, channels.VoiceMessage{Outgoing: chunk(row, row.Text), Audio: note.Audio, Length: note.Length, Waveform: note.Waveform})
		id = receipt.ID
		return err
	})
	if err != nil && channels.Kind(err) == channels.Permanent && !row.MaybeShown {
		s.log.Info("a reply is sent in writing, since the room takes no voice message", "outbox", row.ID, "room", row.Room.ID, "error", err)
		s.dropNote(row.ID)
		return false, false
	}
	if s.noteOutcome(row, err, back); err != nil {
		return s.failed(ctx, row, err), true
	}
	s.dropNote(row.ID)
	return s.persist(ctx, row, func() error {
		return s.store.Log.MarkChunkSent(context.WithoutCancel(ctx), row, log.SentChunk{Last: true, ID: id})
	}), true
}

// keptNotes is how many voice messages are kept for the next attempt at sending them.
const keptNotes = 16

// noteFor returns what row says as a voice message. It is said once for all attempts, as long as it is kept.
func (s *sender) noteFor(ctx context.Context, row log.OutboxEntry, text string) (speech.VoiceNote, error) {
	s.mu.Lock()
	note, ok := s.notes[row.ID]
	s.mu.Unlock()
	if ok {
		return note, nil
	}
	speaker := s.speaker(row.Persona)
	if speaker == nil {
		return note, fmt.Errorf("nothing speaks for %s", row.Persona)
	}
	ctx = modelvoice.WithRoom(modelvoice.WithPayer(ctx, row.Room.PersonID), row.Room.ID)
	note, err := speaker.Speak(ctx, text, modelvoice.LanguageOf(text))
	if err != nil {
		return note, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.notes) >= keptNotes {
		clear(s.notes) // the rows are said again
	}
	s.notes[row.ID] = note
	return note, nil
}

// dropNote forgets the voice message of a row.
func (s *sender) dropNote(row int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.notes, row)
}
