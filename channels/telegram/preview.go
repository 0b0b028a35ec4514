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
	// previewLifetime is how long the message of a reply's preview is remembered.
	previewLifetime = 24 * time.Hour
	// previewStart is the text of a preview's first message. It is no part of the reply: if the response to that message is
	// lost, nobody knows its id, so it stays in the chat and the reply becomes another message.
	previewStart = "…"
)

var errNoPreview = errors.New("there is no preview under this key")

// previews holds the messages that show unfinished replies, by key. They are also in the state store: a reply composed
// again after a restart must end in the message that shows its beginning.
type previews struct {
	store channels.StateStore
	now   func() time.Time

	mu sync.Mutex
	// shown is nil until the state store has been read.
	shown map[string]preview
}

// preview is one such message. Its id is 0 while it is not known to be shown.
type preview struct {
	chat int64
	id   int
	at   time.Time
	// text is what it is known to show, "" if that is unknown. It is not stored.
	text string
}

func newPreviews(store channels.StateStore, now func() time.Time) *previews {
	return &previews{store: store, now: now}
}

// get returns the preview under key. Replies pending from an earlier process are sent before Run starts, so the first
// caller loads the state store.
func (p *previews) get(ctx context.Context, key string) (v preview, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.load(ctx); err != nil {
		return preview{}, false, fmt.Errorf("read the stored previews: %w", err)
	}
	if v, ok = p.shown[key]; ok {
		return v, true, nil
	}
	// Another process may have begun the reply since.
	value, err := p.store.Get(ctx, previewKey+key)
	if errors.Is(err, channels.ErrNotFound) {
		return preview{}, false, nil
	}
	if err != nil {
		return preview{}, false, fmt.Errorf("read a stored preview: %w", err)
	}
	p.shown[key] = parsePreview(value)
	return p.shown[key], true, nil
}

// parsePreview reads a stored preview, the zero value if it cannot be read.
func parsePreview(value string) (v preview) {
	var at int64
	if _, err := fmt.Sscan(value, &v.chat, &v.id, &at); err == nil {
		v.at = time.Unix(at, 0)
	}
	return v
}

// load reads the state store once. The caller holds the lock.
func (p *previews) load(ctx context.Context) error {
	if p.shown != nil {
		return nil
	}
	keys, err := p.store.Keys(ctx, previewKey)
	if err != nil {
		return err
	}
	shown := make(map[string]preview)
	for _, key := range keys {
		value, err := p.store.Get(ctx, key)
		if err != nil {
			return err
		}
		shown[strings.TrimPrefix(key, previewKey)] = parsePreview(value)
	}
	p.shown = shown
	return nil
}

// prune removes expired previews.
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
		return nil, fmt.Errorf("read the stored previews: %w", err)
	}
	for key, v := range p.shown {
		if p.now().Sub(v.at) > previewLifetime {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// set stores the preview under key. get must have been called before.
func (p *previews) set(key string, v preview) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown[key] = v
}

// show records the text that the preview under key is known to show.
func (p *previews) show(key, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v, ok := p.shown[key]; ok {
		v.text = text
		p.shown[key] = v
	}
}

func (p *previews) put(ctx context.Context, key string, v preview) error {
	p.set(key, v)
	value := fmt.Sprint(v.chat, " ", v.id, " ", v.at.Unix())
	return errors.Join(p.store.Put(ctx, previewKey+key, value), p.prune(ctx))
}

func (p *previews) drop(ctx context.Context, key string) error {
	p.mu.Lock()
	delete(p.shown, key)
	p.mu.Unlock()
	return p.store.Delete(ctx, previewKey+key)
}

// Preview shows the text so far of a reply, at a limited rate. It never waits: previews that come too soon are dropped, and
// so are those that change nothing.
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
	if len(chunks) == 0 {
		return nil
	}
	text, _ := formatChunk(chunks[0])
	if begun && (v.id == 0 || v.text == text) || !t.pace.tryPreview(chat, previewGap(chat)) {
		return nil
	}
	ctx, cancel := withGrace(ctx)
	defer cancel()
	if begun {
		return t.growPreview(ctx, chat, key, v.id, text)
	}
	return t.startPreview(ctx, chat, key, room)
}

// growPreview edits the preview under key so that it shows text.
func (t *Telegram) growPreview(ctx context.Context, chat int64, key string, id int, text string) error {
	t.previews.show(key, "")
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10), "message_id": strconv.Itoa(id), "text": text}
	if err := t.callChat(ctx, "editMessageText", chat, params, nil); err != nil && !isUnchanged(err) {
		return err
	}
	t.previews.show(key, text)
	return nil
}

// startPreview sends the first preview. It is tried once: if the response is lost, another try would show two messages.
func (t *Telegram) startPreview(ctx context.Context, chat int64, key string, room channels.Room) error {
	v := preview{chat: chat, at: t.host.Now()}
	t.previews.set(key, v)
	var made struct {
		ID int `json:"message_id"`
	}
	params := tgbotapi.Params{"chat_id": room.ID, "text": previewStart}
	params.AddNonEmpty("message_thread_id", room.Thread)
	if err := t.callChat(ctx, "sendMessage", chat, params, &made); err != nil {
		return err
	}
	v.id = made.ID
	return t.previews.put(ctx, key, v)
}

// CancelPreview deletes the preview under key. A failed deletion is not retried.
func (t *Telegram) CancelPreview(ctx context.Context, _ channels.Room, key string) error {
	v, ok, err := t.previews.get(ctx, key)
	if err != nil || !ok {
		return err
	}
	if v.id != 0 {
		ctx, cancel := withGrace(ctx)
		defer cancel()
		params := tgbotapi.Params{"chat_id": strconv.FormatInt(v.chat, 10), "message_id": strconv.Itoa(v.id)}
		err = t.callChat(ctx, "deleteMessage", v.chat, params, nil)
		if f, ok := errors.AsType[*apiError](err); ok && f.code == http.StatusBadRequest && f.hasPhrase("message to delete not found") {
			err = nil
		}
	}
	return errors.Join(err, t.previews.drop(ctx, key))
}

// finishPreview replaces the preview under key by text with buttons, unless it shows that already, and returns its message id,
// or errNoPreview if there is none or it was deleted. Repeating it is safe, so a lost response is no problem.
func (t *Telegram) finishPreview(
	ctx context.Context, chat int64, key, text string, entities []tgbotapi.MessageEntity, buttons string,
) (int, error) {
	v, ok, err := t.previews.get(ctx, key)
	if err != nil {
		return 0, err
	}
	if !ok || v.chat != chat || v.id == 0 {
		return 0, errNoPreview
	}
	if v.text == text && len(entities) == 0 && buttons == "" {
		return v.id, nil
	}
	t.previews.show(key, "")
	params := tgbotapi.Params{"message_id": strconv.Itoa(v.id)}
	params.AddNonEmpty("reply_markup", buttons)
	_, err = t.write(ctx, "editMessageText", chat, params, text, entities)
	f, ok := errors.AsType[*apiError](err)
	switch {
	case err == nil || isUnchanged(err):
		return v.id, nil
	case ok && f.code == http.StatusBadRequest && f.hasPhrase("message to edit not found", "message can't be edited"):
		return 0, errors.Join(errNoPreview, t.previews.drop(ctx, key))
	case ok && f.outcomeUnknown:
		again := *f
		again.outcomeUnknown, again.code = false, 0
		return 0, &again
	}
	return 0, err
}

// isUnchanged reports that an edit was refused because the message already has that text.
func isUnchanged(err error) bool {
	f, ok := errors.AsType[*apiError](err)
	return ok && f.code == http.StatusBadRequest && f.hasPhrase("message is not modified")
}
