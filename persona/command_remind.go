package persona

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

// howToRemind is the answer to a reminder that cannot be read.
const howToRemind = "Say when and what, such as /remind tomorrow at 9 call mum, /remind in 20 minutes tea, or /remind 2026-05-01 14:00 dentist."

// remindCommand adds a reminder, lists those that wait, or drops one.
func (cm commander) remindCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	if !c.room.Direct {
		return commandResult{text: onlyInPrivate}, nil
	}
	if c.rest == "" {
		return cm.listReminders(ctx, c)
	}
	if number, ok := strings.CutPrefix(strings.ToLower(c.rest), "drop"); ok && (number == "" || number[0] == ' ') {
		return cm.dropReminder(ctx, c, strings.TrimSpace(number))
	}
	now := cm.Now().In(c.person.Location(cm.Settings.Zone))
	m, ok := when.ReadMoment(c.rest, now)
	switch {
	case !ok || m.Rest == "":
		return commandResult{text: howToRemind}, nil
	case !m.At.After(now):
		return commandResult{text: fmt.Sprintf("%s is over. %s", m.At.Format(dueLayout), howToRemind)}, nil
	case m.At.After(now.AddDate(remindYears, 0, 0)):
		return commandResult{text: fmt.Sprintf("That is more than %d years ahead.", remindYears)}, nil
	case utf8.RuneCountInString(m.Rest) > reminder.MaxRunes:
		return commandResult{text: fmt.Sprintf("That is too long: a reminder has at most %d characters.", reminder.MaxRunes)}, nil
	}
	return commandResult{apply: func(ctx context.Context, answer log.CommandAnswer) error { return cm.addReminder(ctx, c, m, answer) }}, nil
}

// addReminder stores a reminder, or says that there are too many.
func (cm commander) addReminder(ctx context.Context, c commandRequest, m when.Moment, answer log.CommandAnswer) error {
	r := reminder.Reminder{Persona: cm.Card.Key, Person: c.person.ID, Room: c.room, Text: m.Rest, Due: m.At, Wall: m.Wall}
	err := cm.Store.Reminders.Add(ctx, r, func(id int64) log.CommandAnswer {
		answer.Text = markdown.Escape(fmt.Sprintf("I will remind you on %s: %s (/remind drop %d takes it back)%s", m.At.Format(dueLayout), log.Redact(m.Rest), id, cm.guessedZone(c)))
		return answer
	})
	if errors.Is(err, reminder.ErrTooMany) {
		answer.Text = fmt.Sprintf("You have %d reminders waiting, and I keep no more. /remind lists them, /remind drop NUMBER drops one.", reminder.MaxWaiting)
		return cm.Store.Log.AnswerCommand(ctx, answer)
	}
	cm.noteReminder()
	return err
}

// guessedZone says by which clock the time goes if the person never named theirs.
func (cm commander) guessedZone(c commandRequest) string {
	if c.person.Timezone != "" {
		return ""
	}
	return "\nThat is by my clock; /timezone sets yours."
}

// remindersShown is how many reminders are listed.
const remindersShown = 20

func (cm commander) listReminders(ctx context.Context, c commandRequest) (commandResult, error) {
	waiting, err := cm.Store.Reminders.Waiting(ctx, cm.Card.Key, c.person.ID)
	if err != nil || len(waiting) == 0 {
		return commandResult{text: "Nothing waits. " + howToRemind}, err
	}
	var b strings.Builder
	b.WriteString("What I will remind you of:")
	for _, r := range waiting[:min(len(waiting), remindersShown)] {
		fmt.Fprintf(&b, "\n  %d  %s  %s", r.ID, r.Due.In(c.person.Location(cm.Settings.Zone)).Format(dueLayout), cm.attributed("", r.Text))
	}
	if n := len(waiting) - remindersShown; n > 0 {
		fmt.Fprintf(&b, "\n  and %d more", n)
	}
	b.WriteString("\n/remind drop NUMBER drops one.")
	return commandResult{text: b.String()}, nil
}

func (cm commander) dropReminder(ctx context.Context, c commandRequest, number string) (commandResult, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(number, "#"), 10, 64)
	if err != nil {
		return commandResult{text: "Which one? /remind lists them with their numbers."}, nil //nolint:nilerr // the person is told
	}
	r, err := cm.Store.Reminders.Drop(ctx, cm.Card.Key, c.person.ID, id)
	if errors.Is(err, memory.ErrNotFound) {
		return commandResult{text: fmt.Sprintf("You have no reminder %d. /remind lists them.", id)}, nil
	}
	if err != nil {
		return commandResult{}, err
	}
	return commandResult{text: fmt.Sprintf("Dropped: %s (%s).", cm.attributed("", r.Text), r.Due.In(c.person.Location(cm.Settings.Zone)).Format(time.DateTime))}, nil
}
