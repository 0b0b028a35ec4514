package prompts

import (
	"fmt"
	"time"
)

// Goal is what the person is after.
type Goal struct {
	// Text says it as an activity: "learning the guitar".
	Text string
	// Last is when they last spoke of it, Steps how many steps on the way they told.
	Last  time.Time
	Steps int
	// Stale says that it was not spoken of for long: it may be theirs no more.
	Stale bool
	// Ask says that now is the time to ask how it is going.
	Ask bool
}

// line is the goal as a note.
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

// wonderLine is the note about a term the persona would like to have explained, empty for none.
func wonderLine(term string) string {
	if term = oneLine(term); term == "" {
		return ""
	}
	return "you would like to know who or what this is, and may ask once if it comes naturally: " + term
}
