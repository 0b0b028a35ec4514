package chatapi

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
)

// plan is what a request asks for: messages to hand over, or only the answer to one that was handed over before.
type plan struct {
	roomKey string
	// exchange is that of the message to answer. If it is Done its answer exists.
	exchange exchange
	// ahead are earlier messages that are not answered yet, by id.
	ahead []string
	// hand are the messages to hand over, in order. The last is the one to answer.
	hand []channels.Message
	// unread are the keys of messages that are shown before the answer.
	unread []string
}

// draft is what a request says, before its messages have ids.
type draft struct {
	speaker speaker
	// said are the new messages, oldest first, with their prints. The last is the one to answer, and alone addressed.
	said   []channels.Message
	prints []string
	// retry reports that the program says that it repeats a request.
	retry bool
}

// plan decides which messages of a draft are new, notes them and gives them their ids. A message that was said within
// repeatWithin is not new. If its answer was received the program wants another one: the old answer and the message are
// deleted, and the message is said again, so that nothing is learnt twice. A command is given anew instead: what it did is not undone.
func (b *mailbox) plan(ctx context.Context, d draft) (p plan, err error) {
	if p.roomKey, err = b.roomKey(ctx, d.speaker.room); err != nil {
		return p, err
	}
	err = b.update(ctx, p.roomKey, func(at *box, _ bool) (bool, error) {
		now, last := b.now(), len(d.said)-1
		changed := false
		for i, m := range d.said {
			e := at.recent(d.prints[i], now)
			switch {
			case e == nil, i == last && e.Fixed && !at.repeats(e, d.retry):
				_, _, command := m.Command()
				e = at.add(exchange{ID: at.newID(p.roomKey, d.prints[i], now), Print: d.prints[i], Persona: m.For, At: now, Fixed: command})
				changed = true
			case i == last && e.Taken && !e.Fixed && !d.retry:
				e = at.again(e, at.newID(p.roomKey, d.prints[i], now), now)
				changed = true
			}
			if e.Replaces != nil && !e.Done { // again after a crash: the ids of deletions do not change
				p.hand = append(p.hand, withdrawal(m, *e.Replaces)...)
			}
			p.exchange = *e
			m.ID, m.ReplyData = e.ID, e.ID
			p.hand = append(p.hand, m)
		}
		for _, e := range at.Exchanges {
			if e.ID != p.exchange.ID && !e.Done && now.Sub(e.At) < repeatWithin {
				p.ahead = append(p.ahead, e.ID)
			}
		}
		p.unread = slices.Clone(at.Unread)
		return changed, nil
	})
	return p, err
}

// recent returns the newest exchange with a print, if it is not too old to be repeated, or nil.
func (at *box) recent(print string, now time.Time) *exchange {
	for i := range slices.Backward(at.Exchanges) {
		if e := &at.Exchanges[i]; e.Print == print {
			if age := now.Sub(e.At); age < repeatWithin && age > -repeatWithin {
				return e
			}
			return nil
		}
	}
	return nil
}

// repeats reports whether a command that comes again is a repetition of e. It is while e's answer was not received, or if the
// program says so; but no longer once another command was given, which may have changed what e did.
func (at *box) repeats(e *exchange, retry bool) bool {
	later := at.Exchanges[slices.IndexFunc(at.Exchanges, func(o exchange) bool { return o.ID == e.ID })+1:]
	return (retry || !e.Taken) && !slices.ContainsFunc(later, func(o exchange) bool { return o.Fixed })
}

// newID returns an id for a message in the room with that key.
func (at *box) newID(roomKey, print string, now time.Time) string {
	id := strings.TrimPrefix(roomKey, roomPrefix) + "-" + print + "-" + strconv.FormatInt(now.UnixNano(), 36)
	for at.find(id) != nil { // the clock stood still
		id += "a"
	}
	return id
}

func (at *box) add(e exchange) *exchange {
	at.Exchanges = append(at.Exchanges, e)
	return &at.Exchanges[len(at.Exchanges)-1]
}

// again replaces an exchange by one in which the message is said again.
func (at *box) again(e *exchange, id string, now time.Time) *exchange {
	old := replaced{e.ID, e.Key}
	fresh := exchange{ID: id, Print: e.Print, Persona: e.Persona, At: now, Replaces: &old}
	at.Exchanges = slices.DeleteFunc(at.Exchanges, func(o exchange) bool { return o.ID == old.ID })
	return at.add(fresh)
}

// withdrawal returns the deletions of a reply, if there was one, and of the message that it answered; m has its author and its room.
func withdrawal(m channels.Message, e replaced) []channels.Message {
	said := channels.Message{
		ID: e.ID + "-d", Action: channels.Delete, TargetID: e.ID, Room: m.Room, Author: m.Author, Direct: m.Direct, At: m.At, For: m.For,
		Admitted: m.Admitted,
	}
	if e.Key == "" {
		return []channels.Message{said}
	}
	reply := said
	reply.ID, reply.TargetID, reply.Author = e.ID+"-r", e.Key, channels.Author{} // the persona's own
	return []channels.Message{reply, said}
}
