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

// Channels configures the networks and what applies to all of them.
type Channels struct {
	// MaxAge is the maximum age of a message that gets a reply, 1 min–30 days. Older messages, received after a
	// downtime, only become context.
	MaxAge time.Duration `yaml:"max_age"`
	// QuietHours are the hours, in each person's timezone, in which the persona never writes first.
	QuietHours Hours `yaml:"quiet_hours"`
	// ProactivePerDay is how often the persona may write first to a person per day, 0–3.
	ProactivePerDay int `yaml:"unasked_per_day"`
	// ProactiveGap is how long a person must have been silent before the persona may write first, 1 h–30 days.
	ProactiveGap time.Duration `yaml:"unasked_gap"`
	// Networks holds one section for each channel, by name.
	Networks strictyaml.Map[Network] `yaml:",inline"`
}

// defaultChannels serve no network. Once a network is enabled, strangers get a pairing code and groups are ignored.
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

// enabled reads the setting that enables the channel. secret reports that the setting is a secret; otherwise it is a
// bool.
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

// Attachments configures what happens to files in messages.
type Attachments struct {
	// Keep downloads them; otherwise only a note of each is stored.
	Keep bool `yaml:"keep"`
	// Cap is the maximum size of a downloaded file, 1 kB–100 MB.
	Cap Size `yaml:"cap"`
}

// Access configures who may talk with the persona on one network.
type Access struct {
	Direct Direct `yaml:"direct"`
	// Proactive says where the persona may write first.
	Proactive Proactive `yaml:"unasked"`
	// PairingNotice is the text that a stranger gets with the pairing code, "" for the default.
	PairingNotice string   `yaml:"pairing_notice"`
	Allow         []string `yaml:"allow"`
	Bots          bool     `yaml:"bots"`
	// Adult lets a persona rated adult talk in direct rooms of the network.
	Adult  bool   `yaml:"adult"`
	Groups Groups `yaml:"groups"`
}

// Served returns the access settings of the enabled networks by channel name.
func (c Channels) Served() map[string]Access {
	served := map[string]Access{}
	for _, n := range c.Networks {
		if n.Value.Served() {
			served[n.Name] = n.Value.Access
		}
	}
	return served
}

// Names returns the enabled networks in the order of the list of channels.
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

// Direct says who may write direct messages: pairing, allow, open or off.
type Direct string

// The values of Direct.
const (
	DirectPairing Direct = "pairing"
	DirectAllow   Direct = "allow"
	DirectOpen    Direct = "open"
	DirectOff     Direct = "off"
)

// UnmarshalText parses one of the values.
func (d *Direct) UnmarshalText(text []byte) error {
	return settings.Choose(d, text, DirectPairing, DirectAllow, DirectOpen, DirectOff)
}

// Proactive says where the persona may write first: direct or off.
type Proactive string

// The values of Proactive. The persona never writes first in a group.
const (
	ProactiveDirect Proactive = "direct"
	ProactiveOff    Proactive = "off"
)

// UnmarshalText parses one of the values.
func (u *Proactive) UnmarshalText(text []byte) error {
	return settings.Choose(u, text, ProactiveDirect, ProactiveOff)
}

// Mode says what the persona does in a group: disabled, mention, listen or open.
type Mode string

// The modes, from the least to the most that the persona receives.
const (
	ModeDisabled Mode = "disabled"
	ModeMention  Mode = "mention"
	ModeListen   Mode = "listen"
	ModeOpen     Mode = "open"
)

// UnmarshalText parses one of the modes.
func (m *Mode) UnmarshalText(text []byte) error {
	return settings.Choose(m, text, ModeDisabled, ModeMention, ModeListen, ModeOpen)
}

// Groups maps group ids to their policies. The policy of all other groups is under "default".
type Groups struct{ strictyaml.Map[Group] }

// defaultGroup is the key of the policy for groups without one of their own.
const defaultGroup = "default"

// Group is the policy of one group. In the file it may be just the mode.
type Group struct {
	Mode Mode `yaml:"mode"`
	// Members are the ids of the accounts whose messages are received. nil allows everybody, an empty list nobody.
	Members []string `yaml:"members"`
	Daily   Daily    `yaml:"daily"`
	// Adult lets a persona rated adult talk in the group.
	Adult bool `yaml:"adult"`
}

// Daily limits the replies per day, 0–100,000; 0 means no limit.
type Daily struct {
	// Turns limits the whole group, PerPerson each member.
	Turns     int `yaml:"turns"`
	PerPerson int `yaml:"per_person"`
}

// UnmarshalText parses a mode.
func (g *Group) UnmarshalText(text []byte) error { return g.Mode.UnmarshalText(text) }

// Default returns the policy for groups without one of their own: disabled, unless the file sets another.
func (g Groups) Default() Group {
	for _, entry := range g.Map {
		if entry.Name == defaultGroup {
			return entry.Value
		}
	}
	return Group{Mode: ModeDisabled}
}

// ByID returns the policies of the groups that have one of their own.
func (g Groups) ByID() map[string]Group {
	groups := map[string]Group{}
	for _, entry := range g.Map {
		if entry.Name != defaultGroup {
			groups[entry.Name] = entry.Value
		}
	}
	return groups
}

// Listens reports whether the persona receives messages in some group without being addressed.
func (g Groups) Listens() bool {
	for _, entry := range g.Map {
		if entry.Value.Mode == ModeListen || entry.Value.Mode == ModeOpen {
			return true
		}
	}
	return false
}

// AnyEnabled reports whether some group is enabled.
func (g Groups) AnyEnabled() bool {
	for _, entry := range g.Map {
		if entry.Value.Mode != ModeDisabled && entry.Value.Mode != "" {
			return true
		}
	}
	return false
}

// String returns the groups' modes as YAML.
func (g Groups) String() string {
	modes := []string{defaultGroup + ": " + string(g.Default().Mode)}
	for _, entry := range g.Map {
		if entry.Name != defaultGroup {
			modes = append(modes, entry.Name+": "+string(entry.Value.Mode))
		}
	}
	return "{" + strings.Join(modes, ", ") + "}"
}

// Hours is a part of the day. If From is after Until it spans midnight. The zero Hours are empty.
type Hours struct{ From, Until time.Duration }

var errHours = errors.New(`takes hours such as "22:00-08:00", or off`)

// UnmarshalText parses hours such as 22:00-08:00, or off.
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
		return errors.New(`start when they end: write "off" for none, and unasked_per_day: 0 for never`)
	}
	*h = read
	return nil
}

// String returns the hours in the format of the file.
func (h Hours) String() string {
	if h == (Hours{}) {
		return "off"
	}
	clock := func(d time.Duration) string { return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60) }
	return clock(h.From) + "-" + clock(h.Until)
}
