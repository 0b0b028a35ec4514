package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/persona/words"
)

// lost is what did not get through in one room: dead letters, or messages that could not be answered.
type lost struct {
	channel, room string
	count         int
	// last is when the last of them was given up, and reason why.
	last   time.Time
	reason string
}

// The commands that help with what did not get through.
const (
	helpLetters  = "`familiar outbox list --dead` lists them; `familiar outbox resend NUMBER` sends one again, `drop NUMBER` drops it"
	helpMessages = "`familiar inbox list` lists them; `familiar inbox retry NUMBER` has one answered after all, `drop NUMBER` drops it"
)

// reasonRunes is how much of a reason is shown.
const reasonRunes = 160

// in describes it, counted as what: "2 dead letters in Ann, the last 3 hours ago: blocked".
func (l lost) in(what string, now time.Time) string {
	when := humanize.RelTime(l.last, now, "ago", "from now")
	if l.count > 1 {
		when = "the last " + when
	}
	reason, _, _ := strings.Cut(l.reason, "\n")
	return fmt.Sprintf("%s in %s, %s: %s", english.Plural(l.count, what, ""), cli.OneLine(l.room), when, words.Cut(cli.OneLine(reason), reasonRunes))
}

// byRoom counts per room what is added.
type byRoom []lost

func (all *byRoom) add(channel, room string, at time.Time, reason string) {
	i := slices.IndexFunc(*all, func(l lost) bool { return l.channel == channel && l.room == room })
	if i < 0 {
		i, *all = len(*all), append(*all, lost{channel: channel, room: room})
	}
	l := &(*all)[i]
	if l.count++; !at.Before(l.last) {
		l.last, l.reason = at, reason
	}
}

// latestFirst returns the rooms with the latest losses first.
func (all byRoom) latestFirst() []lost {
	return slices.SortedStableFunc(slices.Values(all), func(a, b lost) int { return cmp.Compare(b.last.Unix(), a.last.Unix()) })
}

// readLost returns the dead letters and the messages that could not be answered, by room. Without a database there are none.
func readLost(ctx context.Context, inv *cli.Invocation) (letters, messages []lost, err error) {
	err = inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		rooms, err := readRoomNames(ctx, store)
		if err != nil {
			return err
		}
		dead, err := ofServed(ctx, cfg, store.Log.DeadLetters)
		if err != nil {
			return err
		}
		var unsent, unanswered byRoom
		for _, o := range dead {
			unsent.add(o.Room.Channel, rooms.of(o.Room), o.Died, o.LastError)
		}
		given, err := ofServed(ctx, cfg, store.Log.DeadMessages)
		for _, d := range given {
			unanswered.add(d.Message.Room.Channel, rooms.at(d.Message.Room), d.Died, d.LastError)
		}
		letters, messages = unsent.latestFirst(), unanswered.latestFirst()
		return err
	})
	if errors.Is(err, memory.ErrNotFound) {
		err = nil
	}
	return letters, messages, err
}

// lostShown is how many rooms the doctor names.
const lostShown = 5

// checkLost reports what did not get through.
func checkLost(ctx context.Context, inv *cli.Invocation) (found []finding, err error) {
	letters, messages, err := readLost(ctx, inv)
	for _, kind := range []struct {
		check, what, help string
		rooms             []lost
	}{
		{"outbox", "dead letter", helpLetters, letters},
		{"inbox", "unanswered message", helpMessages, messages},
	} {
		for _, l := range kind.rooms[:min(len(kind.rooms), lostShown)] {
			found = append(found, finding{kind.check, stateWarning, l.in(kind.what, inv.Now()), kind.help})
		}
		if more := len(kind.rooms) - lostShown; more > 0 {
			found = append(found, finding{kind.check, stateWarning, "the same in " + english.Plural(more, "more room", ""), kind.help})
		}
	}
	return found, err
}

// lettersOn words the dead letters of a network on one line, "" for none.
func lettersOn(letters []lost, channel string, now time.Time) string {
	var said []string
	for _, l := range letters {
		if l.channel == channel && len(said) < lostShown {
			said = append(said, l.in("dead letter", now))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(append(said, helpLetters), "; ")
}
