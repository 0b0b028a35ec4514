package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mdp/qrterminal/v3"
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types/events"

	"familiar/channels"
)

// LoginOptions says how a device is linked.
type LoginOptions struct {
	// Phone is the account's number in international form, to link by typing a code on the phone; empty for QR codes.
	Phone string
	// Show displays a code to the phone's owner. It is called again whenever the last code expires.
	Show func(Code)
}

// Code is a code to scan or to type. It links a device to the account, so it must appear only on the screen.
type Code struct {
	// QR is a QR code drawn with block characters, empty if there is a code to type. Link is its content.
	QR, Link string
	// PairingCode is the code to type on the phone under "Link with phone number instead", such as "ABCD-EFGH".
	PairingCode string
	// Valid is how long the code can be used.
	Valid time.Duration
}

// How long the network waits for a code to be typed, and for each QR code to be scanned: 160 seconds in total.
const (
	phoneValid = 160 * time.Second
	firstValid = 60 * time.Second
	nextValid  = 20 * time.Second
)

// onlineTimeout is how long a newly linked device may take to come online.
const onlineTimeout = 60 * time.Second

var errExpired = errors.New("nobody used the code in time")

// Login links a device to an account and returns when that is done. Expired codes are followed by new ones until ctx
// ends. It uses only Database, HTTP, Log and Host.Report of the options, and reports the channel's new state.
func Login(ctx context.Context, o Options, how LoginOptions) error {
	s, err := openSession(ctx, o)
	if err != nil {
		return err
	}
	for err = errExpired; errors.Is(err, errExpired) && ctx.Err() == nil; {
		err = login(ctx, o, s, how)
	}
	if errors.Is(err, errExpired) {
		err = ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("link a device to the WhatsApp account: %w", redacted(err))
	} else {
		o.Host.Report(channels.State{Phase: channels.Connecting}) // the next Run connects; the account is no longer logged out
	}
	return errors.Join(err, s.close())
}

// login is one attempt. It lasts as long as one set of codes from the network.
func login(ctx context.Context, o Options, s *session, how LoginOptions) error {
	device, err := s.container.GetFirstDevice(ctx)
	if err != nil {
		return err
	}
	if device.ID != nil {
		return errors.New("a device is already linked: log out first")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	client := newClient(o, device)
	client.BackgroundEventCtx = ctx
	p := &pairing{client: client, offered: make(chan []string, 1), linked: make(chan error, 1), connected: make(chan struct{}, 1)}
	client.AddEventHandler(p.handle)
	defer client.Disconnect()
	if err := client.ConnectContext(ctx); err != nil {
		return err
	}
	if err := p.showCodes(ctx, how); err != nil {
		return err
	}
	late := time.NewTimer(onlineTimeout)
	defer late.Stop()
	select {
	case <-p.connected:
	case <-late.C: // linked anyway; Run does the rest
	case <-ctx.Done():
	}
	return nil
}

// pairing tracks the linking of one device.
type pairing struct {
	client    *whatsmeow.Client
	offered   chan []string // the codes to show, in order
	linked    chan error    // the outcome
	connected chan struct{} // the linked device is online
}

func (p *pairing) handle(evt any) {
	switch e := evt.(type) {
	case *events.QR:
		trySend(p.offered, e.Codes)
	case *events.PairSuccess:
		trySend(p.linked, nil)
	case *events.PairError:
		trySend(p.linked, e.Error)
	case *events.Connected:
		trySend(p.connected, struct{}{})
	case *events.Disconnected:
		trySend(p.linked, errExpired)
	case *events.ClientOutdated:
		trySend(p.linked, error(&channels.StateError{State: outdated}))
	case *events.ConnectFailure:
		trySend(p.linked, fmt.Errorf("WhatsApp refused with code %d", int(e.Reason)))
	case *events.PairPasskeyRequest:
		trySend(p.linked, errors.New("the account requires a passkey, which needs a browser: turn it off on the phone while linking"))
	}
}

// trySend sends v unless something was sent before.
func trySend[T any](to chan<- T, v T) {
	select {
	case to <- v:
	default:
	}
}

// showCodes shows codes until the device is linked.
func (p *pairing) showCodes(ctx context.Context, how LoginOptions) error {
	var codes []string
	select {
	case codes = <-p.offered:
	case err := <-p.linked:
		if errors.Is(err, errExpired) {
			return errors.New("WhatsApp closed the connection before it sent a code: try again later")
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
	if how.Phone != "" {
		typed, err := p.client.PairPhone(ctx, how.Phone, true, whatsmeow.PairClientChrome, "Chrome (Linux)")
		if err != nil {
			return fmt.Errorf("request a pairing code: %w", err)
		}
		return p.show(ctx, how, Code{PairingCode: typed, Valid: phoneValid})
	}
	valid := firstValid
	for _, code := range codes {
		if err := p.show(ctx, how, Code{QR: qrBlocks(code), Link: code, Valid: valid}); !errors.Is(err, errNextCode) {
			return err
		}
		valid = nextValid
	}
	return errExpired
}

// errNextCode reports that only the current code expired.
var errNextCode = fmt.Errorf("%w: the next one follows", errExpired)

// show shows one code and waits until it is used or expires.
func (p *pairing) show(ctx context.Context, how LoginOptions, c Code) error {
	how.Show(c)
	due := time.NewTimer(c.Valid)
	defer due.Stop()
	select {
	case err := <-p.linked:
		return err
	case <-due.C:
		return errNextCode
	case <-ctx.Done():
		return ctx.Err()
	}
}

// qrBlocks draws a QR code, two rows per line of text.
func qrBlocks(code string) string {
	var b strings.Builder
	qrterminal.GenerateHalfBlock(code, qrterminal.L, &b)
	return b.String()
}

// Logout unlinks the device from the account, deletes its keys and reports the new state. It takes the same options as
// Login.
func Logout(ctx context.Context, o Options) error {
	s, err := openSession(ctx, o)
	if err != nil {
		return err
	}
	if err = logout(ctx, o, s); err != nil {
		err = fmt.Errorf("unlink the device from the WhatsApp account: %w", redacted(err))
	} else {
		o.Host.Report(notLinked)
	}
	return errors.Join(err, s.close())
}

func logout(ctx context.Context, o Options, s *session) error {
	device, err := s.container.GetFirstDevice(ctx)
	if err != nil {
		return err
	}
	if device.ID == nil {
		return errors.New("no device is linked")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	client := newClient(o, device)
	client.BackgroundEventCtx = ctx
	// Messages are not handled here: anything that arrives stays unacknowledged, so that the network keeps it.
	client.SynchronousAck = true
	said := make(chan error, 1)
	client.AddEventHandlerWithSuccessStatus(func(evt any) bool {
		switch e := evt.(type) {
		case *events.Message:
			return false
		case *events.Connected:
			trySend(said, nil)
		case *events.LoggedOut:
			trySend(said, nil)
		case *events.ConnectFailure:
			trySend(said, fmt.Errorf("refused with code %d", int(e.Reason)))
		case *events.TemporaryBan, *events.ClientOutdated:
			trySend(said, errors.New("WhatsApp rejects this device: unlink it on the phone, under Linked devices"))
		}
		return true
	})
	if err := client.ConnectContext(ctx); err != nil {
		return fmt.Errorf("%w; you can unlink it on the phone, under Linked devices", err)
	}
	defer client.Disconnect()
	select {
	case err := <-said:
		if err != nil || device.Deleted {
			return err
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	return client.Logout(ctx)
}
