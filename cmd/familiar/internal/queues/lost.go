package queues

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

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/persona/words"
)

// Lost is what did not get through in one room: dead letters, or messages that could not be answered.
type Lost struct {
	channel, room string
	count         int
	// last is when the last of them was given up, and reason why.
	last   time.Time
	reason string
}

// The commands that help with what did not get through.
const (
	HelpLetters  = "`familiar outbox list --dead` lists them; `familiar outbox resend NUMBER` sends one again, `drop NUMBER` drops it"
	HelpMessages = "`familiar inbox list` lists them; `familiar inbox retry NUMBER` has one answered after all, `drop NUMBER` drops it"
)

// ReasonRunes is how much of a reason is shown.
const ReasonRunes = 160

// In describes it, counted as what: "2 dead letters in Ann, the last 3 hours ago: blocked".
func (l Lost) In(what string, now time.Time) string {
	when := humanize.RelTime(l.last, now, "ago", "from now")
	if l.count > 1 {
		when = "the last " + when
	}
	reason, _, _ := strings.Cut(l.reason, "\n")
	return fmt.Sprintf("%s in %s, %s: %s", english.Plural(l.count, what, ""), cli.OneLine(l.room), when, words.Cut(cli.OneLine(reason), ReasonRunes))
}

// byRoom counts per room what is added.
type byRoom []Lost

func (all *byRoom) add(channel, room string, at time.Time, reason string) {
	i := slices.IndexFunc(*all, func(l Lost) bool { return l.channel == channel && l.room == room })
	if i < 0 {
		i, *all = len(*all), append(*all, Lost{channel: channel, room: room})
	}
	l := &(*all)[i]
	if l.count++; !at.Before(l.last) {
		l.last, l.reason = at, reason
	}
}

// latestFirst returns the rooms with the latest losses first.
func (all byRoom) latestFirst() []Lost {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Lost) int { return cmp.Compare(b.last.Unix(), a.last.Unix()) })
}

// ReadLost returns the dead letters and the messages that could not be answered, by room. Without a database there are none.
func ReadLost(ctx context.Context, inv *cli.Invocation) (letters, messages []Lost, err error) {
	err = inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		rooms, err := find.ReadRoomNames(ctx, store)
		if err != nil {
			return err
		}
		dead, err := cli.OfServed(ctx, cfg, store.Log.DeadLetters)
		if err != nil {
			return err
		}
		var unsent, unanswered byRoom
		for _, o := range dead {
			unsent.add(o.Room.Channel, rooms.Of(o.Room), o.Died, o.LastError)
		}
		given, err := cli.OfServed(ctx, cfg, store.Log.DeadMessages)
		for _, d := range given {
			unanswered.add(d.Message.Room.Channel, rooms.At(d.Message.Room), d.Died, d.LastError)
		}
		letters, messages = unsent.latestFirst(), unanswered.latestFirst()
		return err
	})
	if errors.Is(err, memory.ErrNotFound) {
		err = nil
	}
	return letters, messages, err
}

// LostShown is how many rooms the doctor names.
const LostShown = 5

// LettersOn words the dead letters of a network on one line, "" for none.
func LettersOn(letters []Lost, channel string, now time.Time) string {
	var said []string
	for _, l := range letters {
		if l.channel == channel && len(said) < LostShown {
			said = append(said, l.In("dead letter", now))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(append(said, HelpLetters), "; ")
}
