package plain

import (
	"cmp"
	"slices"
	"time"

	"familiar/memory/when"
	"familiar/persona/scene"
)

// reminder is what a line asks to be reminded of.
type reminder struct {
	line scene.Line
	at   when.Moment
}

// remind confirms a reminder whose time the line names. Without a time, and in a group, it says how to set one.
func (an answerer) remind() string {
	at, ok := when.FindMoment(an.line.Text, an.scene.Now)
	if !ok || !an.scene.Direct {
		return an.put("request.remind")
	}
	an.reminders = append(an.reminders, reminder{an.line, at})
	return an.put("request.reminded", "when", at.At.Format("2006-01-02 15:04"))
}

// remindersOf returns the reminders with the places of their lines in the scene.
func remindersOf(s scene.Scene, found []reminder) (all []scene.Reminder) {
	for _, r := range found {
		place := slices.IndexFunc(s.Incoming, func(l scene.Line) bool { return l.Text == r.line.Text && l.PersonID == r.line.PersonID })
		due := when.Span{From: r.at.At, Until: r.at.At.Add(time.Minute)}
		all = append(all, scene.Reminder{Note: scene.Note{Text: cmp.Or(r.at.Rest, r.line.Text), Line: place}, Due: due, ByRules: true})
	}
	return all
}
