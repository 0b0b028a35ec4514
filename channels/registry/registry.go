// Package registry defines how a channel describes itself to the rest of the program: its configuration section, its
// constructor and its doctor checks. Every channel exports one Registration, and package all lists them.
package registry

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"familiar/channels"
	"familiar/internal/settings"
)

// Definition describes one channel. S is the struct of the channel's own settings, with yaml tags. Name, ServedBy,
// Template and New are required.
type Definition[S any] struct {
	// Name is the channel's stable name: the Channel part of its rooms and handles, and its key in familiar.yaml.
	Name string
	// Defaults holds the default values of the channel's own settings. Settings that all channels share, such as direct
	// and attachments, are added by package config.
	Defaults S
	// ServedBy is the key of the setting that enables the channel: a settings.Secret that is set, or a bool that is true.
	ServedBy string
	// Template is the section as `familiar init` writes it. It lists every setting, including the shared ones, commented
	// out at its default.
	Template string
	// AccountID is a regular expression for account ids in the configuration. Empty accepts any.
	AccountID string
	// Group returns an error that says what to write if id, from the configuration, is not the id of a group. Nil accepts any.
	Group func(id string) error
	// ProactiveWithin is how recently a person must have written for the persona to write to them first, 0 for no limit.
	ProactiveWithin time.Duration
	// Keys are the files and directories in the home that hold the keys of a linked account. Backups mark them as credentials.
	Keys []string
	// Forget deletes what the files of the channel in a home hold about people whose account is erased. The channel may be
	// running. Nil if there are no such files.
	Forget func(ctx context.Context, home string, erased func(account string) bool) error
	// Validate reports invalid settings when the file is read.
	Validate func(s S, problem settings.Problem)
	// Review returns doctor findings about the settings alone. It makes no network calls.
	Review func(s S, in Setup) []Finding
	// Check asks the network about problems and changes nothing. Another process may be serving the channel at the same
	// time. Setup.Host has only Report, Now, Jitter and Store. Store is nil if there is no database yet, and Check must
	// only read from it. A *channels.StateError means that the network refuses; any other error, that it could not be
	// reached.
	Check func(ctx context.Context, s S, in Setup) ([]Finding, error)
	// New makes the channel without network calls. A channel whose account is linked by hand implements channels.Loginer.
	New func(ctx context.Context, s S, in Setup) (channels.Channel, error)
}

// Setup is what a channel receives in addition to its own settings.
type Setup struct {
	Host channels.Host
	Log  *slog.Logger
	// Listens reports whether some group is configured to be received when the persona is not addressed.
	Listens bool
	// Dir is the home directory. A file that the channel keeps there is named after the channel.
	Dir string
	// Web is the configured address at which other programs reach the serving process, empty for none.
	Web string
	// HTTP is the client to use, nil for the channel's own.
	HTTP *http.Client
}

// Severity is the importance of a Finding.
type Severity string

// The severities. A Problem stops something from working.
const (
	OK      Severity = "ok"
	Warning Severity = "warning"
	Problem Severity = "problem"
)

// Finding is one result of a doctor check. It contains no secrets.
type Finding struct {
	Severity Severity
	Text     string
	// NextStep says what the operator can do, empty if there is nothing to do.
	NextStep string
}

// ConnectedAs is the finding for a working network on which the persona has this account.
func ConnectedAs(account string) Finding {
	return Finding{Severity: OK, Text: "connected as " + account}
}

// Registration is a Definition whose settings type is hidden, so that channels can be listed together. The functions are
// never nil. They take the settings as own, a pointer of the type that Section.New returns.
type Registration struct {
	Section         settings.Section
	AccountID       string
	ProactiveWithin time.Duration
	Keys            []string
	Forget          func(ctx context.Context, home string, erased func(account string) bool) error
	Review          func(own any, in Setup) []Finding
	Check           func(ctx context.Context, own any, in Setup) ([]Finding, error)
	New             func(ctx context.Context, own any, in Setup) (channels.Channel, error)
}

// Registration returns d without its settings type.
func (d Definition[S]) Registration() Registration {
	return Registration{
		Section: settings.Section{
			Name: d.Name, ServedBy: d.ServedBy, Template: d.Template, Group: d.Group,
			New: func() any { s := d.Defaults; return &s },
			Validate: func(own any, problem settings.Problem) {
				if d.Validate != nil {
					d.Validate(*own.(*S), problem)
				}
			},
		},
		AccountID: d.AccountID, ProactiveWithin: d.ProactiveWithin, Keys: d.Keys,
		Forget: func(ctx context.Context, home string, erased func(account string) bool) error {
			if d.Forget == nil {
				return nil
			}
			return d.Forget(ctx, home, erased)
		},
		Review: func(own any, in Setup) []Finding {
			if d.Review == nil {
				return nil
			}
			return d.Review(*own.(*S), in)
		},
		Check: func(ctx context.Context, own any, in Setup) ([]Finding, error) {
			if d.Check == nil {
				return nil, nil
			}
			return d.Check(ctx, *own.(*S), in)
		},
		New: func(ctx context.Context, own any, in Setup) (channels.Channel, error) {
			return d.New(ctx, *own.(*S), in)
		},
	}
}

// Name returns the channel's stable name.
func (r Registration) Name() string { return r.Section.Name }
