package persona_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/memorytest"
	"familiar/memory/reminder"
	"familiar/persona"
)

// awake plays on virtual time, so that the engine's own waits pass. It begins the day before clocks change in Berlin.
func awake(t *testing.T, store *memory.Store) *stage {
	clock := new(memorytest.Clock)
	if store == nil {
		store = memorytest.OpenAt(t, clock)
	}
	return playOn(t, store, clock, func(p *persona.Parts) { p.Now = springNow })
}

// springNow is virtual time, which begins at midnight UTC on 1 January 2000, moved to spring.
func springNow() time.Time { return time.Now().AddDate(0, 0, 84).UTC() }

// said returns the texts in somebody's direct room.
func (s *stage) said(who string) (texts []string) {
	for _, out := range s.desk.in(channels.Room{Channel: "desk", ID: who}) {
		texts = append(texts, out.Text)
	}
	return texts
}

// TestRemindersAreSaidOnceAtTheirTime in virtual time: a distance, a time of day in the person's zone over a change of
// clocks, the quiet hours notwithstanding.
func TestRemindersAreSaidOnceAtTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := awake(t, nil)
		s.say("ann", "/timezone Europe/Berlin")
		if answer := s.say("ann", "/remind in 20 minutes make *tea*"); !strings.Contains(answer, "I will remind you on") {
			t.Fatalf("/remind answers %q", answer)
		}
		s.say("ann", "/remind 2000-03-26 03:30 the clocks changed")
		before := len(s.said("ann"))
		time.Sleep(19 * time.Minute)
		synctest.Wait()
		if now := s.said("ann"); len(now) != before {
			t.Fatalf("too early it says %q", now[before:])
		}
		time.Sleep(time.Minute + time.Second)
		synctest.Wait()
		now := s.said("ann")
		if len(now) != before+1 || !strings.Contains(now[before], "make ") || !strings.Contains(now[before], "tea") || strings.Contains(now[before], "late") {
			t.Fatalf("after 20 minutes it says %q", now[before:])
		}
		time.Sleep(time.Date(2000, time.March, 26, 1, 29, 0, 0, time.UTC).Sub(springNow()))
		synctest.Wait()
		if now := s.said("ann"); len(now) != before+1 {
			t.Fatalf("before the time it says %q", now[before+1:])
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if now := s.said("ann"); len(now) != before+2 || !strings.Contains(now[before+1], "the clocks changed") {
			t.Fatalf("at 03:30 in Berlin it says %q", now[before+1:])
		}
		if answer := s.say("ann", "/remind"); !strings.Contains(answer, "Nothing waits") {
			t.Errorf("afterwards /remind lists %q", answer)
		}
		s.quit()
	})
}

// TestAReminderOfThreeDaysAgoIsSaidOnceAndLate: nothing ran when it was due.
func TestAReminderOfThreeDaysAgoIsSaidOnceAndLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memorytest.Open(t)
		s := awake(t, store)
		s.say("ann", "/remind tomorrow at 9 call mum")
		s.quit()
		time.Sleep(4 * 24 * time.Hour)
		s = awake(t, store)
		synctest.Wait()
		if said := s.said("ann"); len(said) != 1 || !strings.Contains(said[0], "call mum\nI am late with this: it was for Sunday, 26 March 2000, 09:00") {
			t.Errorf("it says %q", said)
		}
		s.quit()
		s = awake(t, store)
		time.Sleep(time.Minute)
		synctest.Wait()
		if said := s.said("ann"); len(said) != 0 {
			t.Errorf("once more it says %q", said)
		}
		s.quit()
	})
}

// TestRemindersAreListedAndDropped by their person only.
func TestRemindersAreListedAndDropped(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "/remind tomorrow at 9 call mum")
	s.say("ann", "/remind on Friday at 18:00 buy milk")
	list := s.say("ann", "/remind")
	if !strings.Contains(list, "1  Tuesday, 6 January 2026, 09:00  call mum\n  2  Friday, 9 January 2026, 18:00  buy milk") {
		t.Errorf("/remind lists\n%s", list)
	}
	if answer := s.say("bob", "/remind"); strings.Contains(answer, "milk") {
		t.Errorf("Bob hears %q", answer)
	}
	if answer := s.say("bob", "/remind drop 1"); !strings.Contains(answer, "no reminder 1") {
		t.Errorf("Bob's drop answers %q", answer)
	}
	if answer := s.say("ann", "/remind drop 1"); !strings.Contains(answer, "Dropped: call mum") {
		t.Errorf("/remind drop 1 answers %q", answer)
	}
	if list := s.say("ann", "/remind"); strings.Contains(list, "call mum") || !strings.Contains(list, "milk") {
		t.Errorf("afterwards /remind lists\n%s", list)
	}
}

// TestAReminderIsDroppedWithItsAnswerOrNotAtAll: whatever the store refuses, the reminder stays and nothing is said.
func TestAReminderIsDroppedWithItsAnswerOrNotAtAll(t *testing.T) {
	for _, change := range []string{"BEFORE DELETE ON reminders", "BEFORE INSERT ON outbox", "BEFORE UPDATE ON inbox"} {
		t.Run(change, func(t *testing.T) {
			s := play(t, nil)
			s.say("ann", "/remind tomorrow at 9 call mum")
			m := s.message("ann", "/remind drop 1")
			person, room, err := s.store.Turns.UpsertParticipant(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			queued := s.counted(`SELECT count(*) FROM outbox`)
			free := s.stuck(change)
			err = s.store.Reminders.Drop(t.Context(), "tess", person.ID, 1, func(r reminder.Reminder) log.CommandAnswer {
				return log.CommandAnswer{Persona: "tess", InboxID: 1, Room: room, Key: "drop", Text: "Dropped: " + r.Text}
			})
			free()
			if err == nil {
				t.Fatal("it worked")
			}
			if n := s.counted(`SELECT count(*) FROM outbox`); n != queued {
				t.Error("it is answered, but not done")
			}
			if answer := s.say("ann", "/remind drop 1"); !strings.Contains(answer, "Dropped: call mum") {
				t.Errorf("afterwards /remind drop 1 answers %q", answer)
			}
		})
	}
}

// TestRemindersThatCannotBe get a clear word and leave nothing.
func TestRemindersThatCannotBe(t *testing.T) {
	s := play(t, nil)
	for text, want := range map[string]string{
		"/remind call mum":                                 "Say when and what",
		"/remind tomorrow":                                 "Say when and what",
		"/remind yesterday at 9 call mum":                  "is over",
		"/remind 2020-01-01 10:00 call mum":                "is over",
		"/remind 2199-01-01 10:00 call mum":                "years ahead",
		"/remind drop":                                     "Which one",
		"/remind drop everything":                          "Which one",
		"/remind drop 99999999999999999999":                "Which one",
		"/remind tomorrow " + strings.Repeat("long ", 200): "too long",
	} {
		if answer := s.say("ann", text); !strings.Contains(answer, want) {
			t.Errorf("%.60s answers %q", text, answer)
		}
	}
	if answer := s.say("ann", "/remind"); !strings.Contains(answer, "Nothing waits") {
		t.Errorf("something was kept: %q", answer)
	}
	for i := range reminder.MaxWaiting {
		s.hear(s.message("ann", fmt.Sprintf("/remind in %d minutes number %d", i+10, i)))
	}
	s.rest()
	if answer := s.say("ann", "/remind tomorrow at 9 one more"); !strings.Contains(answer, "100 reminders waiting") {
		t.Errorf("the hundred and first answers %q", answer)
	}
	if answer := s.say("bob", "/remind tomorrow at 9 call Ann"); !strings.Contains(answer, "I will remind you") {
		t.Errorf("Bob's first answers %q", answer)
	}
}

// TestRemindersAreAskedForInPlainWords: what the plain voice takes for such a wish becomes a reminder.
func TestRemindersAreAskedForInPlainWords(t *testing.T) {
	for text, want := range map[string]string{
		"Remind me to call mum tomorrow at 9":      "Tuesday, 6 January 2026, 09:00",
		"please remind me to buy milk":             "",
		"Kannst du mich morgen um 9 Uhr erinnern?": "6.1.2026, 09:00",
	} {
		s := play(t, nil)
		answer := s.say("ann", text)
		if list := s.say("ann", "/remind"); !strings.Contains(list, cmp.Or(want, "Nothing waits")) {
			t.Errorf("%q is answered with %q, and /remind lists %q", text, answer, list)
		}
	}
}
