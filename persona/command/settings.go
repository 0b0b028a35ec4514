package command

import (
	"context"
	"fmt"
	"strings"

	"familiar/memory/model"
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
		return result{text: "Say /quiet and I never write first, or /quiet off and I may again."}, nil
	}
	if err := r.Store.Turns.SetQuiet(ctx, r.Card.Key, c.person.ID, quiet); err != nil {
		return result{}, err
	}
	if quiet {
		return result{text: "I won't write first any more. I answer as ever; /quiet off lets me again."}, nil
	}
	return result{text: "I may write first again, now and then, when something you told me of is due. /quiet stops it."}, nil
}

// timezoneCommand shows or sets a person's timezone.
func (r Runner) timezoneCommand(ctx context.Context, c call) (result, error) {
	if c.rest == "" {
		return result{text: r.clockOf(c.person)}, nil
	}
	name, near := zoneNamed(c.rest)
	if name == "" {
		answer := fmt.Sprintf("I know no timezone %q.", words.Cut(c.rest, zoneRunes))
		if near != "" {
			return result{text: fmt.Sprintf("%s Did you mean /timezone %s?", answer, near)}, nil
		}
		return result{text: answer + " Take a name such as Europe/Lisbon, or a large city in yours."}, nil
	}
	if err := r.Store.Log.SetTimezone(ctx, c.person.ID, name, r.Zone); err != nil {
		return result{}, err
	}
	c.person.Timezone = name
	return result{text: r.clockOf(c.person)}, nil
}

// zoneRunes is how much of an invalid timezone is repeated in the answer.
const zoneRunes = 60

// clockOf tells which timezone the persona uses for a person.
func (r Runner) clockOf(p model.Person) string {
	zone := p.Location(r.Zone)
	clock := r.Now().In(zone).Format("Monday, 15:04")
	if p.Timezone == "" || zone.String() != p.Timezone {
		return fmt.Sprintf("You never told me your timezone, so I go by mine: it is %s here. /timezone Europe/Lisbon sets yours.", clock)
	}
	return fmt.Sprintf("I go by %s for you: it is %s there.", p.Timezone, clock)
}
