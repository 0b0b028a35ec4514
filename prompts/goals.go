package prompts

import (
	"fmt"
	"time"
)

// Goal is one of the person's goals.
type Goal struct {
	// Text describes it as an activity: "learning the guitar".
	Text string
	// Last is when they last mentioned it, Steps how many steps towards it they reported.
	Last  time.Time
	Steps int
	// Stale reports that it was not mentioned for a long time and may be outdated.
	Stale bool
	// Ask reports that now is the time to ask about its progress.
	Ask bool
}

// line returns the goal as a note.
func (g Goal) line() string {
	note := "their goal, last spoken of on " + g.Last.Format("2006-01-02")
	if g.Stale {
		note = "a goal of theirs they have not spoken of since " + g.Last.Format("2006-01-02")
	}
	if g.Steps > 0 {
		note += fmt.Sprintf(", %d steps on the way", g.Steps)
	}
	if g.Ask {
		note += " (ask how it is going)"
	}
	return note + ": " + oneLine(g.Text)
}

// unknownTermLine returns the note about a term the persona may ask about, empty for none.
func unknownTermLine(term string) string {
	if term = oneLine(term); term == "" {
		return ""
	}
	return "you would like to know who or what this is, and may ask once if it comes naturally: " + term
}
