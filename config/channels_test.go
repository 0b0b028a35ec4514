package config

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"familiar/channels/all"
	"familiar/channels/discord"
	"familiar/channels/telegram"
)

func TestChannels(t *testing.T) {
	h := home(t, `channels:
  max_age: 2h
  quiet_hours: 21:30-07:00
  telegram:
    token: env:TOKEN
    direct: allow
    pairing_notice: "Zeig das: {code}"
    allow: [4711, "815", +15550001]
    groups:
      default: mention
      -100200: listen
      -100300:
        mode: open
        members: []
        daily: {turns: 50, per_person: 5}
    attachments: {keep: true, cap: 500kB}
  whatsapp: {enabled: true}
`)
	c, err := Load(h, env("TOKEN", "canary"), all.Sections()...)
	if err != nil {
		t.Fatal(err)
	}
	ch := c.Channels
	if ch.MaxAge != 2*time.Hour || ch.QuietHours != (Hours{21*time.Hour + 30*time.Minute, 7 * time.Hour}) {
		t.Errorf("for all: %+v", ch)
	}
	tg := ch.Network("telegram")
	if tg.Direct != DirectAllow || !reflect.DeepEqual(tg.Allow, []string{"4711", "815", "+15550001"}) || tg.Attachments != (Attachments{true, 500_000}) {
		t.Errorf("telegram: %+v", tg)
	}
	if token, err := tg.Own.(*telegram.Settings).Token.Reveal(); err != nil || token != "canary" {
		t.Errorf("token: %v", err)
	}
	want := map[string]Group{
		"-100200": {Mode: ModeListen},
		"-100300": {Mode: ModeOpen, Members: []string{}, Daily: Daily{50, 5}},
	}
	if got := tg.Groups.ByID(); !reflect.DeepEqual(got, want) || tg.Groups.Default().Mode != ModeMention || !tg.Groups.Listens() {
		t.Errorf("groups: %+v", got)
	}
	served := ch.Served()
	if len(served) != 2 || served["telegram"].Direct != DirectAllow || served["telegram"].PairingNotice != "Zeig das: {code}" || served["whatsapp"].Direct != DirectPairing {
		t.Errorf("served: %+v", served)
	}
	if d := served["whatsapp"].Groups.Default(); d.Mode != ModeDisabled || d.Members != nil {
		t.Errorf("unconfigured groups: %+v", d)
	}
	for _, s := range c.Settings() {
		if s.Key == "channels.telegram.groups" && s.Value != "{default: mention, -100200: listen, -100300: open}" {
			t.Errorf("shown as %s", s.Value)
		}
		if strings.Contains(s.Value, "canary") {
			t.Errorf("%s shows the token", s.Key)
		}
	}
}

func TestNoChannelIsServedByDefault(t *testing.T) {
	if served := Default(all.Sections()...).Channels.Served(); len(served) != 0 {
		t.Errorf("served: %+v", served)
	}
}

func TestDiscordListensInConfiguredGroups(t *testing.T) {
	for text, want := range map[string]bool{
		"{}":                           false,
		"{groups: {default: mention}}": false,
		"{groups: {77: listen}}":       true,
		"{groups: {77: {mode: open}}}": true,
		"{message_content: off, groups: {77: open}}": false,
		"{message_content: on}":                      true,
	} {
		c, err := Load(home(t, "channels:\n  discord: "+strings.Replace(text, "{", "{token: env:T, ", 1)+"\n"), nil, all.Sections()...)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		dc := c.Channels.Network("discord")
		if got := dc.Own.(*discord.Settings).WantsContent(dc.Groups.Listens()); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestChannelProblems(t *testing.T) {
	const telegram = "channels:\n  telegram:\n    token: env:T\n"
	const whatsapp = "channels:\n  whatsapp:\n    enabled: true\n"
	for _, c := range []struct{ text, want string }{
		{"channels:\n  telegramm: {}\n", `:2:3: unknown key "channels.telegramm": did you mean "channels.telegram"?`},
		{"channels:\n  telegram:\n    direct: open\n", ":2:3: channels.telegram.token: is required to enable the channel: write env:NAME"},
		{"channels:\n  whatsapp:\n    direct: open\n", ":2:3: channels.whatsapp.enabled: is required to enable the channel: write true or false"},
		{"channels:\n  telegram:\n    token: 123:canary\n", ":3:12: channels.telegram.token: takes a reference to the secret"},
		{telegram + "    direct: pair\n", `:4:13: channels.telegram.direct: takes pairing, allow, open or off`},
		{telegram + "    pairing_notice: Who are you?\n", ":4:5: channels.telegram.pairing_notice: does not contain the code: write {code}"},
		{telegram + "    pairing_notice: '{code}" + strings.Repeat("a", 1500) + "'\n", ":4:5: channels.telegram.pairing_notice: is 1506 characters long: use at most 1500"},
		{telegram + "    allow: 4711\n", ":4:12: channels.telegram.allow: takes a list"},
		{telegram + "    groups: mention\n", ":4:13: channels.telegram.groups: takes “name: value” entries"},
		{telegram + "    groups:\n      default: menton\n", `:5:16: channels.telegram.groups.default: takes disabled, mention, listen or open: did you mean "mention"?`},
		{telegram + "    groups:\n      -5: {modes: open}\n", `:5:12: unknown key "channels.telegram.groups.-5.modes": did you mean "channels.telegram.groups.-5.mode"?`},
		{telegram + "    groups:\n      -5: {members: [1]}\n", ":5:7: channels.telegram.groups.-5.mode: is required"},
		{telegram + "    groups:\n      -5: {mode: open, daily: {turns: -1}}\n", ":5:32: channels.telegram.groups.-5.daily.turns: is -1: use 0 to 100000"},
		{telegram + "    groups:\n      -5: open\n      -5: listen\n", `:6:7: not YAML: mapping key "-5" already defined`},
		{whatsapp + "    groups:\n      120363040000000000: open\n", `:5:7: channels.whatsapp.groups.120363040000000000: lacks the end of a WhatsApp group's id: write "120363040000000000@g.us"`},
		{whatsapp + "    groups:\n      4915550001-1450000000: {mode: open}\n", `:5:7: channels.whatsapp.groups.4915550001-1450000000: lacks the end of a WhatsApp group's id: write "4915550001-1450000000@g.us"`},
		{whatsapp + "    groups:\n      90001@lid: open\n", `:5:7: channels.whatsapp.groups.90001@lid: is not the id of a WhatsApp group: write it as`},
		{whatsapp + "    groups:\n      120363040000000000@g.us: {members: [1]}\n", ":5:7: channels.whatsapp.groups.120363040000000000@g.us.mode: is required"},
		{telegram + "    attachments: {cap: 5}\n", ":4:24: channels.telegram.attachments.cap: takes a size such as"},
		{telegram + "    attachments: {cap: 2GB}\n", ":4:19: channels.telegram.attachments.cap: is 2GB: use 1kB to 100MB"},
		{"channels:\n  discord:\n    token: env:T\n    message_content: yes\n", ":4:22: channels.discord.message_content: takes auto, on or off"},
		{"channels:\n  discord:\n    token: env:T\n    shards: 65\n", ":4:5: channels.discord.shards: is 65: use 1 to 64"},
		{"channels:\n  discord:\n    token: env:T\n    shards: two\n", ":4:13: channels.discord.shards: takes a whole number"},
		{"channels: {max_age: 1s}\n", ":1:12: channels.max_age: is 1s: use 1m0s to 720h0m0s"},
		{"channels: {quiet_hours: 22-8}\n", `:1:25: channels.quiet_hours: takes hours such as "22:00-08:00", or off`},
		{"channels: {quiet_hours: 22:00-22:00}\n", ":1:25: channels.quiet_hours: start when they end"},
		{"channels: {unasked_per_day: 25}\n", ":1:12: channels.unasked_per_day: is 25: use 0 to 3"},
		{"channels: {unasked_gap: 30m}\n", ":1:12: channels.unasked_gap: is 30m0s: use 1h0m0s to 720h0m0s"},
		{"channels: {telegram: {token: env:X, unasked: group}}\n", ":1:46: channels.telegram.unasked: takes direct or off"},
	} {
		h := home(t, c.text)
		_, err := Load(h, nil, all.Sections()...)
		if err == nil || !strings.HasPrefix(err.Error(), h.File()+c.want) {
			t.Errorf("%q:\ngot  %v\nwant …%s", c.text, err, c.want)
			continue
		}
		if strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}
