package config

import "familiar/internal/settings"

// Use is whether a model is asked for something that not every model can.
type Use string

// UseAuto asks for it until the model refuses, UseOn asks each time, UseOff does not ask.
const (
	UseAuto Use = "auto"
	UseOn   Use = "on"
	UseOff  Use = "off"
)

// UnmarshalText parses auto, on or off.
func (u *Use) UnmarshalText(text []byte) error {
	return settings.Choose(u, text, UseAuto, UseOn, UseOff)
}
