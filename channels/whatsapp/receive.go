package whatsapp

import (
	"context"
	"slices"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"familiar/channels"
	"familiar/internal/sleep"
)

// onMessage handles one message and reports whether it need not be delivered again.
func (l *connection) onMessage(evt *events.Message) bool {
	l.order.Lock()
	defer l.order.Unlock()
	if evt.Info.IsFromMe {
		l.records.phoneSeen(l.ctx)
		l.history(evt.Message.GetProtocolMessage().GetHistorySyncNotification())
	}
	evt = l.decrypted(evt)
	m, ok := l.decoder.message(evt)
	if !ok {
		return true
	}
	m = l.originalAddress(m)
	wanted := l.host.Allows(l.ctx, m)
	if !l.allowedToChange(evt, &m, wanted) {
		return true
	}
	if wanted && !m.Direct {
		m.RoomTitle = l.title(evt.Info.Chat)
	}
	if wanted && m.Action == channels.Post {
		l.fetch(evt.Message, &m)
	}
	if !l.prepare(m, wanted) {
		return false
	}
	l.recordMessage(evt, m, wanted)
	return l.acceptRetrying(m) && l.afterStored(evt, m, wanted)
}

// onUnreadable stores a placeholder for a message that only the phone can show. For a message that could not be
// decrypted, the SDK requests a new copy instead.
func (l *connection) onUnreadable(evt *events.UndecryptableMessage) bool {
	if !evt.IsUnavailable || evt.UnavailableType != events.UnavailableTypeViewOnce {
		return true
	}
	l.order.Lock()
	defer l.order.Unlock()
	m, ok := l.decoder.unreadable(evt.Info)
	if !ok {
		return true
	}
	m = l.originalAddress(m)
	return l.prepare(m, l.host.Allows(l.ctx, m)) && l.acceptRetrying(m)
}

// prepare stores what must be known before m is passed on, and reports whether it is. Nothing is recorded about unwanted
// messages.
func (l *connection) prepare(m channels.Message, wanted bool) bool {
	return l.announceMove(m) && (!wanted || l.recordArrival(m))
}

// recordMessage records who wrote m, and that somebody wrote in its chat. It precedes passing m on, since what answers it may
// need to know.
func (l *connection) recordMessage(evt *events.Message, m channels.Message, wanted bool) {
	l.recordAuthor(m, evt.Info.Sender, wanted)
	if wanted && m.Action == channels.Post {
		l.records.received(l.ctx, m.Room.ID, expiration(evt.Message))
	}
}

// The pauses between attempts to store a message.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
)

// acceptRetrying passes m to accept until it is durable.
func (l *connection) acceptRetrying(m channels.Message) bool {
	return l.untilStored(func(ctx context.Context) error { return l.accept(ctx, m) })
}

// untilStored repeats keep until it succeeds; it gives up only when the connection ends. No other message is handled
// meanwhile: this keeps the order, and the network keeps everything not yet acknowledged.
func (l *connection) untilStored(keep func(context.Context) error) bool {
	for attempt := 0; ; attempt++ {
		err := keep(l.ctx)
		if err == nil {
			if attempt > 0 {
				l.updateState(func() { l.trouble = "" })
			}
			return true
		}
		if l.ctx.Err() != nil {
			return false
		}
		l.log.Error("whatsapp: store a message", "error", err, "attempt", attempt+1)
		if attempt > 0 {
			l.updateState(func() { l.trouble = "cannot store incoming messages" })
		}
		if !sleep.For(l.ctx, min(firstPause<<min(attempt, 8), lastPause)) {
			return false
		}
	}
}

// afterStored sends a read receipt for a durable, wanted message. It always returns true.
func (l *connection) afterStored(evt *events.Message, m channels.Message, wanted bool) bool {
	l.touch()
	if !wanted || m.Action != channels.Post {
		return true
	}
	if l.opts.ReadReceipts && !evt.Info.IsFromMe {
		l.inBackground("send a read receipt", func(ctx context.Context) error {
			return l.client.MarkRead(ctx, []types.MessageID{evt.Info.ID}, l.host.Now(), evt.Info.Chat, evt.Info.Sender)
		})
	}
	return true
}

// decrypted removes the inner encryption that some edits and reactions have.
func (l *connection) decrypted(evt *events.Message) *events.Message {
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

// history lets the SDK learn names, ids and tokens from the data the phone sends to a new device. Messages from before
// the link are not used.
func (l *connection) history(n *waE2E.HistorySyncNotification) {
	if n == nil {
		return
	}
	l.inBackground("read the data the phone sends to a new device", func(ctx context.Context) error {
		_, err := l.client.DownloadHistorySync(ctx, n, true)
		return err
	})
}

// lookupTimeout bounds a request for information about a group.
const lookupTimeout = 5 * time.Second

// title returns the name of a group, empty if it cannot be determined.
func (l *connection) title(group types.JID) string {
	if title, ok := l.titles[group]; ok {
		return title
	}
	ctx, cancel := context.WithTimeout(l.ctx, lookupTimeout)
	defer cancel()
	info, err := l.client.GetGroupInfo(ctx, group)
	if err != nil {
		l.log.Debug("whatsapp: look up the name of a group", "error", redacted(err))
		return ""
	}
	l.titles[group] = info.Name
	return info.Name
}

func (l *connection) refreshTitle(e *events.GroupInfo) {
	l.order.Lock()
	defer l.order.Unlock()
	if e.Name != nil {
		l.titles[e.JID] = e.Name.Name
	}
}

// allowedToChange reports whether an edit or deletion comes from the message's author, as far as is known here; the
// store checks again. Group admins may delete messages of others; the admins of unwanted groups are not looked up.
func (l *connection) allowedToChange(evt *events.Message, m *channels.Message, wanted bool) bool {
	if m.Action != channels.Edit && m.Action != channels.Delete || m.Direct {
		return true
	}
	author, known := l.otherAuthor(l.ctx, messageRef{m.Room.ID, m.TargetID})
	sender := evt.Info.Sender.ToNonAD()
	if known && l.decoder.sameAccount(author, sender) {
		return true
	}
	if m.Action == channels.Delete && wanted && l.isAdmin(evt.Info.Chat, sender) {
		m.Author = channels.Author{}
		return true
	}
	return !known
}

func (l *connection) isAdmin(group, who types.JID) bool {
	ctx, cancel := context.WithTimeout(l.ctx, lookupTimeout)
	defer cancel()
	info, err := l.client.GetGroupInfo(ctx, group)
	if err != nil {
		l.log.Warn("whatsapp: look up who may delete messages in a group", "error", redacted(err))
		return false
	}
	return slices.ContainsFunc(info.Participants, func(p types.GroupParticipant) bool {
		return p.IsAdmin && (p.JID == who || p.LID == who || p.PhoneNumber == who)
	})
}
