// Package registry is how a channel describes itself to the rest of the program: its section of the configuration, how it
// is made and what the doctor can check. A channel exports one Registration; package all lists them.
package registry

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"familiar/channels"
	"familiar/internal/settings"
)

// Definition describes one channel whose own settings are an S: a struct with yaml tags. Only Name, ServedBy, Template and
// New are needed.
type Definition[S any] struct {
	// Name is the channel's stable name: the Channel part of its rooms and handles, and its key in familiar.yaml.
	Name string
	// Defaults are the channel's own settings where the file gives none. What all channels share (who is heard,
	// attachments) is not declared here.
	Defaults S
	// ServedBy is the key of the setting that has the channel served: a settings.Secret or a bool.
	ServedBy string
	// Template is the section as `familiar init` writes it: every setting, shared ones included, commented out at its
	// default.
	Template string
	// AccountID is a regular expression for the ids of accounts as the operator lists them; empty takes any.
	AccountID string
	// UnaskedWithin is how recently somebody must have written there to be written to unasked, 0 for however long ago.
	UnaskedWithin time.Duration
	// Validate reports what is wrong with the settings while the file is read.
	Validate func(s S, problem settings.Problem)
	// Review tells the doctor what is unwise about the settings; it asks no network.
	Review func(s S, in Setup) []Finding
	// Check asks the network what keeps the channel from working, and changes nothing. It is called for a channel that may
	// be served by another process at the same time; only Now, Jitter and Report of the Host are there, and Shelf where there is a memory; it only reads. A
	// *channels.StateError says that the network refuses, any other error that it could not be asked.
	Check func(ctx context.Context, s S, in Setup) ([]Finding, error)
	// New makes the channel and asks the network nothing yet. What has an account to link by hand is a channels.Loginer.
	New func(ctx context.Context, s S, in Setup) (channels.Channel, error)
}

// Setup is what a channel is made from beside its own settings.
type Setup struct {
	Host channels.Host
	Log  *slog.Logger
	// Listens says that some group is configured to be heard where the persona is not addressed.
	Listens bool
	// Dir is the directory of the installation. A file of the channel's there is named after the channel.
	Dir string
	// HTTP reaches the network, nil for a client of the channel's own.
	HTTP *http.Client
}

// Severity says how bad a Finding is.
type Severity string

// The severities: what is unwise is a warning, what keeps something from working a problem.
const (
	OK      Severity = "ok"
	Warning Severity = "warning"
	Problem Severity = "problem"
)

// Finding is one thing the doctor has to say about a channel. It holds no secret.
type Finding struct {
	Severity Severity
	// Says is what was found, Do what the operator can do about it.
	Says, Do string
}

// Is says who the persona is on a network that works.
func Is(account string) Finding { return Finding{Severity: OK, Says: "it is " + account + " there"} }

// Registration is a channel as the rest of the program knows it: a Definition without the type of its settings. What its
// functions take as own is a pointer as Section.New returns it; none of them is nil.
type Registration struct {
	Section       settings.Section
	AccountID     string
	UnaskedWithin time.Duration
	Review        func(own any, in Setup) []Finding
	Check         func(ctx context.Context, own any, in Setup) ([]Finding, error)
	New           func(ctx context.Context, own any, in Setup) (channels.Channel, error)
}

// Registration is the channel d describes.
func (d Definition[S]) Registration() Registration {
	return Registration{
		Section: settings.Section{
			Name: d.Name, ServedBy: d.ServedBy, Template: d.Template,
			New: func() any { s := d.Defaults; return &s },
			Validate: func(own any, problem settings.Problem) {
				if d.Validate != nil {
					d.Validate(*own.(*S), problem)
				}
			},
		},
		AccountID: d.AccountID, UnaskedWithin: d.UnaskedWithin,
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

// Name is the channel's stable name.
func (r Registration) Name() string { return r.Section.Name }
