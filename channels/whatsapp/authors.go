package whatsapp

import (
	"context"
	"sync"

	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
)

// messageRef identifies a message: senders choose the ids, so an id is unique only within its room.
type messageRef struct {
	room string
	id   types.MessageID
}

// String returns the message's key in the records.
func (s messageRef) String() string { return s.room + "/" + s.id }

// authorOf returns the author of a message in a chat, if known.
func (l *connection) authorOf(ctx context.Context, chat types.JID, of messageRef) (types.JID, bool) {
	if author, ok := l.otherAuthor(ctx, of); ok {
		return author, true
	}
	if _, err := l.records.sentKey(ctx, of.id, l.decoder.roomIDs(chat)); err == nil {
		return l.decoder.hidden.ToNonAD(), true
	}
	return chat, chat.Server != types.GroupServer
}

// otherAuthor returns who of the others wrote a message. For groups this survives a restart; in a direct chat there is
// only one other person.
func (l *connection) otherAuthor(ctx context.Context, of messageRef) (types.JID, bool) {
	if who, ok := l.authors.get(of); ok {
		return who, true
	}
	value, err := l.records.author(ctx, of)
	if err != nil {
		return types.EmptyJID, false
	}
	who, err := types.ParseJID(value)
	return who, err == nil
}

// recordAuthor records the author of m, permanently if m is wanted.
func (l *connection) recordAuthor(m channels.Message, sender types.JID, wanted bool) {
	it, who := messageRef{m.Room.ID, m.ID}, sender.ToNonAD()
	l.authors.put(it, who)
	if wanted && !m.Direct && m.Action == channels.Post {
		if err := l.records.putAuthor(l.ctx, it, who.String()); err != nil {
			l.log.Warn("whatsapp: record a message's author", "error", err)
		}
	}
}

// maxAuthors is how many authors are cached in memory.
const maxAuthors = 1000

// authors caches the authors of the latest messages. The zero value is empty.
type authors struct {
	mu    sync.Mutex
	byRef map[messageRef]types.JID
	ring  []messageRef
	next  int
}

func (v *authors) put(it messageRef, who types.JID) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.byRef == nil {
		v.byRef, v.ring = make(map[messageRef]types.JID), make([]messageRef, maxAuthors)
	}
	delete(v.byRef, v.ring[v.next])
	v.byRef[it], v.ring[v.next] = who, it
	v.next = (v.next + 1) % maxAuthors
}

func (v *authors) get(it messageRef) (types.JID, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	who, ok := v.byRef[it]
	return who, ok
}
