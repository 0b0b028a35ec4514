package command

import (
	"context"
	"strings"

	"familiar/persona/words"
)

// quietCommand turns proactive messages off or on for a person.
func (r Runner) quietCommand(ctx context.Context, c call) (result, error) {
	quiet := true
	switch strings.ToLower(c.rest) {
	case "", "on":
	case "off":
		quiet = false
	default:
		return c.told("quiet.usage"), nil
	}
	if err := r.Store.Turns.SetQuiet(ctx, r.Card.Key, c.person.ID, quiet); err != nil {
		return result{}, err
	}
	if quiet {
		return c.told("quiet.on"), nil
	}
	return c.told("quiet.off"), nil
}

// timezoneCommand shows or sets a person's timezone.
func (r Runner) timezoneCommand(ctx context.Context, c call) (result, error) {
	if c.rest == "" {
		return result{text: r.clockOf(c)}, nil
	}
	name, near := zoneNamed(c.rest)
	if name == "" {
		if near != "" {
			return c.told("timezone.near", "name", words.Cut(c.rest, zoneRunes), "near", near), nil
		}
		return c.told("timezone.unknown", "name", words.Cut(c.rest, zoneRunes)), nil
	}
	if err := r.Store.Log.SetTimezone(ctx, c.person.ID, name, r.Zone); err != nil {
		return result{}, err
	}
	c.person.Timezone = name
	return result{text: r.clockOf(c)}, nil
}

// zoneRunes is how much of an invalid timezone is repeated in the answer.
const zoneRunes = 60

// clockOf tells which timezone the persona uses for a person.
func (r Runner) clockOf(c call) string {
	zone := c.person.Location(r.Zone)
	clock := c.time("clock", r.Now().In(zone))
	if c.person.Timezone == "" || zone.String() != c.person.Timezone {
		return c.say("timezone.mine", "clock", clock)
	}
	return c.say("timezone.yours", "zone", c.person.Timezone, "clock", clock)
}
