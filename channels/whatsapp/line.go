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
)

// line is one client of the SDK from its first connection until it is over for good; it may be cut and made again in
// between.
type line struct {
	*Channel
	ctx    context.Context
	client *whatsmeow.Client
	accept channels.Accept
	ear    ear
	// over gets the reason why the line is of no more use.
	over chan error
	// work is what goes on beside the hearing.
	work  sync.WaitGroup
	stirs chan struct{}
	// name is what the account is called; the phone tells it some time after the device was linked.
	name atomic.Pointer[string]

	// hearing keeps messages in order, even when the SDK is tired of waiting for one and goes on with the next.
	hearing sync.Mutex
	titles  map[types.JID]string
	numbers numbers
	voices  voices

	stateMu     sync.Mutex
	up, filling bool
	trouble     string
}

func newLine(ctx context.Context, c *Channel, device *store.Device, accept channels.Accept) *line {
	l := &line{
		Channel: c, ctx: ctx, client: newClient(c.opts, device), accept: accept, over: make(chan error, 1),
		stirs: make(chan struct{}, 1), titles: make(map[types.JID]string),
	}
	name := device.PushName
	l.name.Store(&name)
	l.ear = newEar(device, c.opts.Self, func() string { return *l.name.Load() }, l.otherID)
	// A message is acknowledged when its handler says that it is durable, and found again decrypted when it was not. That what
	// was decrypted is kept has it decrypted in a transaction, too: what is encrypted meanwhile takes no number twice.
	l.client.SynchronousAck = true
	l.client.EnableDecryptedEventBuffer = true
	// The SDK makes the connection, again and again if it must: there is no second loop.
	l.client.EnableAutoReconnect = true
	l.client.InitialAutoReconnect = true
	l.client.AutoReconnectHook = l.reconnecting
	l.client.GetMessageForRetry = l.sentBefore
	l.client.AddEventHandlerWithSuccessStatus(l.handle)
	return l
}

// slowest bounds the SDK's pause between attempts to connect, which grows by two seconds with each.
const slowest = time.Minute

func (l *line) reconnecting(error) bool {
	l.client.AutoReconnectErrors = min(l.client.AutoReconnectErrors, int(slowest/(2*time.Second)))
	return true
}

// handle is told everything by the SDK. It answers false for a message that is not durable, which is delivered again.
func (l *line) handle(evt any) bool {
	switch e := evt.(type) {
	case *events.Message:
		return l.hear(e)
	case *events.UndecryptableMessage:
		return l.hearUnreadable(e)
	case *events.GroupInfo:
		l.retitle(e)
	case *events.PushNameSetting:
		name := e.Action.GetName()
		l.name.Store(&name)
		l.stir()
	case *events.Receipt:
		if e.IsFromMe {
			l.notes.phoneSeen(l.ctx)
		}
	default:
		l.connection(evt)
	}
	return true
}

// connection follows how the connection stands.
func (l *line) connection(evt any) {
	switch e := evt.(type) {
	case *events.Connected:
		l.change(func() { l.up, l.trouble = true, "" })
		l.stir()
	case *events.OfflineSyncPreview:
		l.change(func() { l.filling = e.Total > 0 })
	case *events.OfflineSyncCompleted:
		l.change(func() { l.filling = false })
	case *events.Disconnected:
		l.change(func() { l.up, l.filling, l.trouble = false, false, "the connection to WhatsApp is lost" })
	case *events.KeepAliveTimeout:
		l.change(func() { l.trouble = "WhatsApp does not answer" })
	case *events.KeepAliveRestored:
		l.change(func() { l.trouble = "" })
	case *events.LoggedOut:
		l.finish(&channels.StateError{State: loggedOut(e.Reason)})
	case *events.StreamReplaced:
		l.finish(&channels.StateError{State: replaced})
	case *events.ClientOutdated:
		l.finish(&channels.StateError{State: outdated})
	case *events.TemporaryBan:
		l.finish(&ban{until: l.host.Now().Add(max(e.Expire, minBan))})
	case *events.ConnectFailure:
		l.finish(fmt.Errorf("connect to WhatsApp: it refuses with code %d", int(e.Reason)))
	}
}

// finish ends the line for that reason; the first one counts.
func (l *line) finish(reason error) {
	select {
	case l.over <- reason:
	default:
	}
}

// ended is why the line is over: what the network said, else err; nil when ctx ended it.
func (l *line) ended(ctx context.Context, err error) error {
	select {
	case reason := <-l.over:
		return reason
	default:
	}
	return unless(ctx, err)
}

// change makes a change to how the connection stands and publishes the outcome.
func (l *line) change(how func()) {
	l.stateMu.Lock()
	defer l.stateMu.Unlock()
	how()
	if l.ctx.Err() != nil {
		return
	}
	state := channels.State{Phase: channels.Connecting, Account: *l.name.Load()}
	switch {
	case l.trouble != "":
		state.Phase, state.Problem, state.NextStep = channels.Transient, l.trouble, "nothing: it connects again by itself"
	case l.filling:
		state.Phase = channels.Backfilling
	case l.up:
		state.Phase = channels.Connected
		state.Problem, state.NextStep = l.phoneAway()
	}
	l.report(state)
}

// unseen is after how long without a sign of the phone the operator is warned: after 14 days WhatsApp unlinks devices.
const unseen = 12 * 24 * time.Hour

func (l *line) phoneAway() (says, do string) {
	seen, ok := l.notes.phone(l.ctx)
	if !ok {
		l.notes.phoneSeen(l.ctx) // linked just now, with the phone
		return "", ""
	}
	return away(l.host.Now().Sub(seen))
}

// away says for the operator that there was no sign of the phone for so long, nothing while that is not alarming.
func away(d time.Duration) (says, do string) {
	if d > unseen {
		return fmt.Sprintf("there has been no sign of the phone for %d days", int(d.Hours()/24)),
			"open WhatsApp on the phone: after 14 days it unlinks this device"
	}
	return "", ""
}

// otherID is the hidden id of a number, or the number of a hidden id, empty when it is not known.
func (l *line) otherID(j types.JID) types.JID {
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
		NextStep: "stop the other one, then start this one again",
	}
	outdated = channels.State{
		Phase: channels.Refused, Problem: "WhatsApp takes no client this old any more", NextStep: "update familiar",
	}
)

const relink = "link it with `familiar channel login whatsapp`; what is remembered stays"

func loggedOut(reason events.ConnectFailureReason) channels.State {
	says := "the device was unlinked from the WhatsApp account"
	if reason == events.ConnectFailureUnknownLogout || reason == events.ConnectFailureMainDeviceGone {
		says = "WhatsApp has locked or banned the account"
	}
	return channels.State{Phase: channels.LoggedOut, Problem: says, NextStep: relink}
}

// ban is the end of a line that may be made again at a time.
type ban struct{ until time.Time }

// Error implements error.
func (b *ban) Error() string {
	return "WhatsApp has banned the account until " + b.until.Format(time.DateTime)
}

// minBan is how long a ban of unknown length is taken to last.
const minBan = time.Second

// banned is until when the account is banned, zero when it is not.
func (c *Channel) banned(ctx context.Context) time.Time {
	until, ok := c.notes.time(ctx, bannedKey)
	if !ok || !until.After(c.host.Now()) {
		return time.Time{}
	}
	return until
}

// serveBan waits until no ban is in force and says whether ctx still lives.
func (c *Channel) serveBan(ctx context.Context) bool {
	until := c.banned(ctx)
	if until.IsZero() {
		return ctx.Err() == nil
	}
	b := &ban{until: until}
	c.log.Error("whatsapp: the account is banned for a time", "until", until)
	c.report(channels.State{
		Phase: channels.Transient, Problem: b.Error(),
		NextStep: "let the account rest; write to fewer people unasked, or the next ban is for good",
	})
	return wait(ctx, until.Sub(c.host.Now()))
}

// wait waits and says whether ctx still lives.
func wait(ctx context.Context, pause time.Duration) bool {
	if pause <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// beside does work beside the hearing, until the line ends at the latest.
func (l *line) beside(what string, work func(context.Context) error) {
	l.work.Go(func() {
		if err := work(l.ctx); err != nil && !errors.Is(err, context.Canceled) {
			l.log.Warn("whatsapp: "+what, "error", redacted(err))
		}
	})
}

// sentBefore finds what was sent to a chat under id, for a device that could not read it.
func (l *line) sentBefore(_, to types.JID, id types.MessageID) *waE2E.Message {
	rooms := l.ear.rooms(to)
	key, err := l.notes.sentAs(l.ctx, id, rooms)
	if err != nil {
		return nil
	}
	text, err := l.host.SentText(l.ctx, key)
	if err != nil {
		l.log.Warn("whatsapp: say again what a device could not read", "error", err)
		return nil
	}
	return compose(format(text), "", via{Fades: l.notes.chat(l.ctx, rooms[0]).Fades})
}
