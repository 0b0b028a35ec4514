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

// LoginOptions say how a device is linked.
type LoginOptions struct {
	// Phone is the number of the account in international form, to link by typing a code into it; empty for QR codes.
	Phone string
	// Show shows a code to whoever holds the phone. It is called again whenever the last one is of no more use.
	Show func(Code)
}

// Code is what to scan or to type. It links a device to the account: it belongs on a screen and nowhere else.
type Code struct {
	// QR is a QR code drawn with block characters, empty when there is a code to type; Link is what it says.
	QR, Link string
	// Typed is the code to type into the phone under "Link with phone number instead", like "ABCD-EFGH".
	Typed string
	// Valid is how long it can be used.
	Valid time.Duration
}

// How long the network waits for a code to be typed, and for each QR code to be scanned: 160 seconds with all of them.
const (
	phoneValid = 160 * time.Second
	firstValid = 60 * time.Second
	nextValid  = 20 * time.Second
)

// settling is how long a device that was linked may take to come online for the first time.
const settling = 60 * time.Second

var errExpired = errors.New("nobody used the code in time")

// Login links a device to an account and returns once that is done. Codes that nobody uses are followed by new ones
// until ctx ends. Only Database, HTTP, Log and Host.Report of the options are used: it reports how the channel stands now.
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
		o.Host.Report(channels.State{Phase: channels.Connecting}) // by whoever runs it next; it is logged out no more
	}
	return errors.Join(err, s.close())
}

// login is one attempt, which lasts as long as the codes the network gives at once.
func login(ctx context.Context, o Options, s *session, how LoginOptions) error {
	device, err := s.container.GetFirstDevice(ctx)
	if err != nil {
		return err
	}
	if device.ID != nil {
		return errors.New("one is linked already: log out first")
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
	if err := p.follow(ctx, how); err != nil {
		return err
	}
	late := time.NewTimer(settling)
	defer late.Stop()
	select {
	case <-p.connected:
	case <-late.C: // linked all the same; the rest is done when it runs
	case <-ctx.Done():
	}
	return nil
}

// pairing is the linking of one device.
type pairing struct {
	client    *whatsmeow.Client
	offered   chan []string // the codes to show, one after the other
	linked    chan error    // how it went
	connected chan struct{} // the linked device is online
}

func (p *pairing) handle(evt any) {
	switch e := evt.(type) {
	case *events.QR:
		offer(p.offered, e.Codes)
	case *events.PairSuccess:
		offer(p.linked, nil)
	case *events.PairError:
		offer(p.linked, e.Error)
	case *events.Connected:
		offer(p.connected, struct{}{})
	case *events.Disconnected:
		offer(p.linked, errExpired)
	case *events.ClientOutdated:
		offer(p.linked, error(&channels.StateError{State: outdated}))
	case *events.ConnectFailure:
		offer(p.linked, fmt.Errorf("WhatsApp refuses with code %d", int(e.Reason)))
	case *events.PairPasskeyRequest:
		offer(p.linked, errors.New("the account wants a passkey, which needs a browser: turn it off on the phone while linking"))
	}
}

// offer sends v unless somebody did before.
func offer[T any](to chan<- T, v T) {
	select {
	case to <- v:
	default:
	}
}

// follow shows codes until the device is linked.
func (p *pairing) follow(ctx context.Context, how LoginOptions) error {
	var codes []string
	select {
	case codes = <-p.offered:
	case err := <-p.linked:
		if errors.Is(err, errExpired) {
			return errors.New("WhatsApp hung up before it gave a code: try again later")
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
	if how.Phone != "" {
		typed, err := p.client.PairPhone(ctx, how.Phone, true, whatsmeow.PairClientChrome, "Chrome (Linux)")
		if err != nil {
			return fmt.Errorf("ask for a code to type: %w", err)
		}
		return p.show(ctx, how, Code{Typed: typed, Valid: phoneValid})
	}
	valid := firstValid
	for _, code := range codes {
		if err := p.show(ctx, how, Code{QR: blocks(code), Link: code, Valid: valid}); !errors.Is(err, errUnused) {
			return err
		}
		valid = nextValid
	}
	return errExpired
}

// errUnused is an end that only the code came to.
var errUnused = fmt.Errorf("%w: the next one is due", errExpired)

// show shows one code and waits until it was used or is of no more use.
func (p *pairing) show(ctx context.Context, how LoginOptions, c Code) error {
	how.Show(c)
	due := time.NewTimer(c.Valid)
	defer due.Stop()
	select {
	case err := <-p.linked:
		return err
	case <-due.C:
		return errUnused
	case <-ctx.Done():
		return ctx.Err()
	}
}

// blocks is a QR code of two rows in each line of text.
func blocks(code string) string {
	var b strings.Builder
	qrterminal.GenerateHalfBlock(code, qrterminal.L, &b)
	return b.String()
}

// Logout takes the device off the account, forgets its keys and reports that. It uses the same options as Login.
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
		return errors.New("none is linked")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	client := newClient(o, device)
	client.BackgroundEventCtx = ctx
	// Nothing is heard here: what arrives is left for the network to deliver again, until there is nobody to deliver to.
	client.SynchronousAck = true
	said := make(chan error, 1)
	client.AddEventHandlerWithSuccessStatus(func(evt any) bool {
		switch e := evt.(type) {
		case *events.Message:
			return false
		case *events.Connected:
			offer(said, nil)
		case *events.LoggedOut:
			offer(said, nil)
		case *events.ConnectFailure:
			offer(said, fmt.Errorf("it refuses with code %d", int(e.Reason)))
		case *events.TemporaryBan, *events.ClientOutdated:
			offer(said, errors.New("it does not let this device in: unlink it on the phone, under Linked devices"))
		}
		return true
	})
	if err := client.ConnectContext(ctx); err != nil {
		return fmt.Errorf("%w; it can be unlinked on the phone, under Linked devices", err)
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
