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

// The keys in the state store. They must not change.
const (
	sentPrefix   = "sent/"   // sent/<day>/<room id>/<message id>: the key of the chunk
	authorPrefix = "voice/"  // voice/<day>/<room id>/<message id>: the JID of the author in a group
	numberPrefix = "number/" // number/<day>/<number>/<event id>: an event from a person known by their number
	chatPrefix   = "chat/"   // chat/<room id>: a chatRecord
	newPrefix    = "new/"    // new/<day>: how many chats were started
	phoneKey     = "phone"   // when the phone was last online, in Unix seconds
	bannedKey    = "banned"
)

// keepDays is how long records of messages are stored: as long as a device may ask for a message again.
const keepDays = 15

// chatRecord is what is known about a chat.
type chatRecord struct {
	// LastReceived is when somebody last wrote there, in Unix seconds, 0 for never.
	LastReceived int64 `json:"h,omitempty"`
	// Started reports that we have written there.
	Started bool `json:"s,omitempty"`
	// Expiration is after how many seconds the chat deletes messages.
	Expiration uint32 `json:"f,omitempty"`
}

// records holds what must survive a restart. A record that cannot be written is only logged: it must not block a
// message or its reply.
type records struct {
	host channels.Host

	mu           sync.Mutex
	chats        map[string]chatRecord
	stored       map[string]chatRecord
	phoneWritten time.Time // when the last sign of the phone was written
	pruned       string    // the day of the last prune
}

func newRecords(h channels.Host) *records {
	return &records{host: h, chats: make(map[string]chatRecord), stored: make(map[string]chatRecord)}
}

func (n *records) put(ctx context.Context, key, value string) error {
	if err := n.host.Store.Put(ctx, key, value); err != nil {
		return fmt.Errorf("store the record %s: %w", strings.SplitN(key, "/", 2)[0], err)
	}
	return nil
}

func (n *records) day(back int) string {
	return n.host.Now().UTC().AddDate(0, 0, -back).Format(time.DateOnly)
}

// putSent records that the chunk with that key is sent as a message.
func (n *records) putSent(ctx context.Context, it messageRef, key string) error {
	return n.putDated(ctx, sentPrefix, it.String(), key)
}

// sentKey returns the key of the chunk sent as the message with that id to a room with one of those ids.
func (n *records) sentKey(ctx context.Context, id types.MessageID, rooms []string) (key string, err error) {
	for _, room := range rooms {
		if key, err = n.latest(ctx, sentPrefix, messageRef{room, id}.String()); !errors.Is(err, channels.ErrNotFound) {
			break
		}
	}
	return key, err
}

// putAuthor records the JID of a message's author; author looks it up.
func (n *records) putAuthor(ctx context.Context, it messageRef, who string) error {
	return n.putDated(ctx, authorPrefix, it.String(), who)
}

func (n *records) author(ctx context.Context, it messageRef) (string, error) {
	return n.latest(ctx, authorPrefix, it.String())
}

// putArrival records an event from a number; arrivals returns the recent ones.
func (n *records) putArrival(ctx context.Context, a arrival) error {
	return n.putDated(ctx, numberPrefix, a.number+"/"+a.id, "")
}

func (n *records) arrivals(ctx context.Context) ([]arrival, error) {
	keys, err := n.host.Store.Keys(ctx, numberPrefix)
	all := make([]arrival, 0, len(keys))
	for _, key := range keys {
		_, rest, _ := strings.Cut(key[len(numberPrefix):], "/")
		number, id, _ := strings.Cut(rest, "/")
		all = append(all, arrival{number, id})
	}
	return all, err
}

// putDated stores a record under the current day, for expiry.
func (n *records) putDated(ctx context.Context, prefix, what, value string) error {
	if err := n.put(ctx, prefix+n.day(0)+"/"+what, value); err != nil {
		return err
	}
	return n.prune(ctx)
}

// latest returns the newest value stored with putDated.
func (n *records) latest(ctx context.Context, prefix, what string) (string, error) {
	for back := range keepDays + 1 {
		value, err := n.host.Store.Get(ctx, prefix+n.day(back)+"/"+what)
		if !errors.Is(err, channels.ErrNotFound) {
			return value, err
		}
	}
	return "", channels.ErrNotFound
}

// prune deletes expired records, once a day.
func (n *records) prune(ctx context.Context) error {
	n.mu.Lock()
	today := n.day(0)
	due := n.pruned != today
	n.pruned = today
	n.mu.Unlock()
	if !due {
		return nil
	}
	for _, prefix := range []string{sentPrefix, authorPrefix, numberPrefix, newPrefix} {
		keys, err := n.host.Store.Keys(ctx, prefix)
		if err != nil {
			return fmt.Errorf("list old records: %w", err)
		}
		for _, key := range keys {
			if day, _, _ := strings.Cut(key[len(prefix):], "/"); day < n.day(keepDays) {
				if err := n.host.Store.Delete(ctx, key); err != nil {
					return fmt.Errorf("delete an old record: %w", err)
				}
			}
		}
	}
	return n.pruneChats(ctx)
}

// pruneChats deletes the records of chats that are not rooms in the store, such as those of strangers who got a pairing
// code. A chat with recent messages may become a room soon, so it stays.
func (n *records) pruneChats(ctx context.Context) error {
	rooms, err := n.host.Rooms(ctx)
	if err != nil {
		return fmt.Errorf("look up the known rooms: %w", err)
	}
	keys, err := n.host.Store.Keys(ctx, chatPrefix)
	if err != nil {
		return fmt.Errorf("list old records: %w", err)
	}
	known := make(map[string]bool)
	for _, room := range rooms {
		known[room.ID] = true
	}
	oldest := n.host.Now().AddDate(0, 0, -keepDays).Unix()
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, key := range keys {
		id := key[len(chatPrefix):]
		if known[id] || n.load(ctx, id).LastReceived > oldest {
			continue
		}
		delete(n.chats, id)
		delete(n.stored, id)
		if err := n.host.Store.Delete(ctx, key); err != nil {
			return fmt.Errorf("delete an old record: %w", err)
		}
	}
	return nil
}

// chat returns what is known about a room.
func (n *records) chat(ctx context.Context, room string) chatRecord {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.load(ctx, room)
}

func (n *records) load(ctx context.Context, room string) chatRecord {
	if note, ok := n.chats[room]; ok {
		return note
	}
	var note chatRecord
	if value, err := n.host.Store.Get(ctx, chatPrefix+room); err != nil || json.Unmarshal([]byte(value), &note) != nil {
		note = chatRecord{}
	}
	n.chats[room], n.stored[room] = note, note
	return note
}

// writeInterval is how old the time in a stored record may be: it is not worth a write per message.
const writeInterval = 30 * time.Minute

// received records that somebody wrote in a room that deletes messages after so many seconds.
func (n *records) received(ctx context.Context, room string, fades uint32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	note := n.load(ctx, room)
	note.LastReceived, note.Expiration = n.host.Now().Unix(), fades
	n.setChat(ctx, room, note)
}

// setChat stores what is known about a room. The caller holds the lock.
func (n *records) setChat(ctx context.Context, room string, note chatRecord) {
	n.chats[room] = note
	was := n.stored[room]
	if fresh := time.Duration(note.LastReceived-was.LastReceived) * time.Second; fresh < writeInterval && note.Started == was.Started && note.Expiration == was.Expiration {
		return
	}
	data, err := json.Marshal(note)
	if err == nil && n.put(ctx, chatPrefix+room, string(data)) == nil {
		n.stored[room] = note
	}
}

// startChat records that a message is about to be sent to a room, and reports whether it may be. A room without earlier
// messages of ours counts against the new chats of the day.
func (n *records) startChat(ctx context.Context, room string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	note := n.load(ctx, room)
	if note.Started {
		return true
	}
	key := newPrefix + n.day(0)
	value, _ := n.host.Store.Get(ctx, key)
	begun, _ := strconv.Atoi(value)
	if begun >= newChatsPerDay {
		return false
	}
	_ = n.put(ctx, key, strconv.Itoa(begun+1))
	note.Started = true
	n.setChat(ctx, room, note)
	return true
}

// phoneSeen records a sign of the phone, at most once an hour.
func (n *records) phoneSeen(ctx context.Context) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.host.Now()
	if now.Sub(n.phoneWritten) < time.Hour {
		return
	}
	if n.put(ctx, phoneKey, strconv.FormatInt(now.Unix(), 10)) == nil {
		n.phoneWritten = now
	}
}

// lastPhoneSign returns when the phone was last online.
func (n *records) lastPhoneSign(ctx context.Context) (time.Time, bool) { return n.time(ctx, phoneKey) }

// time returns the time stored under key.
func (n *records) time(ctx context.Context, key string) (time.Time, bool) {
	value, err := n.host.Store.Get(ctx, key)
	if err != nil {
		return time.Time{}, false
	}
	unix, err := strconv.ParseInt(value, 10, 64)
	return time.Unix(unix, 0), err == nil
}
