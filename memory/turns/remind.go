package turns

import (
	"errors"
	"time"

	"familiar/memory/reminder"
)

// Reminder is what the author of one of the turn's messages asked to be reminded of.
type Reminder struct {
	// Heard is the place of the message in Turn.Heard.
	Heard int
	Text  string
	Due   time.Time
	// Wall reports that a date or a time of day was named.
	Wall bool
}

// remind stores the turn's reminders. It says nothing of those for which there is no room: the turn counts more.
func (r *TurnWriter) remind() error {
	for _, n := range r.Turn.Reminders {
		if !r.Turn.Room.Direct || n.Heard < 0 || n.Heard >= len(r.Done.MessageIDs) || r.Done.MessageIDs[n.Heard] == 0 {
			continue
		}
		_, err := reminder.Insert(r.Tx, reminder.Reminder{
			Persona: r.Turn.Persona, Person: r.Turn.Heard[n.Heard].PersonID, Room: r.Turn.Room, Message: r.Done.MessageIDs[n.Heard],
			Text: n.Text, Due: n.Due, Wall: n.Wall,
		})
		if err != nil && !errors.Is(err, reminder.ErrTooMany) && !errors.Is(err, reminder.ErrTooLong) && !errors.Is(err, reminder.ErrEmpty) {
			return err
		}
	}
	return nil
}
