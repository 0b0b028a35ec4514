package whatsapp

import (
	"context"
	"sync"

	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
)

// said names a message: senders make the ids, so that one counts in its room alone.
type said struct {
	room string
	id   types.MessageID
}

// String is the message as the notes name it.
func (s said) String() string { return s.room + "/" + s.id }

// authorOf is who said a message in a chat, as far as that is known.
func (l *line) authorOf(ctx context.Context, chat types.JID, of said) (types.JID, bool) {
	if author, ok := l.voice(ctx, of); ok {
		return author, true
	}
	if _, err := l.notes.sentAs(ctx, of.id, l.ear.rooms(chat)); err == nil {
		return l.ear.hidden.ToNonAD(), true
	}
	return chat, chat.Server != types.GroupServer
}

// voice is who of the others said a message. Of groups it is known after a restart, too; in a direct chat nobody else
// speaks.
func (l *line) voice(ctx context.Context, of said) (types.JID, bool) {
	if who, ok := l.voices.of(of); ok {
		return who, true
	}
	value, err := l.notes.voice(ctx, of)
	if err != nil {
		return types.EmptyJID, false
	}
	who, err := types.ParseJID(value)
	return who, err == nil
}

// noteVoice notes who said m, for good if it is wanted.
func (l *line) noteVoice(m channels.Message, sender types.JID, wanted bool) {
	it, who := said{m.Room.ID, m.ID}, sender.ToNonAD()
	l.voices.note(it, who)
	if wanted && !m.Direct && m.Action == channels.Post {
		if err := l.notes.speaks(l.ctx, it, who.String()); err != nil {
			l.log.Warn("whatsapp: note who said a message", "error", err)
		}
	}
}

// remembered is of how many messages it is known without a look at the shelf who said them.
const remembered = 1000

// voices know who said the messages heard last. The zero value knows none.
type voices struct {
	mu   sync.Mutex
	who  map[said]types.JID
	ring []said
	next int
}

func (v *voices) note(it said, who types.JID) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.who == nil {
		v.who, v.ring = make(map[said]types.JID), make([]said, remembered)
	}
	delete(v.who, v.ring[v.next])
	v.who[it], v.ring[v.next] = who, it
	v.next = (v.next + 1) % remembered
}

func (v *voices) of(it said) (types.JID, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	who, ok := v.who[it]
	return who, ok
}
