package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
)

const (
	// previewKey begins the keys of the state store: preview/DAY/CHAT, with the days since 1970 in UTC. There is one for each chat, not
	// for each reply, so that a process that starts need not read what all replies of a day have left.
	previewKey = "preview/"
	// previewLifetime is how long the message of a reply's preview is remembered.
	previewLifetime = 24 * time.Hour
	// previewsKept is how many are remembered of a chat: more personas than that seldom reply at once.
	previewsKept = 4
	// previewStart is the text of a preview's first message. It is no part of the reply: if the response to that message is
	// lost, nobody knows its id, so it stays in the chat and the reply becomes another message.
	previewStart = "…"
)

var errNoPreview = errors.New("there is no preview under this key")

// previews holds the messages that show unfinished replies. They are also in the state store: a reply composed again after a
// restart, or by another process, must end in the message that shows its beginning.
type previews struct {
	store channels.StateStore
	now   func() time.Time

	mu sync.Mutex
	// chats are those in which this process has shown or looked for one.
	chats map[int64]*shownIn
}

// shownIn has the latest previews in a chat, the oldest first. day is that of the key under which they are stored, 0 for none.
type shownIn struct {
	day      int64
	previews []preview
	saving   sync.Mutex // held while they are stored, so that the latest are stored last
}

// preview is one such message.
type preview struct {
	// Key is that of the reply. ID is 0 while the message is not known to be shown.
	Key string `json:"key"`
	ID  int    `json:"id"`
	At  int64  `json:"at"` // in seconds since 1970
	// text is what it is known to show, "" if that is unknown. It is not stored.
	text string
}

func newPreviews(store channels.StateStore, now func() time.Time) *previews {
	return &previews{store: store, now: now, chats: map[int64]*shownIn{}}
}

// today returns the day of the keys of now.
func (p *previews) today() int64 { return p.now().Unix() / int64((24 * time.Hour).Seconds()) }

func keyOfPreviews(day, chat int64) string { return fmt.Sprint(previewKey, day, "/", chat) }

// get returns the preview of a reply in a chat. An earlier process, or another one, may have begun it.
func (p *previews) get(ctx context.Context, chat int64, key string) (v preview, ok bool, err error) {
	if v, ok = p.known(chat, key); ok {
		return v, true, nil
	}
	for _, day := range []int64{p.today(), p.today() - 1} {
		value, err := p.store.Get(ctx, keyOfPreviews(day, chat))
		if errors.Is(err, channels.ErrNotFound) {
			continue
		}
		if err != nil {
			return preview{}, false, fmt.Errorf("read the stored previews: %w", err)
		}
		var stored []preview
		if json.Unmarshal([]byte(value), &stored) == nil {
			p.add(chat, day, stored)
		}
	}
	v, ok = p.known(chat, key)
	return v, ok, nil
}

// known returns a preview that needs no reading.
func (p *previews) known(chat int64, key string) (preview, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := p.in(chat).index(key)
	if i < 0 {
		return preview{}, false
	}
	return p.in(chat).previews[i], true
}

// in returns the previews of a chat. The caller holds the lock.
func (p *previews) in(chat int64) *shownIn {
	if p.chats[chat] == nil {
		p.chats[chat] = &shownIn{}
	}
	return p.chats[chat]
}

func (s *shownIn) index(key string) int {
	return slices.IndexFunc(s.previews, func(v preview) bool { return v.Key == key })
}

// add adds those of the stored previews that are not known and not expired.
func (p *previews) add(chat, day int64, stored []preview) {
	p.mu.Lock()
	defer p.mu.Unlock()
	in := p.in(chat)
	in.day = max(in.day, day)
	for _, v := range stored {
		if in.index(v.Key) < 0 && p.now().Unix()-v.At <= int64(previewLifetime.Seconds()) {
			in.previews = append(in.previews, v)
		}
	}
	slices.SortStableFunc(in.previews, func(a, b preview) int { return cmp.Compare(a.At, b.At) })
	in.previews = in.previews[max(0, len(in.previews)-previewsKept):]
}

// prune removes what was stored on days before yesterday, and under keys of earlier versions.
func (p *previews) prune(ctx context.Context) error {
	keys, err := p.store.Keys(ctx, previewKey)
	for _, key := range keys {
		day, _, _ := strings.Cut(strings.TrimPrefix(key, previewKey), "/")
		if n, bad := strconv.ParseInt(day, 10, 64); bad != nil || n < p.today()-1 {
			err = errors.Join(err, p.store.Delete(ctx, key))
		}
	}
	return err
}

// set remembers a preview.
func (p *previews) set(chat int64, v preview) {
	p.mu.Lock()
	defer p.mu.Unlock()
	in := p.in(chat)
	if i := in.index(v.Key); i >= 0 {
		in.previews[i] = v
		return
	}
	in.previews = append(in.previews[max(0, len(in.previews)+1-previewsKept):], v)
}

// show records the text that a preview is known to show.
func (p *previews) show(chat int64, key, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.in(chat).index(key); i >= 0 {
		p.in(chat).previews[i].text = text
	}
}

// put remembers a preview and stores it.
func (p *previews) put(ctx context.Context, chat int64, v preview) error {
	p.set(chat, v)
	return p.save(ctx, chat)
}

// drop forgets a preview.
func (p *previews) drop(ctx context.Context, chat int64, key string) error {
	p.mu.Lock()
	in := p.in(chat)
	in.previews = slices.DeleteFunc(in.previews, func(v preview) bool { return v.Key == key })
	p.mu.Unlock()
	return p.save(ctx, chat)
}

// save stores the previews of a chat under today's key.
func (p *previews) save(ctx context.Context, chat int64) error {
	p.mu.Lock()
	in := p.in(chat)
	p.mu.Unlock()
	in.saving.Lock()
	defer in.saving.Unlock()
	p.mu.Lock()
	shown := slices.DeleteFunc(slices.Clone(in.previews), func(v preview) bool { return v.ID == 0 })
	before, after := in.day, p.today()
	if len(shown) == 0 {
		after = 0
	}
	in.day = after
	p.mu.Unlock()
	var err error
	if len(shown) > 0 {
		var value []byte
		if value, err = json.Marshal(shown); err == nil {
			err = p.store.Put(ctx, keyOfPreviews(after, chat), string(value))
		}
	}
	if err == nil && before != 0 && before != after {
		err = p.store.Delete(ctx, keyOfPreviews(before, chat))
	}
	return err
}

// Preview shows the text so far of a reply, at a limited rate. It never waits: previews that come too soon are dropped, and
// so are those that change nothing.
func (t *Telegram) Preview(ctx context.Context, room channels.Room, key, soFar string) error {
	chat, err := chatID(room)
	if err != nil {
		return err
	}
	v, begun, err := t.previews.get(ctx, chat, key)
	if err != nil {
		return err
	}
	chunks := channels.Split(soFar, t.Limits())
	if len(chunks) == 0 {
		return nil
	}
	text, _ := formatChunk(chunks[0])
	if begun && (v.ID == 0 || v.text == text) || !t.pace.tryPreview(chat, previewGap(chat)) {
		return nil
	}
	ctx, cancel := withGrace(ctx)
	defer cancel()
	if begun {
		return t.growPreview(ctx, chat, key, v.ID, text)
	}
	return t.startPreview(ctx, chat, key, room)
}

// growPreview edits the preview under key so that it shows text.
func (t *Telegram) growPreview(ctx context.Context, chat int64, key string, id int, text string) error {
	t.previews.show(chat, key, "")
	params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10), "message_id": strconv.Itoa(id), "text": text}
	if err := t.callChat(ctx, "editMessageText", chat, params, nil); err != nil && !isUnchanged(err) {
		return err
	}
	t.previews.show(chat, key, text)
	return nil
}

// startPreview sends the first preview. It is tried once: if the response is lost, another try would show two messages.
func (t *Telegram) startPreview(ctx context.Context, chat int64, key string, room channels.Room) error {
	v := preview{Key: key, At: t.host.Now().Unix()}
	t.previews.set(chat, v)
	var made struct {
		ID int `json:"message_id"`
	}
	params := tgbotapi.Params{"chat_id": room.ID, "text": previewStart}
	params.AddNonEmpty("message_thread_id", room.Thread)
	if err := t.callChat(ctx, "sendMessage", chat, params, &made); err != nil {
		return err
	}
	v.ID = made.ID
	return t.previews.put(ctx, chat, v)
}

// CancelPreview deletes the preview under key. A failed deletion is not retried.
func (t *Telegram) CancelPreview(ctx context.Context, room channels.Room, key string) error {
	chat, err := chatID(room)
	if err != nil {
		return err
	}
	v, ok, err := t.previews.get(ctx, chat, key)
	if err != nil || !ok {
		return err
	}
	if v.ID != 0 {
		ctx, cancel := withGrace(ctx)
		defer cancel()
		params := tgbotapi.Params{"chat_id": strconv.FormatInt(chat, 10), "message_id": strconv.Itoa(v.ID)}
		err = t.callChat(ctx, "deleteMessage", chat, params, nil)
		if f, ok := errors.AsType[*apiError](err); ok && f.code == http.StatusBadRequest && f.hasPhrase("message to delete not found") {
			err = nil
		}
	}
	return errors.Join(err, t.previews.drop(ctx, chat, key))
}

// finishPreview replaces the preview under key by text with buttons, unless it shows that already, and returns its message id,
// or errNoPreview if there is none or it was deleted. Repeating it is safe, so a lost response is no problem.
func (t *Telegram) finishPreview(
	ctx context.Context, chat int64, key, text string, entities []tgbotapi.MessageEntity, buttons string,
) (int, error) {
	v, ok, err := t.previews.get(ctx, chat, key)
	if err != nil {
		return 0, err
	}
	if !ok || v.ID == 0 {
		return 0, errNoPreview
	}
	if v.text == text && len(entities) == 0 && buttons == "" {
		return v.ID, nil
	}
	t.previews.show(chat, key, "")
	params := tgbotapi.Params{"message_id": strconv.Itoa(v.ID)}
	params.AddNonEmpty("reply_markup", buttons)
	_, err = t.write(ctx, "editMessageText", chat, params, text, entities)
	f, ok := errors.AsType[*apiError](err)
	switch {
	case err == nil || isUnchanged(err):
		return v.ID, nil
	case ok && f.code == http.StatusBadRequest && f.hasPhrase("message to edit not found", "message can't be edited"):
		return 0, errors.Join(errNoPreview, t.previews.drop(ctx, chat, key))
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
