package persona

import (
	"context"
	"slices"
	"sync"
	"time"

	"familiar/channels"
	"familiar/internal/picture"
	"familiar/memory/log"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/prompts"
)

const (
	// maxPictures is how many pictures of one turn are looked at, the newest ones.
	maxPictures = 4
	// fetchWithin is how long fetching them may take in all, seeWithin how long describing them may.
	fetchWithin, seeWithin = 15 * time.Second, 30 * time.Second
	// seenAfter is how long a reply that is complete waits for what is seen.
	seenAfter = 8 * time.Second
)

// seeing is a voice that may be shown pictures.
type seeing interface{ Sees() bool }

// awaitedRoom stands in the queue of the models for a room that waits for a picture: which one is not known that early.
const awaitedRoom = -1

// pictures are those of one turn that could be fetched.
type pictures struct {
	all []sent
	// seen are their descriptions once described is closed, "" for none. It is nil if nothing describes them.
	described chan struct{}
	seen      []string
}

// sent is a picture with its place in a turn.
type sent struct {
	message, attachment int
	scene.Picture
}

// look fetches the pictures of a turn that is answered, if anything can see them, and lets the work model describe them, so
// that they can be recalled later. If the voice cannot see them itself, look waits for that. What cannot be fetched or
// seen stays a placeholder.
func (e *Engine) look(ctx context.Context, t *turn) (end func()) {
	voice, ok := e.Voice.(seeing)
	sees := ok && voice.Sees()
	describes := e.Model != nil && modelvoice.Can(e.Model).Images
	if !t.expectsReply() || !sees && !describes {
		return func() {}
	}
	if t.pictures.all = e.fetchPictures(ctx, t.pending); len(t.pictures.all) == 0 {
		return func() {}
	}
	if !describes {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(ctx, seeWithin)
	t.pictures.described, t.pictures.seen = make(chan struct{}), make([]string, len(t.pictures.all))
	var running sync.WaitGroup
	running.Go(func() {
		defer close(t.pictures.described)
		e.describe(ctx, t, !sees)
	})
	if !sees {
		t.describePictures(ctx, seeWithin)
	}
	return func() {
		cancel()
		running.Wait()
	}
}

// fetchPictures returns the newest pictures of some messages, as far as they can be had.
func (e *Engine) fetchPictures(ctx context.Context, pending []log.InboxEntry) (all []sent) {
	ctx, cancel := context.WithTimeout(ctx, fetchWithin)
	defer cancel()
	for i, h := range slices.Backward(pending) {
		for j, a := range slices.Backward(h.Message.Attachments) {
			if len(all) == maxPictures {
				break
			}
			if a.Speech != channels.NoSpeech || a.Ref == "" && (a.Kind != "image" || a.Path == "") {
				continue
			}
			data, err := e.fetchPicture(ctx, h.Message.Room.Channel, a)
			if err == nil {
				data, err = picture.Prepare(data)
			}
			if err != nil {
				e.Log.Info("a picture is not looked at", "room", h.Message.Room, "error", err)
				continue
			}
			all = append(all, sent{i, j, scene.Picture{MIME: picture.MIME, Data: data}})
		}
	}
	slices.Reverse(all)
	return all
}

// fetchPicture returns the file of a picture, at most picture.MaxBytes long.
func (e *Engine) fetchPicture(ctx context.Context, channel string, a channels.Attachment) ([]byte, error) {
	if a.Size > picture.MaxBytes {
		return nil, picture.ErrTooLarge
	}
	return e.fetchFile(ctx, channel, a, picture.MaxBytes)
}

// describe lets the work model describe the pictures of a turn. awaited reports that the reply waits for it.
func (e *Engine) describe(ctx context.Context, t *turn, awaited bool) {
	payers := e.authorsOf(ctx, t.pending)
	for i, p := range t.pictures.all {
		m := t.pending[p.message].Message
		in := prompts.CaptionInput{
			Name: e.Card.Name, Language: e.Card.Language, Image: prompts.Image{MIME: p.MIME, Data: p.Data},
			With: prompts.Entry{Name: m.Author.Name, Text: m.Text},
		}
		if awaited {
			in.Room = awaitedRoom
		}
		prompt := prompts.Caption(in)
		answer, err := e.Model.Generate(modelvoice.WithPayer(ctx, payers[p.message]), prompt, nil)
		if err != nil || answer.Blind {
			if err != nil && ctx.Err() == nil {
				e.Log.Info("a picture is not described", "room", m.Room, "error", err)
			}
			return
		}
		if seen, err := prompts.ReadCaption(answer.Text, prompt, e.Card.Name); err == nil {
			t.pictures.seen[i] = log.Redact(seen)
		}
	}
}

// authorsOf returns the authors of messages, 0 for all of them while one of them is new.
func (e *Engine) authorsOf(ctx context.Context, pending []log.InboxEntry) []int64 {
	authors := make([]int64, len(pending))
	messages := make([]channels.Message, len(pending))
	for i, h := range pending {
		messages[i] = h.Message
	}
	people, _, err := e.Store.Turns.Participants(ctx, messages)
	if err != nil {
		return authors
	}
	for i, p := range people {
		authors[i] = p.ID
	}
	return authors
}

// describePictures waits until the pictures are described, for at most so long, and adds what was seen to the messages of
// the turn. It does nothing if nothing describes them.
func (t *turn) describePictures(ctx context.Context, within time.Duration) {
	if t.pictures.described == nil {
		return
	}
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case <-t.pictures.described:
	case <-late.C:
		return
	case <-ctx.Done():
		return
	}
	for i, p := range t.pictures.all {
		m := &t.pending[p.message].Message
		m.Attachments = slices.Clone(m.Attachments)
		m.Attachments[p.attachment].Seen = t.pictures.seen[i]
	}
}

// isDescribed reports that seen may be read.
func (t *turn) isDescribed() bool {
	select {
	case <-t.pictures.described:
		return true
	default:
		return false
	}
}

// picturesOf returns the pictures of message i of the turn.
func (t *turn) picturesOf(i int) (own []scene.Picture) {
	for _, p := range t.pictures.all {
		if p.message == i {
			own = append(own, p.Picture)
		}
	}
	return own
}

// askAgain asks the voice again for an answer that it gave without seeing the pictures that it was shown, since its model
// turned out not to see: now with what they show in words, if anything describes them.
func (e *Engine) askAgain(ctx context.Context, t *turn, reply scene.Reply, show func(string)) (scene.Reply, error) {
	if !reply.Blind || t.pictures.described == nil {
		return reply, nil
	}
	t.describePictures(ctx, seeWithin)
	if !t.isDescribed() || !slices.ContainsFunc(t.pictures.seen, func(seen string) bool { return seen != "" }) {
		return reply, nil
	}
	t.scene.Incoming = e.heardLines(t)
	for i := range t.scene.Incoming {
		t.scene.Incoming[i].Pictures = nil
	}
	return e.Voice.Reply(ctx, t.scene, show)
}
