package chatapi

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"familiar/channels"
)

const (
	// repeatWithin is how long the same message counts as a repetition of the last one. Said again later, it is a new one: many
	// conversations begin with the same word.
	repeatWithin = time.Hour
	// maxExchanges is how many of its last messages a room remembers the answers of, maxUnread how many messages wait there for
	// somebody to ask.
	maxExchanges, maxUnread = 16, 32
	// keptFor is how long the mailbox of a silent room is kept: as long as the texts that it refers to.
	keptFor = 14 * 24 * time.Hour

	saltKey, roomPrefix = "salt", "room/"
)

// mailbox notes in the store which message got which reply, by ids and keys alone: no text is stored twice, and a text that
// was forgotten is gone here too. Its methods may be called from any goroutine.
type mailbox struct {
	store  channels.StateStore
	text   func(ctx context.Context, key string) (string, error)
	now    func() time.Time
	random io.Reader

	locks [64]sync.Mutex // by room
	mu    sync.Mutex
	salt  []byte
}

// box is what the mailbox knows of one room. Its JSON is stored.
type box struct {
	// At is when it changed last.
	At time.Time `json:"at"`
	// Exchanges are the last messages, oldest first.
	Exchanges []exchange `json:"exchanges,omitempty"`
	// Unread are the keys of messages that no request has taken, oldest first, Read those that were taken last.
	Unread []string `json:"unread,omitempty"`
	Read   []string `json:"read,omitempty"`
}

// exchange is a message and its reply.
type exchange struct {
	// ID is the message's id, Print what tells it from others that the program may send.
	ID    string `json:"id"`
	Print string `json:"print"`
	// Persona is whom it is for.
	Persona string    `json:"persona"`
	At      time.Time `json:"at"`
	// Done reports that it was answered, with the chunk under Key or not at all; Taken that a program received the answer.
	Done  bool   `json:"done,omitempty"`
	Key   string `json:"key,omitempty"`
	Taken bool   `json:"taken,omitempty"`
	// Fixed reports that the message is a command, or was answered as one: the answer is not the persona's own words, and
	// deleting both would not undo it.
	Fixed bool `json:"fixed,omitempty"`
	// Replaces is what was answered before the program asked for another answer.
	Replaces *replaced `json:"replaces,omitempty"`
}

// replaced is a message and its reply that are deleted before the message is said again.
type replaced struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}

// key returns the key that ids and prints are made with. Without it nobody can tell from an id what was said.
func (b *mailbox) key(ctx context.Context) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.salt != nil {
		return b.salt, nil
	}
	kept, err := b.store.Get(ctx, saltKey)
	if errors.Is(err, channels.ErrNotFound) {
		fresh := make([]byte, 16)
		if _, err := io.ReadFull(b.random, fresh); err != nil {
			return nil, fmt.Errorf("make a key for message ids: %w", err)
		}
		kept = hex.EncodeToString(fresh)
		err = b.store.Put(ctx, saltKey, kept)
	}
	if err != nil {
		return nil, fmt.Errorf("read the key for message ids: %w", err)
	}
	b.salt = []byte(kept)
	return b.salt, nil
}

// digest returns 16 hexadecimal digits that stand for the parts.
func (b *mailbox) digest(ctx context.Context, parts ...string) (string, error) {
	key, err := b.key(ctx)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	for _, p := range parts {
		_, _ = fmt.Fprintf(mac, "%d:%s", len(p), p) // a hash takes everything
	}
	return hex.EncodeToString(mac.Sum(nil)[:8]), nil
}

// roomKey returns the key of a room in the store.
func (b *mailbox) roomKey(ctx context.Context, room channels.Room) (string, error) {
	digest, err := b.digest(ctx, "room", room.ID, room.Thread)
	return roomPrefix + digest, err
}

// update changes what is noted under a room's key. found reports whether anything was. Nothing is stored if change returns
// false or an error.
func (b *mailbox) update(ctx context.Context, key string, change func(box *box, found bool) (bool, error)) error {
	h := fnv.New32a()
	_, _ = io.WriteString(h, key)
	lock := &b.locks[h.Sum32()%uint32(len(b.locks))]
	lock.Lock()
	defer lock.Unlock()
	var at box
	kept, err := b.store.Get(ctx, key)
	found := err == nil
	if found {
		err = json.Unmarshal([]byte(kept), &at)
	} else if errors.Is(err, channels.ErrNotFound) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("read the mailbox of a room: %w", err)
	}
	changed, err := change(&at, found)
	if err != nil || !changed {
		return err
	}
	at.At = b.now()
	if n := len(at.Exchanges); n > maxExchanges {
		at.Exchanges = slices.Delete(at.Exchanges, 0, n-maxExchanges)
	}
	if n := len(at.Read); n > maxUnread {
		at.Read = slices.Delete(at.Read, 0, n-maxUnread)
	}
	text, err := json.Marshal(at)
	if err == nil {
		err = b.store.Put(ctx, key, string(text))
	}
	if err != nil {
		return fmt.Errorf("store the mailbox of a room: %w", err)
	}
	return nil
}

// prune removes the mailboxes of rooms that have long been silent.
func (b *mailbox) prune(ctx context.Context) error {
	keys, err := b.store.Keys(ctx, roomPrefix)
	if err != nil {
		return fmt.Errorf("list the mailboxes of rooms: %w", err)
	}
	for _, key := range keys {
		var at box
		if kept, err := b.store.Get(ctx, key); err != nil || json.Unmarshal([]byte(kept), &at) == nil && b.now().Sub(at.At) < keptFor {
			continue
		}
		if err := b.store.Delete(ctx, key); err != nil {
			return fmt.Errorf("remove the mailbox of a silent room: %w", err)
		}
	}
	return nil
}

// put notes what was sent. known reports whether a room exists of which nothing is noted.
func (b *mailbox) put(ctx context.Context, out channels.Outgoing, known func() bool) error {
	key, err := b.roomKey(ctx, out.Room)
	if err != nil {
		return err
	}
	return b.update(ctx, key, func(at *box, found bool) (bool, error) {
		if !found && !known() {
			return false, &channels.SendError{Kind: channels.Permanent, Err: errors.New("nobody has asked in this room")}
		}
		if e := at.find(out.ReplyData); e != nil && (!e.Done || e.Key == out.Key) {
			if e.Done {
				return false, nil
			}
			at.done(e, out.Key)
			e.Fixed = out.ReplyTo == ""
			return true, nil
		}
		switch {
		case slices.Contains(at.Unread, out.Key), slices.Contains(at.Read, out.Key):
			return false, nil
		case len(at.Unread) >= maxUnread:
			return false, &channels.SendError{Kind: channels.Temporary, Err: errors.New("too many messages wait in this room for somebody to ask")}
		}
		at.Unread = append(at.Unread, out.Key)
		return true, nil
	})
}

// done marks an exchange as answered, and earlier ones with the persona that are not: it answered them together.
func (at *box) done(e *exchange, key string) {
	for i := range at.Exchanges {
		earlier := &at.Exchanges[i]
		if earlier.ID == e.ID {
			break
		}
		if !earlier.Done && earlier.Persona == e.Persona {
			earlier.Done, earlier.Key = true, key
		}
	}
	e.Done, e.Key = true, key
}

// find returns the exchange of a message, nil if it is not remembered.
func (at *box) find(id string) *exchange {
	if i := slices.IndexFunc(at.Exchanges, func(e exchange) bool { return e.ID == id }); i >= 0 && id != "" {
		return &at.Exchanges[i]
	}
	return nil
}

// noReply notes that a message gets no reply.
func (b *mailbox) noReply(ctx context.Context, id string) error {
	room, _, ok := strings.Cut(id, "-")
	if !ok {
		return nil
	}
	return b.update(ctx, roomPrefix+room, func(at *box, _ bool) (bool, error) {
		e := at.find(id)
		if e == nil || e.Done {
			return false, nil
		}
		e.Done = true
		return true, nil
	})
}

// take marks the answer to a message as received, with the messages that were shown before it.
func (b *mailbox) take(ctx context.Context, roomKey, id string, unread []string) error {
	return b.update(ctx, roomKey, func(at *box, _ bool) (changed bool, _ error) {
		if e := at.find(id); e != nil && !e.Taken {
			e.Taken, changed = true, true
		}
		for _, key := range unread {
			if i := slices.Index(at.Unread, key); i >= 0 {
				at.Unread, at.Read, changed = slices.Delete(at.Unread, i, i+1), append(at.Read, key), true
			}
		}
		return changed, nil
	})
}

// texts returns the texts under some keys, without those that were forgotten.
func (b *mailbox) texts(ctx context.Context, keys []string) (texts []string, err error) {
	for _, key := range keys {
		text, err := b.text(ctx, key)
		if errors.Is(err, channels.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read a stored reply: %w", err)
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// look returns the exchange of a message as it is now, an empty one if it is not remembered.
func (b *mailbox) look(ctx context.Context, roomKey, id string) (e exchange, err error) {
	err = b.update(ctx, roomKey, func(at *box, _ bool) (bool, error) {
		if found := at.find(id); found != nil {
			e = *found
		}
		return false, nil
	})
	return e, err
}
