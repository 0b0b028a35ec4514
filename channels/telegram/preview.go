package telegram

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

const (
	previewKey = "preview/"
	// previewsLast is how long it is known which message shows the reply under a key.
	previewsLast = 24 * time.Hour
)

var errNoPreview = errors.New("there is no preview under this key")

// previews are the messages in which replies are shown while they are written, by key. They are on the shelf too: a reply
// that is written again after a restart ends in the message that shows its beginning.
type previews struct {
	shelf channels.StateStore
	now   func() time.Time

	mu sync.Mutex
	// shown is nil until the shelf has been read.
	shown map[string]preview
}

// preview is one such message. Its id is 0 while it is not known to be shown.
type preview struct {
	chat int64
	id   int
	at   time.Time
}

func newPreviews(shelf channels.StateStore, now func() time.Time) *previews {
	return &previews{shelf: shelf, now: now}
}

// get is the preview under key. What was left to say is said before Run has begun, so whoever asks first reads the shelf.
func (p *previews) get(ctx context.Context, key string) (v preview, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.load(ctx); err != nil {
		return preview{}, false, fmt.Errorf("read which replies are shown already: %w", err)
	}
	v, ok = p.shown[key]
	return v, ok, nil
}

// load reads the shelf, once. The caller holds the lock.
func (p *previews) load(ctx context.Context) error {
	if p.shown != nil {
		return nil
	}
	keys, err := p.shelf.Keys(ctx, previewKey)
	if err != nil {
		return err
	}
	shown := make(map[string]preview)
	for _, key := range keys {
		value, err := p.shelf.Get(ctx, key)
		if err != nil {
			return err
		}
		var v preview
		var at int64
		if _, err := fmt.Sscan(value, &v.chat, &v.id, &at); err == nil {
			v.at = time.Unix(at, 0)
		}
		shown[strings.TrimPrefix(key, previewKey)] = v
	}
	p.shown = shown
	return nil
}

// prune forgets what is too old to be settled.
func (p *previews) prune(ctx context.Context) error {
	old, err := p.old(ctx)
	for _, key := range old {
		err = errors.Join(err, p.drop(ctx, key))
	}
	return err
}

func (p *previews) old(ctx context.Context) (keys []string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.load(ctx); err != nil {
		return nil, fmt.Errorf("read which replies are shown already: %w", err)
	}
	for key, v := range p.shown {
		if p.now().Sub(v.at) > previewsLast {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// set notes the preview under key, which was looked for before.
func (p *previews) set(key string, v preview) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown[key] = v
}

func (p *previews) put(ctx context.Context, key string, v preview) error {
	p.set(key, v)
	value := fmt.Sprint(v.chat, " ", v.id, " ", v.at.Unix())
	return errors.Join(p.shelf.Put(ctx, previewKey+key, value), p.prune(ctx))
}

func (p *previews) drop(ctx context.Context, key string) error {
	p.mu.Lock()
	delete(p.shown, key)
	p.mu.Unlock()
	return p.shelf.Delete(ctx, previewKey+key)
}

// Preview shows the beginning of a reply, and its growth no oftener than the network likes. It never waits: what comes
// too soon is dropped.
func (t *Telegram) Preview(ctx context.Context, room channels.Room, key, soFar string) error {
	chat, err := chatID(room)
	if err != nil {
		return err
	}
	v, begun, err := t.previews.get(ctx, key)
	if err != nil {
		return err
	}
	chunks := channels.Split(soFar, t.Limits())
	gap := livelyDM
	if chat < 0 {
		gap = livelyAll
	}
	if len(chunks) == 0 || !t.pace.free(chat, gap) {
		return nil
	}
	ctx, cancel := graceful(ctx)
	defer cancel()
	text, _ := layout(chunks[0])
	params := tgbotapi.Params{"chat_id": room.ID, "text": text}
	if begun && v.id == 0 {
		return nil
	}
	if begun {
		params.AddNonZero("message_id", v.id)
		if err := t.ask(ctx, "editMessageText", chat, params, nil); !unchanged(err) {
			return err
		}
		return nil
	}
	params.AddNonEmpty("message_thread_id", room.Thread)
	return t.begin(ctx, chat, key, params)
}

// begin shows the first of a preview. It is tried once: where its answer is lost, trying again would show two.
func (t *Telegram) begin(ctx context.Context, chat int64, key string, params tgbotapi.Params) error {
	v := preview{chat: chat, at: t.host.Now()}
	t.previews.set(key, v)
	var made struct {
		ID int `json:"message_id"`
	}
	if err := t.ask(ctx, "sendMessage", chat, params, &made); err != nil {
		return err
	}
	v.id = made.ID
	return t.previews.put(ctx, key, v)
}

// CancelPreview takes back the preview under key. One that could not be taken back is not tried again.
func (t *Telegram) CancelPreview(ctx context.Context, _ channels.Room, key string) error {
	v, ok, err := t.previews.get(ctx, key)
	if err != nil || !ok {
		return err
	}
	if v.id != 0 {
		ctx, cancel := graceful(ctx)
		defer cancel()
		params := tgbotapi.Params{"chat_id": strconv.FormatInt(v.chat, 10), "message_id": strconv.Itoa(v.id)}
		err = t.ask(ctx, "deleteMessage", v.chat, params, nil)
		if f, ok := errors.AsType[*fault](err); ok && f.code == http.StatusBadRequest && f.says("message to delete not found") {
			err = nil
		}
	}
	return errors.Join(err, t.previews.drop(ctx, key))
}

// settle ends the preview under key with text and returns its message's id, errNoPreview when there is none or people
// have taken it away. Repeating it changes nothing, so that a lost answer is no reason not to.
func (t *Telegram) settle(
	ctx context.Context, chat int64, key, text string, entities []tgbotapi.MessageEntity,
) (int, error) {
	v, ok, err := t.previews.get(ctx, key)
	if err != nil {
		return 0, err
	}
	if !ok || v.chat != chat || v.id == 0 {
		return 0, errNoPreview
	}
	_, err = t.say(ctx, "editMessageText", chat, tgbotapi.Params{"message_id": strconv.Itoa(v.id)}, text, entities)
	f, ok := errors.AsType[*fault](err)
	switch {
	case err == nil || unchanged(err):
		return v.id, nil
	case ok && f.code == http.StatusBadRequest && f.says("message to edit not found", "message can't be edited"):
		return 0, errors.Join(errNoPreview, t.previews.drop(ctx, key))
	case ok && f.lost:
		again := *f
		again.lost, again.code = false, 0
		return 0, &again
	}
	return 0, err
}

// unchanged says that an edit was refused because the message reads like that already.
func unchanged(err error) bool {
	f, ok := errors.AsType[*fault](err)
	return ok && f.code == http.StatusBadRequest && f.says("message is not modified")
}
