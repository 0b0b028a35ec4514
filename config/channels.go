package config

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"familiar/internal/spelling"
	"familiar/internal/strictyaml"
)

// Channels are the networks the persona is on, and what holds on all of them.
type Channels struct {
	// MaxAge is how old a message may be and still be answered, 1 min–30 days: what came in while nobody listened and is
	// older is heard as context.
	MaxAge time.Duration `yaml:"max_age"`
	// QuietHours are the hours in which nobody is spoken to unasked, by each person's own clock.
	QuietHours Hours `yaml:"quiet_hours"`
	// UnaskedPerDay is how often a person is spoken to unasked in a day, 0–3.
	UnaskedPerDay int `yaml:"unasked_per_day"`
	// UnaskedGap is how long somebody must not have written to be spoken to unasked, 1 h–30 days.
	UnaskedGap time.Duration `yaml:"unasked_gap"`
	Telegram   Telegram      `yaml:"telegram"`
	Discord    Discord       `yaml:"discord"`
	WhatsApp   WhatsApp      `yaml:"whatsapp"`
}

// defaultChannels serve no network. Where one is served, strangers are told a code and groups are not heard.
func defaultChannels() Channels {
	files := Attachments{Cap: 10_000_000}
	return Channels{
		MaxAge: 6 * time.Hour, QuietHours: Hours{From: 22 * time.Hour, Until: 8 * time.Hour}, UnaskedPerDay: 1,
		UnaskedGap: 24 * time.Hour,
		Telegram:   Telegram{Direct: DirectPairing, Unasked: UnaskedDirect, Allow: []string{}, Attachments: files},
		Discord:    Discord{Direct: DirectPairing, Unasked: UnaskedDirect, Allow: []string{}, MessageContent: ContentAuto, Attachments: files},
		WhatsApp:   WhatsApp{Direct: DirectPairing, Unasked: UnaskedDirect, Allow: []string{}, Attachments: files},
	}
}

// Telegram is a bot's account there. It is served when Token is set.
type Telegram struct {
	// Token refers to what BotFather gave.
	Token Secret `yaml:"token"`
	// BaseURL is where the Bot API is, "" for Telegram's own.
	BaseURL string `yaml:"base_url"`
	Direct  Direct `yaml:"direct"`
	// Unasked says where people are spoken to unasked; here and below.
	Unasked Unasked `yaml:"unasked"`
	// PairingNotice is what a stranger is told with their code, "" for the words of the house; here and below.
	PairingNotice string      `yaml:"pairing_notice"`
	Allow         []string    `yaml:"allow"`
	Bots          bool        `yaml:"bots"`
	Groups        Groups      `yaml:"groups"`
	Attachments   Attachments `yaml:"attachments"`
}

// Discord is a bot's account there. It is served when Token is set.
type Discord struct {
	// Token refers to the bot's token.
	Token Secret `yaml:"token"`
	// BaseURL is where REST is spoken, "" for Discord's own.
	BaseURL string `yaml:"base_url"`
	// MessageContent says whether the text of messages that do not mention the bot is asked for.
	MessageContent Content     `yaml:"message_content"`
	Direct         Direct      `yaml:"direct"`
	Unasked        Unasked     `yaml:"unasked"`
	PairingNotice  string      `yaml:"pairing_notice"`
	Allow          []string    `yaml:"allow"`
	Bots           bool        `yaml:"bots"`
	Groups         Groups      `yaml:"groups"`
	Attachments    Attachments `yaml:"attachments"`
}

// WhatsApp is an account there, linked with a telephone.
type WhatsApp struct {
	Enabled bool `yaml:"enabled"`
	// ReadReceipts shows people that their messages were read.
	ReadReceipts bool `yaml:"read_receipts"`
	// Self hears what the account's owner writes to themselves.
	Self          bool        `yaml:"self"`
	Direct        Direct      `yaml:"direct"`
	Unasked       Unasked     `yaml:"unasked"`
	PairingNotice string      `yaml:"pairing_notice"`
	Allow         []string    `yaml:"allow"`
	Bots          bool        `yaml:"bots"`
	Groups        Groups      `yaml:"groups"`
	Attachments   Attachments `yaml:"attachments"`
}

// Attachments says what happens to what comes with messages.
type Attachments struct {
	// Keep fetches them; otherwise only a note of each is kept.
	Keep bool `yaml:"keep"`
	// Cap is how large one may be to be fetched, 1 kB–100 MB.
	Cap Size `yaml:"cap"`
}

// Admission is who is heard on one network, whichever it is.
type Admission struct {
	Direct        Direct
	Unasked       Unasked
	PairingNotice string
	Allow         []string
	Bots          bool
	Groups        Groups
}

// Served are the networks that are configured, by the name of their channel, with who is heard there.
func (c Channels) Served() map[string]Admission {
	served := map[string]Admission{}
	if t := c.Telegram; t.Token.Set() {
		served["telegram"] = Admission{t.Direct, t.Unasked, t.PairingNotice, t.Allow, t.Bots, t.Groups}
	}
	if d := c.Discord; d.Token.Set() {
		served["discord"] = Admission{d.Direct, d.Unasked, d.PairingNotice, d.Allow, d.Bots, d.Groups}
	}
	if w := c.WhatsApp; w.Enabled {
		served["whatsapp"] = Admission{w.Direct, w.Unasked, w.PairingNotice, w.Allow, w.Bots, w.Groups}
	}
	return served
}

// Tokens are the secrets of the networks, by their settings.
func (c Channels) Tokens() map[string]Secret {
	return map[string]Secret{"channels.telegram.token": c.Telegram.Token, "channels.discord.token": c.Discord.Token}
}

// WantsContent says whether Discord is asked for the text of messages that do not mention the bot: as configured, else
// when some group is to be listened to.
func (d Discord) WantsContent() bool {
	if d.MessageContent != ContentAuto {
		return d.MessageContent == ContentOn
	}
	return d.Groups.Hears()
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
	return choose(d, text, DirectPairing, DirectAllow, DirectOpen, DirectOff)
}

// Unasked says where people are spoken to unasked: direct or off.
type Unasked string

// The places; a group is none of them.
const (
	UnaskedDirect Unasked = "direct"
	UnaskedOff    Unasked = "off"
)

// UnmarshalText takes one of the places.
func (u *Unasked) UnmarshalText(text []byte) error { return choose(u, text, UnaskedDirect, UnaskedOff) }

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
	return choose(m, text, ModeDisabled, ModeMention, ModeListen, ModeOpen)
}

// Content says whether Discord's message content is asked for: auto, on or off.
type Content string

// The choices.
const (
	ContentAuto Content = "auto"
	ContentOn   Content = "on"
	ContentOff  Content = "off"
)

// UnmarshalText takes one of the choices.
func (c *Content) UnmarshalText(text []byte) error {
	return choose(c, text, ContentAuto, ContentOn, ContentOff)
}

// choose sets into to the choice that is written as text.
func choose[T ~string](into *T, text []byte, choices ...T) error {
	names := make([]string, len(choices))
	for i, c := range choices {
		if names[i] = string(c); names[i] == string(text) {
			*into = c
			return nil
		}
	}
	all := strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
	if near := spelling.Nearest(string(text), names); near != "" {
		return fmt.Errorf("takes %s: did you mean %q?", all, near)
	}
	return fmt.Errorf("takes %s", all)
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

// Hears says that some group is to be listened to, also where the persona is not spoken to.
func (g Groups) Hears() bool {
	for _, entry := range g.Map {
		if entry.Value.Mode == ModeListen || entry.Value.Mode == ModeOpen {
			return true
		}
	}
	return false
}

// Any says that some group is heard.
func (g Groups) Any() bool {
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
