package config

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// validateChannels reports problems of the networks that cannot be found by looking at a single value.
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
		c.doc.Problemf(by, "is required to enable the channel: write %s", write)
	}
	n.section.Validate(n.Own, func(setting, format string, args ...any) { c.doc.Problemf(key+"."+setting, format, args...) })
	c.validateNotice(key+".pairing_notice", n.PairingNotice)
	c.validateGroups(key+".groups", n.Groups, n.section.Group)
	c.checkSize(key+".attachments.cap", n.Attachments.Cap, 1_000, 100_000_000)
}

// setsAccess reports whether the file contains access settings of a network.
func (c *Config) setsAccess(key string) bool {
	return slices.ContainsFunc([]string{"direct", "pairing_notice", "allow", "bots", "adult", "groups"}, func(setting string) bool {
		return c.doc.Given(key + "." + setting)
	})
}

// maxNotice is the maximum length of a notice in characters: it fits into one message on every network, including the
// codes.
const maxNotice = 1500

// validateNotice reports a notice without a placeholder for the code.
func (c *Config) validateNotice(key, notice string) {
	if notice != "" && !strings.Contains(notice, "{code}") {
		c.doc.Problemf(key, "does not contain the code: write {code} where it should appear")
	}
	if n := utf8.RuneCountInString(notice); n > maxNotice {
		c.doc.Problemf(key, "is %d characters long: use at most %d", n, maxNotice)
	}
}

// validateGroups reports invalid policies. check, if not nil, says what is wrong with the id of a group.
func (c *Config) validateGroups(key string, groups Groups, check func(id string) error) {
	const most = 100_000
	for _, g := range groups.Map {
		at := key + "." + g.Name
		if strings.Contains(g.Name, "*") {
			c.doc.Problemf(at, "is no group: the policy of all other groups stands under "+defaultGroup)
		} else if check != nil && g.Name != defaultGroup {
			if err := check(g.Name); err != nil {
				c.doc.Problemf(at, "%v", err)
			}
		}
		if long := c.doc.Given(at+".members") || c.doc.Given(at+".daily"); long && !c.doc.Given(at+".mode") {
			c.doc.Problemf(at+".mode", "is required: disabled, mention, listen or open")
		}
		c.checkInt(at+".daily.turns", g.Value.Daily.Turns, 0, most)
		c.checkInt(at+".daily.per_person", g.Value.Daily.PerPerson, 0, most)
	}
}

func (c *Config) checkSize(key string, got, least, most Size) {
	if got < least || got > most {
		c.doc.Problemf(key, "is %v: use %v to %v", got, least, most)
	}
}
