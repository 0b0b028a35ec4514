package persona

import (
	"context"
	"fmt"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/persona/words"
)

// quietCommand turns proactive messages off or on for a person.
func (cm commander) quietCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	quiet := true
	switch strings.ToLower(c.rest) {
	case "", "on":
	case "off":
		quiet = false
	default:
		return commandResult{text: "Say /quiet and I never write first, or /quiet off and I may again."}, nil
	}
	if err := cm.Store.Turns.SetQuiet(ctx, cm.Card.Key, c.person.ID, quiet); err != nil {
		return commandResult{}, err
	}
	if quiet {
		return commandResult{text: "I won't write first any more. I answer as ever; /quiet off lets me again."}, nil
	}
	return commandResult{text: "I may write first again, now and then, when something you told me of is due. /quiet stops it."}, nil
}

// timezoneCommand shows or sets a person's timezone.
func (cm commander) timezoneCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	if c.rest == "" {
		return commandResult{text: cm.clockOf(c.person)}, nil
	}
	name, near := zoneNamed(c.rest)
	if name == "" {
		answer := fmt.Sprintf("I know no timezone %q.", words.Cut(c.rest, zoneRunes))
		if near != "" {
			return commandResult{text: fmt.Sprintf("%s Did you mean /timezone %s?", answer, near)}, nil
		}
		return commandResult{text: answer + " Take a name such as Europe/Lisbon, or a large city in yours."}, nil
	}
	if err := cm.Store.Log.SetTimezone(ctx, c.person.ID, name, cm.Settings.Zone); err != nil {
		return commandResult{}, err
	}
	c.person.Timezone = name
	return commandResult{text: cm.clockOf(c.person)}, nil
}

// zoneRunes is how much of an invalid timezone is repeated in the answer.
const zoneRunes = 60

// clockOf tells which timezone the persona uses for a person.
func (cm commander) clockOf(p model.Person) string {
	zone := p.Location(cm.Settings.Zone)
	clock := cm.Now().In(zone).Format("Monday, 15:04")
	if p.Timezone == "" || zone.String() != p.Timezone {
		return fmt.Sprintf("You never told me your timezone, so I go by mine: it is %s here. /timezone Europe/Lisbon sets yours.", clock)
	}
	return fmt.Sprintf("I go by %s for you: it is %s there.", p.Timezone, clock)
}

// quietSince returns since when the person has wanted no proactive messages, given that they said text at a time.
func quietSince(was time.Time, text string, at time.Time) time.Time {
	switch said := words.PlainApostrophe(words.Head(text)); {
	case words.WritesFirst.MatchString(said):
		return time.Time{}
	case words.NotFirst.MatchString(said) && was.IsZero():
		return at
	}
	return was
}
