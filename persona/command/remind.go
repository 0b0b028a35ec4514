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

// remindCommand adds a reminder, lists those that wait, or drops one.
func (r Runner) remindCommand(ctx context.Context, c call) (result, error) {
	if !c.room.Direct {
		return c.told("direct.only"), nil
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
		return c.told("remind.how"), nil
	case !m.At.After(now):
		return c.told("remind.over", "due", c.time("due", m.At), "how", c.say("remind.how")), nil
	case m.At.After(now.AddDate(remindYears, 0, 0)):
		return c.told("remind.far", "years", remindYears), nil
	case utf8.RuneCountInString(m.Rest) > reminder.MaxRunes:
		return c.told("remind.long", "n", reminder.MaxRunes), nil
	}
	return result{apply: func(ctx context.Context, answer log.CommandAnswer) error { return r.addReminder(ctx, c, m, answer) }}, nil
}

// addReminder stores a reminder, or says that there are too many.
func (r Runner) addReminder(ctx context.Context, c call, m when.Moment, answer log.CommandAnswer) error {
	add := reminder.Reminder{Persona: r.Card.Key, Person: c.person.ID, Room: c.room, Text: m.Rest, Due: m.At, Wall: m.Wall}
	err := r.Store.Reminders.Add(ctx, add, func(id int64) log.CommandAnswer {
		answer.Text = markdown.Escape(c.say("remind.added", "due", c.time("due", m.At), "text", log.Redact(m.Rest), "id", id) + c.guessedZone())
		return answer
	})
	if errors.Is(err, reminder.ErrTooMany) {
		answer.Text = c.say("remind.many", "n", reminder.MaxWaiting)
		return r.Store.Log.AnswerCommand(ctx, answer)
	}
	r.Outbox.ReminderAdded()
	return err
}

// guessedZone says by which clock the time goes if the person never named theirs.
func (c call) guessedZone() string {
	if c.person.Timezone != "" {
		return ""
	}
	return "\n" + c.say("remind.zone")
}

// remindersShown is how many reminders are listed.
const remindersShown = 20

func (r Runner) listReminders(ctx context.Context, c call) (result, error) {
	waiting, err := r.Store.Reminders.Waiting(ctx, r.Card.Key, c.person.ID)
	if err != nil || len(waiting) == 0 {
		return c.told("remind.none", "how", c.say("remind.how")), err
	}
	var b strings.Builder
	b.WriteString(c.say("remind.list"))
	for _, w := range waiting[:min(len(waiting), remindersShown)] {
		fmt.Fprintf(&b, "\n  %d  %s  %s", w.ID, c.time("due", w.Due.In(c.person.Location(r.Zone))), attributed("", w.Text))
	}
	if n := len(waiting) - remindersShown; n > 0 {
		b.WriteString("\n  " + c.say("list.more", "n", n))
	}
	b.WriteString("\n" + c.say("remind.drop"))
	return result{text: b.String()}, nil
}

// dropReminder drops a reminder together with the answer that says so.
func (r Runner) dropReminder(c call, number string) result {
	id, err := strconv.ParseInt(strings.TrimPrefix(number, "#"), 10, 64)
	if err != nil {
		return c.told("remind.which")
	}
	return result{apply: func(ctx context.Context, answer log.CommandAnswer) error {
		err := r.Store.Reminders.Drop(ctx, r.Card.Key, c.person.ID, id, func(dropped reminder.Reminder) log.CommandAnswer {
			due := c.time("due", dropped.Due.In(c.person.Location(r.Zone)))
			answer.Text = markdown.Escape(c.say("remind.dropped", "text", attributed("", dropped.Text), "due", due))
			return answer
		})
		if errors.Is(err, memory.ErrNotFound) {
			answer.Text = c.say("remind.unknown", "id", id)
			return r.Store.Log.AnswerCommand(ctx, answer)
		}
		return err
	}}
}

// lateAfter is from when on a reminder says that it is late.
const lateAfter = 5 * time.Minute

// Reminded words a reminder for a person at a time in their timezone. language is the one that they chose, "" for none.
func Reminded(due reminder.Reminder, language string, now time.Time) string {
	text := "⏰ " + markdown.Escape(due.Text)
	if now.Sub(due.Due) > lateAfter {
		in := tongueOf(language, due.Text)
		text += "\n" + in.say("remind.late", "due", in.time("due", due.Due.In(now.Location())))
	}
	return text
}
