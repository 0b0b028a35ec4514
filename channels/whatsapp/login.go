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

// phoneValid is how long the network waits for a code to be typed.
const phoneValid = 160 * time.Second

// settling is how long a device that was linked may take to come online for the first time.
const settling = 60 * time.Second

var errExpired = errors.New("nobody used the code in time")

// Login links a device to an account and returns once that is done. Codes that nobody uses are followed by new ones
// until ctx ends. Only Database, HTTP and Log of the options are used.
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
	connected := make(chan struct{}, 1)
	client.AddEventHandler(func(evt any) {
		if _, ok := evt.(*events.Connected); ok {
			select {
			case connected <- struct{}{}:
			default:
			}
		}
	})
	news, err := client.GetQRChannel(ctx)
	if err != nil {
		return err
	}
	defer client.Disconnect()
	if err := client.ConnectContext(ctx); err != nil {
		return err
	}
	if err := follow(ctx, client, news, how); err != nil {
		return err
	}
	late := time.NewTimer(settling)
	defer late.Stop()
	select {
	case <-connected:
	case <-late.C: // linked all the same; the rest is done when it runs
	case <-ctx.Done():
	}
	return nil
}

// follow shows codes until the device is linked.
func follow(ctx context.Context, client *whatsmeow.Client, news <-chan whatsmeow.QRChannelItem, how LoginOptions) error {
	asked := false
	for item := range news {
		switch item.Event {
		case whatsmeow.QRChannelEventCode:
			if how.Phone == "" {
				how.Show(Code{QR: blocks(item.Code), Link: item.Code, Valid: item.Timeout})
				continue
			}
			if asked {
				continue
			}
			typed, err := client.PairPhone(ctx, how.Phone, true, whatsmeow.PairClientChrome, "Chrome (Linux)")
			if err != nil {
				return fmt.Errorf("ask for a code to type: %w", err)
			}
			asked = true
			how.Show(Code{Typed: typed, Valid: phoneValid})
		case whatsmeow.QRChannelSuccess.Event:
			return nil
		case whatsmeow.QRChannelTimeout.Event:
			return errExpired
		case whatsmeow.QRChannelClientOutdated.Event:
			return &channels.StateError{State: outdated}
		case whatsmeow.QRChannelEventError:
			return item.Error
		default:
			return fmt.Errorf("the phone asks for something unexpected (%s): try again, or link by QR code", item.Event)
		}
	}
	return ctx.Err()
}

// blocks is a QR code of two rows in each line of text.
func blocks(code string) string {
	var b strings.Builder
	qrterminal.GenerateHalfBlock(code, qrterminal.L, &b)
	return b.String()
}

// Logout takes the device off the account and forgets its keys.
func Logout(ctx context.Context, o Options) error {
	s, err := openSession(ctx, o)
	if err != nil {
		return err
	}
	if err = logout(ctx, o, s); err != nil {
		err = fmt.Errorf("unlink the device from the WhatsApp account: %w", redacted(err))
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
	tell := func(err error) {
		select {
		case said <- err:
		default:
		}
	}
	client.AddEventHandlerWithSuccessStatus(func(evt any) bool {
		switch e := evt.(type) {
		case *events.Message:
			return false
		case *events.Connected:
			tell(nil)
		case *events.LoggedOut:
			tell(nil)
		case *events.ConnectFailure:
			tell(fmt.Errorf("it refuses with code %d", int(e.Reason)))
		case *events.TemporaryBan, *events.ClientOutdated:
			tell(errors.New("it does not let this device in: unlink it on the phone, under Linked devices"))
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
