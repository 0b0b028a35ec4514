package command

import (
	"context"
	"strings"

	"familiar/persona/request"
)

// trainingName is the command that tells and sets whether a talk may be training data.
const trainingName = "training"

// takesBack reports whether a call of /training takes a consent back: in doubt it does. It is obeyed anywhere.
func (s spoken) takesBack() bool { return s.name == trainingName && request.Refuses(s.rest) }

// trainingCommand shows or sets whether what a person and the persona said may be training data. Nothing but the command, given in
// their direct talk, is taken for a yes.
func (r Runner) trainingCommand(ctx context.Context, c call) (result, error) {
	on, off := strings.EqualFold(strings.Trim(c.rest, " .!"), "on"), request.Refuses(c.rest)
	switch {
	case off:
		return c.told("training.off"), r.Store.Training.SetConsent(ctx, r.Card.Key, c.person.ID, c.room.ID, false)
	case !c.room.Direct:
		return c.told("direct.only"), nil
	case on:
		return c.told("training.on"), r.Store.Training.SetConsent(ctx, r.Card.Key, c.person.ID, c.room.ID, true)
	}
	now, err := r.Store.Training.Consent(ctx, r.Card.Key, c.person.ID)
	if err != nil {
		return result{}, err
	}
	if now.Given {
		return c.told("training.given", "since", c.time("date", now.At.In(c.person.Location(r.Zone)))), nil
	}
	return c.told("training.none"), nil
}
