package whatsapp

import (
	"context"
	"slices"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"familiar/channels"
)

// hear takes one message and says whether it needs not be delivered again.
func (l *line) hear(evt *events.Message) bool {
	l.hearing.Lock()
	defer l.hearing.Unlock()
	if evt.Info.IsFromMe {
		l.notes.phoneSeen(l.ctx)
		l.history(evt.Message.GetProtocolMessage().GetHistorySyncNotification())
	}
	evt = l.revealed(evt)
	m, ok := l.ear.message(evt)
	if !ok {
		return true
	}
	m = l.firstAddress(m)
	wanted := l.host.Allows(l.ctx, m)
	if !l.mayChange(evt, &m, wanted) {
		return true
	}
	if wanted && !m.Direct {
		m.RoomTitle = l.title(evt.Info.Chat)
	}
	if wanted && m.Action == channels.Post {
		l.fetch(evt.Message, &m)
	}
	return l.pass(m, wanted) && l.heard(evt, m, wanted)
}

// hearUnreadable takes the note that there was a message which only the phone can show. One that merely could not be
// decrypted is asked for again by the SDK.
func (l *line) hearUnreadable(evt *events.UndecryptableMessage) bool {
	if !evt.IsUnavailable || evt.UnavailableType != events.UnavailableTypeViewOnce {
		return true
	}
	l.hearing.Lock()
	defer l.hearing.Unlock()
	m, ok := l.ear.unreadable(evt.Info)
	if !ok {
		return true
	}
	m = l.firstAddress(m)
	return l.pass(m, l.host.Allows(l.ctx, m))
}

// pass hands m over, after what must be known before it, and says whether it is durable. Of what is not wanted nothing
// is noted.
func (l *line) pass(m channels.Message, wanted bool) bool {
	return l.moved(m) && (!wanted || l.noted(m)) && l.hand(m)
}

// The pauses between attempts to have a message kept.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// hand hands m over until it is durable.
func (l *line) hand(m channels.Message) bool {
	return l.insist(func(ctx context.Context) error { return l.accept(ctx, m) })
}

// insist has something kept, as often as it takes; it gives up only when the line ends. Nothing is heard in the
// meantime, so that what is said stays in order, and the network keeps what it is not told to forget.
func (l *line) insist(keep func(context.Context) error) bool {
	for attempt := 0; ; attempt++ {
		err := keep(l.ctx)
		if err == nil {
			if attempt > 0 {
				l.change(func() { l.trouble = "" })
			}
			return true
		}
		if l.ctx.Err() != nil {
			return false
		}
		l.log.Error("whatsapp: keep a message", "error", err, "attempt", attempt+1)
		if attempt > 0 {
			l.change(func() { l.trouble = "messages that arrive cannot be kept" })
		}
		if !wait(l.ctx, min(firstPause<<min(attempt, 8), lastPause)) {
			return false
		}
	}
}

// heard notes what a durable message that is wanted tells about its chat and lets its author know. It is always true.
func (l *line) heard(evt *events.Message, m channels.Message, wanted bool) bool {
	l.stir()
	l.noteVoice(m, evt.Info.Sender, wanted)
	if !wanted || m.Action != channels.Post {
		return true
	}
	l.notes.heard(l.ctx, m.Room.ID, fades(evt.Message))
	if l.opts.ReadReceipts && !evt.Info.IsFromMe {
		l.beside("show that a message was read", func(ctx context.Context) error {
			return l.client.MarkRead(ctx, []types.MessageID{evt.Info.ID}, l.host.Now(), evt.Info.Chat, evt.Info.Sender)
		})
	}
	return true
}

// revealed is evt with the inner encryption of some edits and reactions taken off.
func (l *line) revealed(evt *events.Message) *events.Message {
	inner := *evt
	if reaction := evt.Message.GetEncReactionMessage(); reaction != nil {
		if open, err := l.client.DecryptReaction(l.ctx, evt); err == nil {
			open.Key = reaction.GetTargetMessageKey()
			inner.Message = &waE2E.Message{ReactionMessage: open}
		}
	}
	secret := evt.Message.GetSecretEncryptedMessage()
	if secret.GetSecretEncType() == waE2E.SecretEncryptedMessage_MESSAGE_EDIT {
		if open, err := l.client.DecryptSecretEncryptedMessage(l.ctx, evt); err == nil {
			inner.Message = open
			if open.GetProtocolMessage() == nil {
				inner.Message = &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
					Type: waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(), Key: secret.GetTargetMessageKey(), EditedMessage: open,
				}}
			}
		}
	}
	return &inner
}

// history lets the SDK learn from what the phone sends a new device: names, ids and tokens. What was said before the
// device was linked is nobody's business.
func (l *line) history(n *waE2E.HistorySyncNotification) {
	if n == nil {
		return
	}
	l.beside("read what the phone tells a new device", func(ctx context.Context) error {
		_, err := l.client.DownloadHistorySync(ctx, n, true)
		return err
	})
}

// asking is how long the title of a group may take to learn.
const asking = 5 * time.Second

// title is the name of a group, empty while it cannot be learnt.
func (l *line) title(group types.JID) string {
	if title, ok := l.titles[group]; ok {
		return title
	}
	ctx, cancel := context.WithTimeout(l.ctx, asking)
	defer cancel()
	info, err := l.client.GetGroupInfo(ctx, group)
	if err != nil {
		l.log.Debug("whatsapp: learn the name of a group", "error", redacted(err))
		return ""
	}
	l.titles[group] = info.Name
	return info.Name
}

func (l *line) retitle(e *events.GroupInfo) {
	l.hearing.Lock()
	defer l.hearing.Unlock()
	if e.Name != nil {
		l.titles[e.JID] = e.Name.Name
	}
}

// mayChange says whether who edits a message or takes it back is who said it, as far as that is known here: it is looked
// at again where the message is kept. The admins of a group may take back what others said; of a group that is not
// wanted, nobody is asked who they are.
func (l *line) mayChange(evt *events.Message, m *channels.Message, wanted bool) bool {
	if m.Action != channels.Edit && m.Action != channels.Delete || m.Direct {
		return true
	}
	author, known := l.voice(l.ctx, said{m.Room.ID, m.TargetID})
	sender := evt.Info.Sender.ToNonAD()
	if known && l.ear.same(author, sender) {
		return true
	}
	if m.Action == channels.Delete && wanted && l.isAdmin(evt.Info.Chat, sender) {
		m.Author = channels.Author{}
		return true
	}
	return !known
}

func (l *line) isAdmin(group, who types.JID) bool {
	ctx, cancel := context.WithTimeout(l.ctx, asking)
	defer cancel()
	info, err := l.client.GetGroupInfo(ctx, group)
	if err != nil {
		l.log.Warn("whatsapp: learn who may delete in a group", "error", redacted(err))
		return false
	}
	return slices.ContainsFunc(info.Participants, func(p types.GroupParticipant) bool {
		return p.IsAdmin && (p.JID == who || p.LID == who || p.PhoneNumber == who)
	})
}
