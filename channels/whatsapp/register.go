package whatsapp

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"time"

	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
	"familiar/channels/registry"
)

//go:embed settings.yaml
var template string

// Settings are the channel's own settings in familiar.yaml.
type Settings struct {
	Enabled bool `yaml:"enabled"`
	// ReadReceipts shows people that their messages were read.
	ReadReceipts bool `yaml:"read_receipts"`
	// Self accepts messages that the account's owner writes to themselves.
	Self bool `yaml:"self"`
}

// proactiveWithin is how recently a person must have written for the persona to write first. WhatsApp bans accounts that
// write to people who do not write to them.
const proactiveWithin = 7 * 24 * time.Hour

// Registration describes the channel to the rest of the program; see registry.Definition.
var Registration = registry.Definition[Settings]{
	Name:            "whatsapp",
	Keys:            []string{"whatsapp", "whatsapp.db"}, // the directory, and the file of earlier versions
	Forget:          forgetPeople,
	ServedBy:        "enabled",
	Template:        template,
	AccountID:       `^(?:\+[0-9]+|[^@\s]+@[a-z.]+)$`,
	Group:           checkGroup,
	ProactiveWithin: proactiveWithin,
	Check:           check,
	New: func(ctx context.Context, s Settings, in registry.Setup) (channels.Channel, error) {
		o := options(s, in)
		c, err := New(ctx, o)
		if err != nil {
			return nil, err
		}
		return &account{c, o}, nil
	},
}.Registration()

// checkGroup returns an error if id is not the id of a group. Without its suffix an id would match no group.
func checkGroup(id string) error {
	if j, ok := chatOf(id); ok && j.Server == types.GroupServer {
		return nil
	}
	if groupDigits.MatchString(id) {
		return fmt.Errorf("lacks the end of a WhatsApp group's id: write %q", id+"@"+types.GroupServer)
	}
	return errors.New("is not the id of a WhatsApp group: write it as `familiar channel unheard` shows it, such as \"120363040000000000@g.us\"")
}

// groupDigits matches the id of a group without its suffix. Old groups are named by their founder's number and a time.
var groupDigits = regexp.MustCompile(`^[0-9]+(?:-[0-9]+)?$`)

// options returns the options of a channel with its session in the home directory.
func options(s Settings, in registry.Setup) Options {
	return Options{
		Database: filepath.Join(in.Dir, "whatsapp", "session.db"), Former: filepath.Join(in.Dir, "whatsapp.db"), ReadReceipts: s.ReadReceipts, Self: s.Self,
		Host: in.Host, Log: in.Log, HTTP: in.HTTP,
	}
}

// account adds channels.Loginer to a Channel.
type account struct {
	*Channel
	options Options
}

// Login shows codes until the account is linked.
func (a *account) Login(ctx context.Context, phone string, show func(text string)) error {
	return Login(ctx, a.options, LoginOptions{Phone: phone, Show: func(c Code) {
		if c.PairingCode != "" {
			show(fmt.Sprintf("On the phone: Linked devices, Link a device, Link with phone number instead. The code, good for %.0f s:\n\n    %s\n",
				c.Valid.Seconds(), c.PairingCode))
			return
		}
		show(fmt.Sprintf("On the phone: Linked devices, Link a device. Scan this within %.0f s; another follows:\n\n%s", c.Valid.Seconds(), c.QR))
	}})
}

// Logout unlinks the account.
func (a *account) Logout(ctx context.Context) error { return Logout(ctx, a.options) }

// check inspects the linked device. It does not connect: that would end the session of the process that serves the channel.
func check(ctx context.Context, s Settings, in registry.Setup) (found []registry.Finding, _ error) {
	o := options(s, in)
	status, err := CheckLink(ctx, o)
	if err != nil {
		return nil, err
	}
	if status.Exposed {
		found = append(found, registry.Finding{
			Severity: registry.Warning, Text: "others on this machine can read " + o.existing() + " and could act as the persona",
			NextStep: "chmod 600 " + o.existing(),
		})
	}
	link := registry.Finding{Severity: registry.OK, Text: "an account is linked"}
	switch {
	case !status.Linked:
		link = registry.Finding{Severity: registry.Problem, Text: status.Problem, NextStep: status.NextStep}
	case status.Problem != "":
		link = registry.Finding{Severity: registry.Warning, Text: status.Problem, NextStep: status.NextStep}
	}
	return append(found, link), nil
}
