package config

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// validateChannels notes what is wrong about the networks that a single value cannot know of itself.
func (c *Config) validateChannels() {
	ch := c.Channels
	c.checkDuration("channels.max_age", ch.MaxAge, time.Minute, 30*24*time.Hour)
	c.checkInt("channels.unasked_per_day", ch.ProactivePerDay, 0, 3)
	c.checkDuration("channels.unasked_gap", ch.ProactiveGap, time.Hour, 30*24*time.Hour)
	for _, n := range ch.Networks {
		c.validateNetwork("channels."+n.Name, n.Value)
	}
}

func (c *Config) validateNetwork(key string, n Network) {
	by, write := key+"."+n.section.ServedBy, "true or false"
	given, secret := n.enabled()
	if secret {
		write = "env:NAME or file:/path"
	} else {
		given = c.doc.Given(by)
	}
	if !given && c.setsAccess(key) {
		c.doc.Problemf(by, "is needed to serve it: write %s", write)
	}
	n.section.Validate(n.Own, func(setting, format string, args ...any) { c.doc.Problemf(key+"."+setting, format, args...) })
	c.validateNotice(key+".pairing_notice", n.PairingNotice)
	c.validateGroups(key+".groups", n.Groups)
	c.checkSize(key+".attachments.cap", n.Attachments.Cap, 1_000, 100_000_000)
}

// setsAccess says that the file says who is heard on a network.
func (c *Config) setsAccess(key string) bool {
	return slices.ContainsFunc([]string{"direct", "pairing_notice", "allow", "bots", "groups"}, func(setting string) bool {
		return c.doc.Given(key + "." + setting)
	})
}

// maxNotice is how long a notice may be, in letters: a network's shortest message holds it with its codes.
const maxNotice = 1500

// validateNotice notes that what strangers are told would not tell them their code.
func (c *Config) validateNotice(key, notice string) {
	if notice != "" && !strings.Contains(notice, "{code}") {
		c.doc.Problemf(key, "does not tell the code: write {code} where it is to stand")
	}
	if n := utf8.RuneCountInString(notice); n > maxNotice {
		c.doc.Problemf(key, "is %d letters long: take up to %d", n, maxNotice)
	}
}

func (c *Config) validateGroups(key string, groups Groups) {
	const most = 100_000
	for _, g := range groups.Map {
		at := key + "." + g.Name
		if long := c.doc.Given(at+".members") || c.doc.Given(at+".daily"); long && !c.doc.Given(at+".mode") {
			c.doc.Problemf(at+".mode", "is needed: disabled, mention, listen or open")
		}
		c.checkInt(at+".daily.turns", g.Value.Daily.Turns, 0, most)
		c.checkInt(at+".daily.per_person", g.Value.Daily.PerPerson, 0, most)
	}
}

func (c *Config) checkSize(key string, got, least, most Size) {
	if got < least || got > most {
		c.doc.Problemf(key, "is %v: take %v to %v", got, least, most)
	}
}
