package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"familiar/internal/settings"
	"familiar/internal/strictyaml"
)

// Channels are the networks the persona is on, and what holds on all of them.
type Channels struct {
	// MaxAge is how old a message may be and still be answered, 1 min–30 days: what came in while nobody listened and is
	// older is heard as context.
	MaxAge time.Duration `yaml:"max_age"`
	// QuietHours are the hours in which nobody is spoken to unasked, by each person's own clock.
	QuietHours Hours `yaml:"quiet_hours"`
	// ProactivePerDay is how often a person is spoken to unasked in a day, 0–3.
	ProactivePerDay int `yaml:"unasked_per_day"`
	// ProactiveGap is how long somebody must not have written to be spoken to unasked, 1 h–30 days.
	ProactiveGap time.Duration `yaml:"unasked_gap"`
	// Networks holds one section for each channel, by name.
	Networks strictyaml.Map[Network] `yaml:",inline"`
}

// defaultChannels serve no network. Where one is served, strangers are told a code and groups are not heard.
func defaultChannels(sections []settings.Section) Channels {
	c := Channels{
		MaxAge: 6 * time.Hour, QuietHours: Hours{From: 22 * time.Hour, Until: 8 * time.Hour}, ProactivePerDay: 1,
		ProactiveGap: 24 * time.Hour,
	}
	for _, s := range sections {
		c.Networks = append(c.Networks, strictyaml.Entry[Network]{Name: s.Name, Value: Network{
			section: s, Own: s.New(),
			Access:      Access{Direct: DirectPairing, Proactive: ProactiveDirect, Allow: []string{}},
			Attachments: Attachments{Cap: 10_000_000},
		}})
	}
	return c
}

// Network is the section of one channel.
type Network struct {
	section settings.Section
	// Own holds the channel's own settings, a pointer of the type that settings.Section.New returns.
	Own         any `yaml:",inline"`
	Access      `yaml:",inline"`
	Attachments Attachments `yaml:"attachments"`
}

// Served reports whether the channel is configured: its secret is set, or it is enabled.
func (n Network) Served() bool {
	on, _ := n.enabled()
	return on
}

// enabled reads the setting that enables the channel. secret reports that it is a secret; otherwise it is a bool.
func (n Network) enabled() (on, secret bool) {
	for _, f := range n.own() {
		if f.Name != n.section.ServedBy {
			continue
		}
		switch v := f.Value.Interface().(type) {
		case Secret:
			return v.Set(), true
		case bool:
			return v, false
		}
	}
	panic("config: the section " + n.section.Name + " has no secret or bool " + n.section.ServedBy)
}

func (n Network) own() []strictyaml.Field { return strictyaml.Fields(reflect.ValueOf(n.Own).Elem()) }

// Attachments says what happens to what comes with messages.
type Attachments struct {
	// Keep fetches them; otherwise only a note of each is kept.
	Keep bool `yaml:"keep"`
	// Cap is how large one may be to be fetched, 1 kB–100 MB.
	Cap Size `yaml:"cap"`
}

// Access is who is heard on one network, whichever it is.
type Access struct {
	Direct Direct `yaml:"direct"`
	// Proactive says where people are spoken to unasked.
	Proactive Proactive `yaml:"unasked"`
	// PairingNotice is what a stranger is told with their code, "" for the usual words.
	PairingNotice string   `yaml:"pairing_notice"`
	Allow         []string `yaml:"allow"`
	Bots          bool     `yaml:"bots"`
	Groups        Groups   `yaml:"groups"`
}

// Served are the networks that are configured, by the name of their channel, with who is heard there.
func (c Channels) Served() map[string]Access {
	served := map[string]Access{}
	for _, n := range c.Networks {
		if n.Value.Served() {
			served[n.Name] = n.Value.Access
		}
	}
	return served
}

// Names returns the networks that are configured, in the order of the list of channels.
func (c Channels) Names() (names []string) {
	for _, n := range c.Networks {
		if n.Value.Served() {
			names = append(names, n.Name)
		}
	}
	return names
}

// Network returns the section of the channel with that name, the zero Network if there is none.
func (c Channels) Network(name string) Network {
	for _, n := range c.Networks {
		if n.Name == name {
			return n.Value
		}
	}
	return Network{}
}

// Secrets returns the secrets among the channel's own settings, by their keys in the file.
func (n Network) Secrets() map[string]Secret {
	secrets := map[string]Secret{}
	for _, f := range n.own() {
		if s, ok := f.Value.Interface().(Secret); ok {
			secrets["channels."+n.section.Name+"."+f.Name] = s
		}
	}
	return secrets
}

// bindSecrets binds the secrets of all networks to home and env.
func (c Channels) bindSecrets(home Home, env Env) {
	for _, n := range c.Networks {
		for _, f := range n.Value.own() {
			if s, ok := f.Value.Addr().Interface().(*Secret); ok {
				*s = s.Within(string(home), env)
			}
		}
	}
}

// Direct says who may talk with the persona alone: pairing, allow, open or off.
type Direct string

// The ways to meet people in direct talks.
const (
	DirectPairing Direct = "pairing"
	DirectAllow   Direct = "allow"
	DirectOpen    Direct = "open"
	DirectOff     Direct = "off"
)

// UnmarshalText takes one of the ways.
func (d *Direct) UnmarshalText(text []byte) error {
	return settings.Choose(d, text, DirectPairing, DirectAllow, DirectOpen, DirectOff)
}

// Proactive says where people are spoken to unasked: direct or off.
type Proactive string

// The places; a group is none of them.
const (
	ProactiveDirect Proactive = "direct"
	ProactiveOff    Proactive = "off"
)

// UnmarshalText takes one of the places.
func (u *Proactive) UnmarshalText(text []byte) error {
	return settings.Choose(u, text, ProactiveDirect, ProactiveOff)
}

// Mode says what the persona does in a group: disabled, mention, listen or open.
type Mode string

// The modes, from the least to the most that is heard.
const (
	ModeDisabled Mode = "disabled"
	ModeMention  Mode = "mention"
	ModeListen   Mode = "listen"
	ModeOpen     Mode = "open"
)

// UnmarshalText takes one of the modes.
func (m *Mode) UnmarshalText(text []byte) error {
	return settings.Choose(m, text, ModeDisabled, ModeMention, ModeListen, ModeOpen)
}

// Groups are the policies of groups by their ids, and that of all others under "default".
type Groups struct{ strictyaml.Map[Group] }

// defaultGroup is the name of the policy of groups that have none of their own.
const defaultGroup = "default"

// Group is what holds in one group. In the file it may be written as its mode alone.
type Group struct {
	Mode Mode `yaml:"mode"`
	// Members are the ids of the accounts that are heard; nil is everybody there, an empty list nobody.
	Members []string `yaml:"members"`
	Daily   Daily    `yaml:"daily"`
}

// Daily bounds the answers of a day, 0–100,000; 0 is no limit.
type Daily struct {
	// Turns is for all together, PerPerson for each.
	Turns     int `yaml:"turns"`
	PerPerson int `yaml:"per_person"`
}

// UnmarshalText takes a mode.
func (g *Group) UnmarshalText(text []byte) error { return g.Mode.UnmarshalText(text) }

// Default is the policy of groups that have none of their own: disabled, unless the file says otherwise.
func (g Groups) Default() Group {
	for _, entry := range g.Map {
		if entry.Name == defaultGroup {
			return entry.Value
		}
	}
	return Group{Mode: ModeDisabled}
}

// ByID are the policies of the groups that have one of their own.
func (g Groups) ByID() map[string]Group {
	groups := map[string]Group{}
	for _, entry := range g.Map {
		if entry.Name != defaultGroup {
			groups[entry.Name] = entry.Value
		}
	}
	return groups
}

// Listens says that some group is to be listened to, also where the persona is not spoken to.
func (g Groups) Listens() bool {
	for _, entry := range g.Map {
		if entry.Value.Mode == ModeListen || entry.Value.Mode == ModeOpen {
			return true
		}
	}
	return false
}

// AnyEnabled says that some group is heard.
func (g Groups) AnyEnabled() bool {
	for _, entry := range g.Map {
		if entry.Value.Mode != ModeDisabled && entry.Value.Mode != "" {
			return true
		}
	}
	return false
}

// String is the groups' modes as they would be written.
func (g Groups) String() string {
	modes := []string{defaultGroup + ": " + string(g.Default().Mode)}
	for _, entry := range g.Map {
		if entry.Name != defaultGroup {
			modes = append(modes, entry.Name+": "+string(entry.Value.Mode))
		}
	}
	return "{" + strings.Join(modes, ", ") + "}"
}

// Hours are a part of the day, from one time of it until another; From after Until goes over midnight. The zero Hours
// are none.
type Hours struct{ From, Until time.Duration }

var errHours = errors.New(`takes hours such as "22:00-08:00", or off`)

// UnmarshalText takes hours such as 22:00-08:00, or off.
func (h *Hours) UnmarshalText(text []byte) error {
	if string(text) == "off" {
		*h = Hours{}
		return nil
	}
	from, until, ok := strings.Cut(string(text), "-")
	if !ok {
		return errHours
	}
	var read Hours
	for _, end := range []struct {
		text string
		into *time.Duration
	}{{from, &read.From}, {until, &read.Until}} {
		at, err := time.Parse("15:04", strings.TrimSpace(end.text))
		if err != nil {
			return errHours
		}
		*end.into = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	}
	if read.From == read.Until {
		return errors.New(`begin when they end: write "off" for none, and unasked_per_day: 0 for never`)
	}
	*h = read
	return nil
}

// String is the hours as they would be written.
func (h Hours) String() string {
	if h == (Hours{}) {
		return "off"
	}
	clock := func(d time.Duration) string { return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60) }
	return clock(h.From) + "-" + clock(h.Until)
}
