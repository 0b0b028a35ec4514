package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
	"familiar/internal/lazyregexp"
	"familiar/internal/text"
	"familiar/memory/erase"
	"familiar/memory/model"
	"familiar/memory/when"
)

// proposedAtOnce is how many memories one /forget may take, proposedShown how many of them it lists.
const proposedAtOnce, proposedShown = 100, 12

// spokenYes is what follows /forget if somebody said yes aloud.
const spokenYes = "yes, aloud"

// forgetCommand forgets one memory of the person's own by its number. What it finds by words or a time it lists first, and
// forgets it once the person says yes.
func (r Runner) forgetCommand(ctx context.Context, c call) (result, error) {
	if id, ok := memoryNumber(c.rest); ok {
		return r.forgetNumber(ctx, c, id)
	}
	if id, ok := factNamed(c.rest); ok {
		return r.forgetFact(ctx, c, id)
	}
	switch strings.ToLower(strings.Trim(c.rest, " .!")) {
	case "":
		return c.told("forget.which"), nil
	case "me":
		return r.proposeSelf(ctx, c)
	case "yes":
		return r.forgetProposed(ctx, c)
	case spokenYes:
		return c.told("forget.spoken"), nil
	case "no":
		return c.told("forget.no"), r.Proposals.Delete(ctx, proposalKey(c))
	}
	found, err := r.findToForget(ctx, c)
	if err != nil || len(found) == 0 {
		return c.told("forget.none"), err
	}
	return r.propose(ctx, c, found)
}

// forgetNumber forgets the memory with that number.
func (r Runner) forgetNumber(ctx context.Context, c call, id int64) (result, error) {
	own, err := r.known().IsOwn(ctx, c.asker(), id)
	if err != nil || !own {
		return c.told("forget.notyours", "id", id), err
	}
	return result{forget: []int64{id}, forgotten: func(gone erase.ForgetResult) string {
		return c.say("forget.done.one", "id", id, "gone", c.gone(gone))
	}}, nil
}

// findToForget finds what the person said in the time that the command names, or of what it names. It returns one more than
// may go at once if there is more.
func (r Runner) findToForget(ctx context.Context, c call) (found []model.Memory, err error) {
	now := r.Now().In(c.person.Location(r.Zone))
	if from, until, ok := timeNamed(c.rest, now); ok {
		return r.Store.Recall.SaidBetween(ctx, c.hearing, c.person.ID, from, until, proposedAtOnce+1)
	}
	return r.known().Said(ctx, c.asker(), c.rest, proposedAtOnce+1)
}

// lastHours matches a time shorter than a day in the languages of the wordings, without accents: "last 2 hours", "letzte
// Stunde", "las ultimas 2 horas", "les 2 dernieres heures".
var lastHours = lazyregexp.New(`^(?:(?:the|die|der|den|la|las|el|los|le|les)\s+)?(?:(\d{1,3})\s+)?(?:last|past|letzten?|ultim[ao]s?|derni(?:er|ere)s?)\s+` +
	`(?:(\d{1,3})\s+)?(?:(minut)(?:e[ns]?|os?)|hours?|stunden?|horas?|heures?)$`)

// timeNamed returns the time that a text names if it names nothing else.
func timeNamed(said string, now time.Time) (from, until time.Time, ok bool) {
	said = strings.ToLower(strings.TrimSpace(said))
	if m := lastHours.FindStringSubmatch(text.Plain(said)); m != nil {
		n, unit := 1, time.Hour
		if count := m[1] + m[2]; count != "" {
			n, _ = strconv.Atoi(count) // the pattern has digits only
		}
		if m[3] != "" {
			unit = time.Minute
		}
		return now.Add(-time.Duration(n) * unit), now.Add(time.Minute), true // clocks differ a little
	}
	for _, span := range when.Find(said, now) {
		if span.Start == 0 && span.End == len(said) && span.From.Before(now) {
			return span.From, span.Until, true
		}
	}
	return from, until, false
}

// propose lists what would go and waits for the person's yes.
func (r Runner) propose(ctx context.Context, c call, found []model.Memory) (result, error) {
	more := len(found) > proposedAtOnce
	found = found[:min(len(found), proposedAtOnce)]
	var p proposal
	var b strings.Builder
	count := c.count(len(found), "memory")
	if more {
		count = c.say("forget.first", "n", len(found))
	}
	b.WriteString(c.say("forget.propose", "count", count))
	for i, m := range found {
		p.Memories = append(p.Memories, m.ID)
		if i < proposedShown {
			fmt.Fprintf(&b, "\n  %d  %s  %s", m.ID, c.time("datetime", m.Created.In(c.person.Location(r.Zone))), attributed(m.Author, m.Text))
		}
	}
	if n := len(found) - proposedShown; n > 0 {
		b.WriteString("\n  " + c.say("list.more", "n", n))
	}
	b.WriteString("\n" + c.say("forget.confirm"))
	return r.waitForYes(ctx, c, p, result{text: b.String(), memories: p.Memories})
}

// forgetProposed forgets what was listed last, as far as it still is the person's own.
func (r Runner) forgetProposed(ctx context.Context, c call) (result, error) {
	nothing := c.told("forget.nothing")
	p, err := r.Proposals.of(ctx, proposalKey(c))
	if errors.Is(err, channels.ErrNotFound) {
		return nothing, nil
	}
	if err != nil {
		return result{}, err
	}
	if p.Language != "" {
		c.tongue = tongueOf(p.Language, "")
	}
	if p.Self && c.room.Direct && !r.Now().After(p.Until) {
		return result{eraseSelf: c.tongue}, nil
	}
	var owned error
	p.Memories = slices.DeleteFunc(p.Memories, func(id int64) bool {
		own, err := r.known().IsOwn(ctx, c.asker(), id)
		owned = errors.Join(owned, err)
		return !own
	})
	if owned != nil || len(p.Memories) == 0 || r.Now().After(p.Until) {
		return nothing, errors.Join(owned, r.Proposals.Delete(ctx, proposalKey(c)))
	}
	spent := func(ctx context.Context) error { return r.Proposals.Delete(ctx, proposalKey(c)) }
	return result{forget: p.Memories, afterwards: spent, forgotten: func(gone erase.ForgetResult) string {
		return c.say("forget.done", "gone", c.gone(gone))
	}}, nil
}

// memoryNumber parses "12" or "#12".
func memoryNumber(word string) (int64, bool) {
	id, err := strconv.ParseInt(strings.TrimPrefix(word, "#"), 10, 64)
	return id, err == nil
}
