package config

import (
	"slices"
	"strings"

	"familiar/internal/strictyaml"
)

// PersonaSettings are what differs for one persona: its models, and where it is found. A persona for which the file says
// where it is found is served, beside the one of Config.Persona.
type PersonaSettings struct {
	Model Model `yaml:"model"`
	// Rooms are the rooms in which it answers, as CHANNEL/ID or CHANNEL/ID/THREAD. Servers are those of Discord, as
	// discord/ID, Channels names of networks. The narrowest claim on a room wins.
	Rooms    []string `yaml:"rooms"`
	Servers  []string `yaml:"servers"`
	Channels []string `yaml:"channels"`
	// Voice is the voice that it speaks with, "" for that of Speech.Speak.
	Voice string `yaml:"voice"`
	// Mentions makes it hear all groups, and answer where its name is called.
	Mentions bool `yaml:"mentions"`
	// Selectable lets people switch their direct room to it.
	Selectable bool `yaml:"selectable"`
	// Tools are its gates where they differ from Config.Tools.
	Tools Gates `yaml:"tools"`
}

// Found reports whether the persona can be found anywhere.
func (p PersonaSettings) Found() bool {
	return len(p.Rooms)+len(p.Servers)+len(p.Channels) > 0 || p.Mentions || p.Selectable
}

// Personas are the settings of single personas by their key.
type Personas struct {
	strictyaml.Map[PersonaSettings]
}

// Mentions reports whether a persona answers where its name is called.
func (p Personas) Mentions() bool {
	return slices.ContainsFunc(p.Map, func(e strictyaml.Entry[PersonaSettings]) bool { return e.Value.Mentions })
}

// Served returns the keys of the personas that are served, that of Config.Persona first.
func (c *Config) Served() []string {
	keys := []string{c.Persona}
	if c.OnlyPersona {
		return keys
	}
	for _, p := range c.Personas.Map {
		if p.Value.Found() && p.Name != c.Persona {
			keys = append(keys, p.Name)
		}
	}
	return keys
}

// PersonaSettings returns the settings of a persona, the zero value if the file has none.
func (c *Config) PersonaSettings(key string) PersonaSettings {
	for _, p := range c.Personas.Map {
		if p.Name == key {
			return p.Value
		}
	}
	return PersonaSettings{}
}

// maxServed is how many personas one process serves at most: each has jobs of its own.
const maxServed = 100

// terminal is the name of the channel that has no section of its own.
const terminal = "console"

// validatePersonas reports claims that no router could follow.
func (c *Config) validatePersonas() {
	if n := len(c.Served()); n > maxServed {
		c.doc.Problemf("personas", "serves %d personas: one process serves at most %d; use another home for the others", n, maxServed)
	}
	claimed := map[string]string{}
	for _, p := range c.Personas.Map {
		at := "personas." + p.Name
		for _, kind := range []struct {
			name   string
			claims []string
			check  func(string) string
		}{{"rooms", p.Value.Rooms, c.checkRoom}, {"servers", p.Value.Servers, c.checkServer}, {"channels", p.Value.Channels, c.checkChannel}} {
			key := at + "." + kind.name
			for _, claim := range kind.claims {
				if problem := kind.check(claim); problem != "" {
					c.doc.Problemf(key, "%q %s", claim, problem)
				}
				if other := claimed[kind.name+" "+claim]; other != "" {
					c.doc.Problemf(key, "%q is claimed by %s too: leave it to one of them", claim, other)
				}
				claimed[kind.name+" "+claim] = p.Name
			}
		}
	}
}

func (c *Config) checkRoom(room string) string {
	channel, id, _ := strings.Cut(room, "/")
	if id == "" {
		return "is no room: write CHANNEL/ID, e.g. telegram/-1001234"
	}
	return c.checkChannel(channel)
}

func (c *Config) checkServer(server string) string {
	channel, id, _ := strings.Cut(server, "/")
	if id == "" || strings.Contains(id, "/") {
		return "is no server: write CHANNEL/ID, e.g. discord/81384788765712384"
	}
	return c.checkChannel(channel)
}

func (c *Config) checkChannel(name string) string {
	known := []string{terminal}
	for _, n := range c.Channels.Networks {
		known = append(known, n.Name)
	}
	if slices.Contains(known, name) {
		return ""
	}
	return "names no channel: take one of " + strings.Join(known, ", ")
}
