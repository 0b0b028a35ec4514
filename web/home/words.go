package home

import (
	"context"
	"fmt"

	"familiar/web/layout"
)

// headline says in a sentence what runs.
func headline(ctx context.Context, o Overview) string {
	if o.Running == "" {
		return "Nothing serves this home at the moment: messages wait until “familiar run” does."
	}
	return fmt.Sprintf("“%s” %s serves this home, since %s.", o.Running, o.Version, layout.Moment(ctx, o.Since))
}

func dollars(s Spent) string {
	if s.Dollars == 0 {
		return ""
	}
	return fmt.Sprintf(", $%.2f", s.Dollars)
}

// tone is the colour of a network's state.
func tone(n Network) string {
	switch {
	case n.Works:
		return "good"
	case n.Problem != "":
		return "bad"
	}
	return "warn"
}

// ended is the colour of how a run ended.
func ended(status string) string {
	switch status {
	case "ok":
		return "good"
	case "failed":
		return "bad"
	}
	return "muted"
}

// off says why a job has no next run.
func off(j Job) string {
	if j.Needs != "" {
		return "needs " + j.Needs
	}
	return "off"
}
