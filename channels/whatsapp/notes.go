package whatsapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
)

// The keys of what is kept on the shelf.
const (
	sentPrefix   = "sent/"   // sent/<day>/<room id>/<message id>: the key of the chunk
	voicePrefix  = "voice/"  // voice/<day>/<room id>/<message id>: the JID of who said that in a group
	numberPrefix = "number/" // number/<day>/<number>/<event id>: what came from somebody known by their number
	chatPrefix   = "chat/"   // chat/<room id>: a chatNote
	newPrefix    = "new/"    // new/<day>: how many chats were begun to write in
	phoneKey     = "phone"   // when the phone was seen last, in Unix seconds
	bannedKey    = "banned"
)

// kept is for how many days what is noted of messages is kept: for as long a device may ask to have one said again.
const kept = 15

// chatNote is what is known of a chat.
type chatNote struct {
	// Heard is when somebody wrote there last, in Unix seconds, 0 for never.
	Heard int64 `json:"h,omitempty"`
	// Spoken says that we have written there.
	Spoken bool `json:"s,omitempty"`
	// Fades is after how many seconds the chat forgets.
	Fades uint32 `json:"f,omitempty"`
}

// notes are what must be found again after a restart. A note that cannot be written is worth a line in the log and no
// more: none of them stands between a message and its answer.
type notes struct {
	host channels.Host

	mu      sync.Mutex
	chats   map[string]chatNote
	written map[string]chatNote
	seen    time.Time // when the phone's last sign was written
	swept   string    // the day on which old notes were thrown away
}

func newNotes(h channels.Host) *notes {
	return &notes{host: h, chats: make(map[string]chatNote), written: make(map[string]chatNote)}
}

func (n *notes) put(ctx context.Context, key, value string) error {
	if err := n.host.Store.Put(ctx, key, value); err != nil {
		return fmt.Errorf("keep the note %s: %w", strings.SplitN(key, "/", 2)[0], err)
	}
	return nil
}

func (n *notes) day(back int) string {
	return n.host.Now().UTC().AddDate(0, 0, -back).Format(time.DateOnly)
}

// sending notes that the chunk with that key is sent as a message.
func (n *notes) sending(ctx context.Context, it said, key string) error {
	return n.putToday(ctx, sentPrefix, it.String(), key)
}

// sentAs is the key of the chunk that was sent as the message with that id to the room with one of those.
func (n *notes) sentAs(ctx context.Context, id types.MessageID, rooms []string) (key string, err error) {
	for _, room := range rooms {
		if key, err = n.lately(ctx, sentPrefix, said{room, id}.String()); !errors.Is(err, channels.ErrNotFound) {
			break
		}
	}
	return key, err
}

// speaks notes the JID of who said a message, and voice finds it.
func (n *notes) speaks(ctx context.Context, it said, who string) error {
	return n.putToday(ctx, voicePrefix, it.String(), who)
}

func (n *notes) voice(ctx context.Context, it said) (string, error) {
	return n.lately(ctx, voicePrefix, it.String())
}

// coming notes that something comes from a number, and came is all that did lately.
func (n *notes) coming(ctx context.Context, a arrival) error {
	return n.putToday(ctx, numberPrefix, a.number+"/"+a.id, "")
}

func (n *notes) came(ctx context.Context) ([]arrival, error) {
	keys, err := n.host.Store.Keys(ctx, numberPrefix)
	all := make([]arrival, 0, len(keys))
	for _, key := range keys {
		_, rest, _ := strings.Cut(key[len(numberPrefix):], "/")
		number, id, _ := strings.Cut(rest, "/")
		all = append(all, arrival{number, id})
	}
	return all, err
}

// putToday notes what is kept for some days.
func (n *notes) putToday(ctx context.Context, prefix, what, value string) error {
	if err := n.put(ctx, prefix+n.day(0)+"/"+what, value); err != nil {
		return err
	}
	return n.sweep(ctx)
}

// lately is what was noted last with putToday.
func (n *notes) lately(ctx context.Context, prefix, what string) (string, error) {
	for back := range kept + 1 {
		value, err := n.host.Store.Get(ctx, prefix+n.day(back)+"/"+what)
		if !errors.Is(err, channels.ErrNotFound) {
			return value, err
		}
	}
	return "", channels.ErrNotFound
}

// sweep throws away, once a day, what nobody asks for any more.
func (n *notes) sweep(ctx context.Context) error {
	n.mu.Lock()
	today := n.day(0)
	due := n.swept != today
	n.swept = today
	n.mu.Unlock()
	if !due {
		return nil
	}
	for _, prefix := range []string{sentPrefix, voicePrefix, numberPrefix, newPrefix} {
		keys, err := n.host.Store.Keys(ctx, prefix)
		if err != nil {
			return fmt.Errorf("look for old notes: %w", err)
		}
		for _, key := range keys {
			if day, _, _ := strings.Cut(key[len(prefix):], "/"); day < n.day(kept) {
				if err := n.host.Store.Delete(ctx, key); err != nil {
					return fmt.Errorf("throw away an old note: %w", err)
				}
			}
		}
	}
	return n.sweepChats(ctx)
}

// sweepChats throws away what is known of chats that are no room any more, such as those of strangers who were told a code.
// One in which somebody wrote lately may be a room soon.
func (n *notes) sweepChats(ctx context.Context) error {
	rooms, err := n.host.Rooms(ctx)
	if err != nil {
		return fmt.Errorf("look up the known rooms: %w", err)
	}
	keys, err := n.host.Store.Keys(ctx, chatPrefix)
	if err != nil {
		return fmt.Errorf("look for old notes: %w", err)
	}
	known := make(map[string]bool)
	for _, room := range rooms {
		known[room.ID] = true
	}
	oldest := n.host.Now().AddDate(0, 0, -kept).Unix()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, key := range keys {
		id := key[len(chatPrefix):]
		if known[id] || n.load(ctx, id).Heard > oldest {
			continue
		}
		delete(n.chats, id)
		delete(n.written, id)
		if err := n.host.Store.Delete(ctx, key); err != nil {
			return fmt.Errorf("throw away an old note: %w", err)
		}
	}
	return nil
}

// chat is what is known of a room.
func (n *notes) chat(ctx context.Context, room string) chatNote {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.load(ctx, room)
}

func (n *notes) load(ctx context.Context, room string) chatNote {
	if note, ok := n.chats[room]; ok {
		return note
	}
	var note chatNote
	if value, err := n.host.Store.Get(ctx, chatPrefix+room); err != nil || json.Unmarshal([]byte(value), &note) != nil {
		note = chatNote{}
	}
	n.chats[room], n.written[room] = note, note
	return note
}

// stale is how old the time in a written note may be: it is not worth a write for every message.
const stale = 30 * time.Minute

// heard notes that somebody wrote in a room that forgets after so many seconds.
func (n *notes) heard(ctx context.Context, room string, fades uint32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	note := n.load(ctx, room)
	note.Heard, note.Fades = n.host.Now().Unix(), fades
	n.keep(ctx, room, note)
}

// keep is what is known of a room from now on. The caller holds the lock.
func (n *notes) keep(ctx context.Context, room string, note chatNote) {
	n.chats[room] = note
	was := n.written[room]
	if fresh := time.Duration(note.Heard-was.Heard) * time.Second; fresh < stale && note.Spoken == was.Spoken && note.Fades == was.Fades {
		return
	}
	data, err := json.Marshal(note)
	if err == nil && n.put(ctx, chatPrefix+room, string(data)) == nil {
		n.written[room] = note
	}
}

// begin notes that something is about to be said in a room and says whether it may be: where nothing was before, the room is
// one of those begun today.
func (n *notes) begin(ctx context.Context, room string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	note := n.load(ctx, room)
	if note.Spoken {
		return true
	}
	key := newPrefix + n.day(0)
	value, _ := n.host.Store.Get(ctx, key)
	begun, _ := strconv.Atoi(value)
	if begun >= newPerDay {
		return false
	}
	_ = n.put(ctx, key, strconv.Itoa(begun+1))
	note.Spoken = true
	n.keep(ctx, room, note)
	return true
}

// phoneSeen notes a sign of the phone, once an hour.
func (n *notes) phoneSeen(ctx context.Context) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.host.Now()
	if now.Sub(n.seen) < time.Hour {
		return
	}
	if n.put(ctx, phoneKey, strconv.FormatInt(now.Unix(), 10)) == nil {
		n.seen = now
	}
}

// phone is when the phone was seen last.
func (n *notes) phone(ctx context.Context) (time.Time, bool) { return n.time(ctx, phoneKey) }

// time is the moment noted under key.
func (n *notes) time(ctx context.Context, key string) (time.Time, bool) {
	value, err := n.host.Store.Get(ctx, key)
	if err != nil {
		return time.Time{}, false
	}
	unix, err := strconv.ParseInt(value, 10, 64)
	return time.Unix(unix, 0), err == nil
}
