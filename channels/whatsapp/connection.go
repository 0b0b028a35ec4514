package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"familiar/channels"
	"familiar/internal/sleep"
)

// connection is one SDK client from its first connection until it ends permanently. It may reconnect in between.
type connection struct {
	*Channel
	ctx     context.Context
	client  *whatsmeow.Client
	accept  channels.Accept
	decoder decoder
	// finished receives the reason why the connection cannot be used any more.
	finished chan error
	// background tracks work outside the message handler.
	background sync.WaitGroup
	activity   chan struct{}
	// name is the account's display name; the phone sends it some time after the link.
	name atomic.Pointer[string]

	// order keeps messages in order, even if the SDK stops waiting for one and continues with the next.
	order   sync.Mutex
	titles  map[types.JID]string
	numbers phoneRooms
	authors authors

	stateMu     sync.Mutex
	up, filling bool
	trouble     string
}

func newConnection(ctx context.Context, c *Channel, device *store.Device, accept channels.Accept) *connection {
	l := &connection{
		Channel: c, ctx: ctx, client: newClient(c.opts, device), accept: accept, finished: make(chan error, 1),
		activity: make(chan struct{}, 1), titles: make(map[types.JID]string),
	}
	name := device.PushName
	l.name.Store(&name)
	l.decoder = newDecoder(device, c.opts.Self, l)
	// A message is acknowledged when its handler reports that it is durable; otherwise it is redelivered from the
	// buffer of decrypted events. This buffer also makes decryption transactional, so that concurrent encryption does
	// not use a counter twice.
	l.client.SynchronousAck = true
	l.client.EnableDecryptedEventBuffer = true
	// The SDK reconnects by itself; a second loop would conflict.
	l.client.EnableAutoReconnect = true
	l.client.InitialAutoReconnect = true
	l.client.AutoReconnectHook = l.reconnecting
	l.client.GetMessageForRetry = l.sentMessage
	l.client.AddEventHandlerWithSuccessStatus(l.handle)
	return l
}

// maxReconnectPause bounds the SDK's pause between connection attempts, which grows by two seconds each time.
const maxReconnectPause = time.Minute

func (l *connection) reconnecting(error) bool {
	l.client.AutoReconnectErrors = min(l.client.AutoReconnectErrors, int(maxReconnectPause/(2*time.Second)))
	return true
}

// handle receives all SDK events. It returns false for a message that is not durable, which is then redelivered.
func (l *connection) handle(evt any) bool {
	switch e := evt.(type) {
	case *events.Message:
		return l.onMessage(e)
	case *events.UndecryptableMessage:
		return l.onUnreadable(e)
	case *events.GroupInfo:
		l.refreshTitle(e)
	case *events.PushNameSetting:
		name := e.Action.GetName()
		l.name.Store(&name)
		l.touch()
	case *events.Receipt:
		if e.IsFromMe {
			l.records.phoneSeen(l.ctx)
		}
	default:
		l.onConnectionEvent(evt)
	}
	return true
}

// onConnectionEvent tracks the state of the connection.
func (l *connection) onConnectionEvent(evt any) {
	switch e := evt.(type) {
	case *events.Connected:
		l.updateState(func() { l.up, l.trouble = true, "" })
		l.touch()
	case *events.OfflineSyncPreview:
		l.updateState(func() { l.filling = e.Total > 0 })
	case *events.OfflineSyncCompleted:
		l.updateState(func() { l.filling = false })
	case *events.Disconnected:
		l.updateState(func() { l.up, l.filling, l.trouble = false, false, "the connection to WhatsApp was lost" })
	case *events.KeepAliveTimeout:
		l.updateState(func() { l.trouble = "WhatsApp does not respond" })
	case *events.KeepAliveRestored:
		l.updateState(func() { l.trouble = "" })
	case *events.LoggedOut:
		l.finishWith(&channels.StateError{State: loggedOut(e.Reason)})
	case *events.StreamReplaced:
		l.finishWith(&channels.StateError{State: replaced})
	case *events.ClientOutdated:
		l.finishWith(&channels.StateError{State: outdated})
	case *events.TemporaryBan:
		l.finishWith(&banError{until: l.host.Now().Add(max(e.Expire, minBan))})
	case *events.ConnectFailure:
		l.finishWith(fmt.Errorf("connect to WhatsApp: refused with code %d", int(e.Reason)))
	}
}

// finishWith ends the connection for a reason; the first one counts.
func (l *connection) finishWith(reason error) {
	select {
	case l.finished <- reason:
	default:
	}
}

// endReason returns why the connection ended: the network's reason, otherwise err; nil if ctx ended it.
func (l *connection) endReason(ctx context.Context, err error) error {
	select {
	case reason := <-l.finished:
		return reason
	default:
	}
	return unlessDone(ctx, err)
}

// updateState changes the connection state and publishes the result.
func (l *connection) updateState(how func()) {
	l.stateMu.Lock()
	defer l.stateMu.Unlock()
	how()
	if l.ctx.Err() != nil {
		return
	}
	state := channels.State{Phase: channels.Connecting, Account: *l.name.Load()}
	switch {
	case l.trouble != "":
		state.Phase, state.Problem, state.NextStep = channels.Transient, l.trouble, "nothing: it reconnects automatically"
	case l.filling:
		state.Phase = channels.Backfilling
	case l.up:
		state.Phase = channels.Connected
		state.Problem, state.NextStep = l.phoneAway()
	}
	l.report(state)
}

// phoneWarnAfter is how long the phone may be silent before the operator is warned: after 14 days WhatsApp unlinks
// devices.
const phoneWarnAfter = 12 * 24 * time.Hour

func (l *connection) phoneAway() (says, do string) {
	seen, ok := l.records.lastPhoneSign(l.ctx)
	if !ok {
		l.records.phoneSeen(l.ctx) // the phone has just linked this device
		return "", ""
	}
	return phoneWarning(l.host.Now().Sub(seen))
}

// phoneWarning returns the warning for a phone that has been silent for so long, empty if there is no concern yet.
func phoneWarning(d time.Duration) (says, do string) {
	if d > phoneWarnAfter {
		return fmt.Sprintf("the phone has been offline for %d days", int(d.Hours()/24)),
			"open WhatsApp on the phone: after 14 days it unlinks this device"
	}
	return "", ""
}

// otherID returns the hidden id of a number, or the number of a hidden id, or an empty JID if unknown.
func (l *connection) otherID(j types.JID) types.JID {
	var other types.JID
	var err error
	if j.Server == types.HiddenUserServer {
		other, err = l.client.Store.LIDs.GetPNForLID(l.ctx, j)
	} else {
		other, err = l.client.Store.LIDs.GetLIDForPN(l.ctx, j)
	}
	if err != nil {
		l.log.Warn("look up the other id of a WhatsApp account", "error", redacted(err))
	}
	return other
}

// The states that need the operator.
var (
	notLinked = channels.State{Phase: channels.LoggedOut, Problem: "no WhatsApp account is linked", NextStep: relink}
	replaced  = channels.State{
		Phase: channels.Refused, Problem: "another process uses this WhatsApp session",
		NextStep: "stop the other process, then start this one again",
	}
	outdated = channels.State{
		Phase: channels.Refused, Problem: "WhatsApp no longer accepts this version of the client", NextStep: "update familiar",
	}
)

const relink = "link it with `familiar channel login whatsapp`; memories are kept"

func loggedOut(reason events.ConnectFailureReason) channels.State {
	says := "the device was unlinked from the WhatsApp account"
	if reason == events.ConnectFailureUnknownLogout || reason == events.ConnectFailureMainDeviceGone {
		says = "WhatsApp has locked or banned the account"
	}
	return channels.State{Phase: channels.LoggedOut, Problem: says, NextStep: relink}
}

// banError ends a connection that may be opened again at a known time.
type banError struct{ until time.Time }

// Error implements error.
func (b *banError) Error() string {
	return "WhatsApp has banned the account until " + b.until.Format(time.DateTime)
}

// minBan is the assumed length of a ban of unknown length.
const minBan = time.Second

// bannedUntil returns until when the account is banned, zero if it is not.
func (c *Channel) bannedUntil(ctx context.Context) time.Time {
	until, ok := c.records.time(ctx, bannedKey)
	if !ok || !until.After(c.host.Now()) {
		return time.Time{}
	}
	return until
}

// waitOutBan waits until no ban is in force, and reports whether ctx is still active.
func (c *Channel) waitOutBan(ctx context.Context) bool {
	until := c.bannedUntil(ctx)
	if until.IsZero() {
		return ctx.Err() == nil
	}
	b := &banError{until: until}
	c.log.Error("whatsapp: the account is temporarily banned", "until", until)
	c.report(channels.State{
		Phase: channels.Transient, Problem: b.Error(),
		NextStep: "do not use the account until then; send fewer proactive messages, or the next ban may be permanent",
	})
	return sleep.For(ctx, until.Sub(c.host.Now()))
}

// inBackground runs work outside the message handler, at most until the connection ends.
func (l *connection) inBackground(what string, work func(context.Context) error) {
	l.background.Go(func() {
		if err := work(l.ctx); err != nil && !errors.Is(err, context.Canceled) {
			l.log.Warn("whatsapp: "+what, "error", redacted(err))
		}
	})
}

// sentMessage returns the message sent to a chat under id, for a device that could not decrypt it.
func (l *connection) sentMessage(_, to types.JID, id types.MessageID) *waE2E.Message {
	rooms := l.decoder.roomIDs(to)
	key, err := l.records.sentKey(l.ctx, id, rooms)
	if err != nil {
		return nil
	}
	text, err := l.host.SentText(l.ctx, key)
	if err != nil {
		l.log.Warn("whatsapp: resend a message that a device could not decrypt", "error", err)
		return nil
	}
	return compose(format(text), "", replyData{Expiration: l.records.chat(l.ctx, rooms[0]).Expiration})
}
