package whatsapp

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"time"

	"familiar/channels"
	"familiar/channels/registry"
)

//go:embed settings.yaml
var template string

// Settings are the channel's own in familiar.yaml.
type Settings struct {
	Enabled bool `yaml:"enabled"`
	// ReadReceipts shows people that their messages were read.
	ReadReceipts bool `yaml:"read_receipts"`
	// Self hears what the account's owner writes to themselves.
	Self bool `yaml:"self"`
}

// unaskedWithin is how recently somebody must have written to be written to unasked: WhatsApp bans accounts that write to
// people who do not write to them.
const unaskedWithin = 7 * 24 * time.Hour

// Registration describes the channel to the rest of the program.
var Registration = registry.Definition[Settings]{
	Name:          "whatsapp",
	ServedBy:      "enabled",
	Template:      template,
	AccountID:     `^(?:\+[0-9]+|[^@\s]+@[a-z.]+)$`,
	UnaskedWithin: unaskedWithin,
	Check:         check,
	New: func(ctx context.Context, s Settings, in registry.Setup) (channels.Channel, error) {
		o := options(s, in)
		c, err := New(ctx, o)
		if err != nil {
			return nil, err
		}
		return &account{c, o}, nil
	},
}.Registration()

// options are those of a channel whose session is a file in the installation's directory.
func options(s Settings, in registry.Setup) Options {
	return Options{
		Database: filepath.Join(in.Dir, "whatsapp.db"), ReadReceipts: s.ReadReceipts, Self: s.Self,
		Host: in.Host, Log: in.Log, HTTP: in.HTTP,
	}
}

// account is the channel as a channels.Loginer.
type account struct {
	*Channel
	options Options
}

// Login shows codes until the account is linked.
func (a *account) Login(ctx context.Context, phone string, show func(text string)) error {
	return Login(ctx, a.options, LoginOptions{Phone: phone, Show: func(c Code) {
		if c.Typed != "" {
			show(fmt.Sprintf("On the phone: Linked devices, Link a device, Link with phone number instead. The code, good for %.0f s:\n\n    %s\n",
				c.Valid.Seconds(), c.Typed))
			return
		}
		show(fmt.Sprintf("On the phone: Linked devices, Link a device. Scan this within %.0f s; another follows:\n\n%s", c.Valid.Seconds(), c.QR))
	}})
}

// Logout unlinks the account.
func (a *account) Logout(ctx context.Context) error { return Logout(ctx, a.options) }

// check looks at the link. It does not ask the network: that would take the session from the process that serves it.
func check(ctx context.Context, s Settings, in registry.Setup) (found []registry.Finding, _ error) {
	o := options(s, in)
	status, err := CheckLink(ctx, o)
	if err != nil {
		return nil, err
	}
	if status.Exposed {
		found = append(found, registry.Finding{
			Severity: registry.Warning, Says: "others on this machine can read " + o.Database + ", and whoever can is the persona there",
			Do: "chmod 600 " + o.Database,
		})
	}
	link := registry.Finding{Severity: registry.OK, Says: "an account is linked"}
	switch {
	case !status.Linked:
		link = registry.Finding{Severity: registry.Problem, Says: status.Problem, Do: status.NextStep}
	case status.Problem != "":
		link = registry.Finding{Severity: registry.Warning, Says: status.Problem, Do: status.NextStep}
	}
	return append(found, link), nil
}
