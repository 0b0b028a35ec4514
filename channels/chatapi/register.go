package chatapi

import (
	"context"
	_ "embed"

	"familiar/channels"
	"familiar/channels/registry"
)

//go:embed settings.yaml
var template string

// Settings are the channel's own settings in familiar.yaml.
type Settings struct {
	// Serve enables the channel.
	Serve bool `yaml:"serve"`
	// WholeReplies streams a reply in one piece once it is complete.
	WholeReplies bool `yaml:"whole_replies"`
}

// Registration describes the channel to the rest of the program; see registry.Definition.
var Registration = registry.Definition[Settings]{
	Name: name, ServedBy: "serve", Template: template,
	Review: func(_ Settings, in registry.Setup) []registry.Finding {
		if in.Web == "" {
			return []registry.Finding{{
				Severity: registry.Warning, Text: "channels.chatapi.serve is true, but no program can connect: http.listen is not set",
				NextStep: "set http.listen, for example to 127.0.0.1:8484, or start `familiar run --http ADDRESS`",
			}}
		}
		return []registry.Finding{{
			Severity: registry.OK, Text: "programs talk to the persona at " + completionsPath + " of http.listen, with a token of `familiar token create`",
		}}
	},
	New: func(_ context.Context, s Settings, in registry.Setup) (channels.Channel, error) {
		return New(Options{Host: in.Host, WholeReplies: s.WholeReplies, Log: in.Log}), nil
	},
}.Registration()
