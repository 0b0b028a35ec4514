package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/channels/markdown"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/reminder"
	"familiar/memory/when"
)

// remindYears is how far ahead a reminder may be.
const remindYears = 5

// DueLayout is how the time of a reminder is shown.
const DueLayout = "Monday, 2 January 2006, 15:04"

// howToRemind is the answer to a reminder that cannot be read.
const howToRemind = "Say when and what, such as /remind tomorrow at 9 call mum, /remind in 20 minutes tea, or /remind 2026-05-01 14:00 dentist."

// remindCommand adds a reminder, lists those that wait, or drops one.
func (r Runner) remindCommand(ctx context.Context, c call) (result, error) {
	if !c.room.Direct {
		return result{text: onlyInPrivate}, nil
	}
	if c.rest == "" {
		return r.listReminders(ctx, c)
	}
	if number, ok := strings.CutPrefix(strings.ToLower(c.rest), "drop"); ok && (number == "" || number[0] == ' ') {
		return r.dropReminder(c, strings.TrimSpace(number)), nil
	}
	now := r.Now().In(c.person.Location(r.Zone))
	m, ok := when.ReadMoment(c.rest, now)
	switch {
	case !ok || m.Rest == "":
		return result{text: howToRemind}, nil
	case !m.At.After(now):
		return result{text: fmt.Sprintf("%s is over. %s", m.At.Format(DueLayout), howToRemind)}, nil
	case m.At.After(now.AddDate(remindYears, 0, 0)):
		return result{text: fmt.Sprintf("That is more than %d years ahead.", remindYears)}, nil
	case utf8.RuneCountInString(m.Rest) > reminder.MaxRunes:
		return result{text: fmt.Sprintf("That is too long: a reminder has at most %d characters.", reminder.MaxRunes)}, nil
	}
	return result{apply: func(ctx context.Context, answer log.CommandAnswer) error { return r.addReminder(ctx, c, m, answer) }}, nil
}

// addReminder stores a reminder, or says that there are too many.
func (r Runner) addReminder(ctx context.Context, c call, m when.Moment, answer log.CommandAnswer) error {
	add := reminder.Reminder{Persona: r.Card.Key, Person: c.person.ID, Room: c.room, Text: m.Rest, Due: m.At, Wall: m.Wall}
	err := r.Store.Reminders.Add(ctx, add, func(id int64) log.CommandAnswer {
		answer.Text = markdown.Escape(fmt.Sprintf("I will remind you on %s: %s (/remind drop %d takes it back)%s", m.At.Format(DueLayout), log.Redact(m.Rest), id, r.guessedZone(c)))
		return answer
	})
	if errors.Is(err, reminder.ErrTooMany) {
		answer.Text = fmt.Sprintf("You have %d reminders waiting, and I keep no more. /remind lists them, /remind drop NUMBER drops one.", reminder.MaxWaiting)
		return r.Store.Log.AnswerCommand(ctx, answer)
	}
	r.Outbox.ReminderAdded()
	return err
}

// guessedZone says by which clock the time goes if the person never named theirs.
func (r Runner) guessedZone(c call) string {
	if c.person.Timezone != "" {
		return ""
	}
	return "\nThat is by my clock; /timezone sets yours."
}

// remindersShown is how many reminders are listed.
const remindersShown = 20

func (r Runner) listReminders(ctx context.Context, c call) (result, error) {
	waiting, err := r.Store.Reminders.Waiting(ctx, r.Card.Key, c.person.ID)
	if err != nil || len(waiting) == 0 {
		return result{text: "Nothing waits. " + howToRemind}, err
	}
	var b strings.Builder
	b.WriteString("What I will remind you of:")
	for _, w := range waiting[:min(len(waiting), remindersShown)] {
		fmt.Fprintf(&b, "\n  %d  %s  %s", w.ID, w.Due.In(c.person.Location(r.Zone)).Format(DueLayout), r.attributed("", w.Text))
	}
	if n := len(waiting) - remindersShown; n > 0 {
		fmt.Fprintf(&b, "\n  and %d more", n)
	}
	b.WriteString("\n/remind drop NUMBER drops one.")
	return result{text: b.String()}, nil
}

// dropReminder drops a reminder together with the answer that says so.
func (r Runner) dropReminder(c call, number string) result {
	id, err := strconv.ParseInt(strings.TrimPrefix(number, "#"), 10, 64)
	if err != nil {
		return result{text: "Which one? /remind lists them with their numbers."}
	}
	return result{apply: func(ctx context.Context, answer log.CommandAnswer) error {
		err := r.Store.Reminders.Drop(ctx, r.Card.Key, c.person.ID, id, func(dropped reminder.Reminder) log.CommandAnswer {
			due := dropped.Due.In(c.person.Location(r.Zone)).Format(time.DateTime)
			answer.Text = markdown.Escape(fmt.Sprintf("Dropped: %s (%s).", r.attributed("", dropped.Text), due))
			return answer
		})
		if errors.Is(err, memory.ErrNotFound) {
			answer.Text = fmt.Sprintf("You have no reminder %d. /remind lists them.", id)
			return r.Store.Log.AnswerCommand(ctx, answer)
		}
		return err
	}}
}
