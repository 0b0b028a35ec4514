//go:build nowhatsapp

package all

import (
	"context"
	"errors"

	"familiar/channels"
	"familiar/channels/registry"
	"familiar/internal/settings"
)

// withoutWhatsApp are the settings of the channel that this build leaves out. They are read so that a configuration that
// enables it is refused with the reason, and one that only mentions it still loads.
type withoutWhatsApp struct {
	Enabled      bool `yaml:"enabled"`
	ReadReceipts bool `yaml:"read_receipts"`
	Self         bool `yaml:"self"`
}

const noWhatsApp = "this program was built without WhatsApp (build tag nowhatsapp): build it without the tag, or set this to false"

var whatsApp = registry.Definition[withoutWhatsApp]{
	Name: "whatsapp", ServedBy: "enabled", Keys: []string{"whatsapp", "whatsapp.db"}, // left by another build, and still backed up
	Validate: func(s withoutWhatsApp, problem settings.Problem) {
		if s.Enabled {
			problem("enabled", noWhatsApp)
		}
	},
	New: func(context.Context, withoutWhatsApp, registry.Setup) (channels.Channel, error) {
		return nil, errors.New(noWhatsApp)
	},
}.Registration()
