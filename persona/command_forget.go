package persona

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
	"familiar/internal/lazyregexp"
	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/when"
	"familiar/persona/scene"
	"familiar/persona/words"
)

const (
	// proposedAtOnce is how many memories one /forget may take, proposedShown how many of them it lists.
	proposedAtOnce, proposedShown = 100, 12
	// proposalLife is how long "/forget yes" may follow.
	proposalLife = 10 * time.Minute
)

// forgetCommand forgets one memory of the person's own by its number. What it finds by words or a time it lists first, and
// forgets it once the person says yes.
func (cm commander) forgetCommand(ctx context.Context, c commandRequest) (commandResult, error) {
	if id, ok := memoryNumber(c.rest); ok {
		return cm.forgetNumber(ctx, c, id)
	}
	if id, ok := factNamed(c.rest); ok {
		return cm.forgetFact(ctx, c, id)
	}
	switch strings.ToLower(strings.Trim(c.rest, " .!")) {
	case "":
		return commandResult{text: "Which one? Say /forget NUMBER; /memory lists the numbers. /forget my shift finds what you said of it, /forget last hour what you said since then."}, nil
	case "yes":
		return cm.forgetProposed(ctx, c)
	case "no":
		return commandResult{text: "Then nothing is forgotten."}, cm.proposals().Delete(ctx, proposalKey(c))
	}
	found, err := cm.findToForget(ctx, c)
	if err != nil || len(found) == 0 {
		return commandResult{text: "You told me nothing of that here that I still have."}, err
	}
	return cm.propose(ctx, c, found)
}

// forgetNumber forgets the memory with that number.
func (cm commander) forgetNumber(ctx context.Context, c commandRequest, id int64) (commandResult, error) {
	own, err := cm.isOwn(ctx, c, id)
	if err != nil || !own {
		return commandResult{text: fmt.Sprintf("I have no memory %d of yours here.", id)}, err
	}
	return commandResult{forget: []int64{id}, forgotten: func(gone erase.ForgetResult) string {
		return fmt.Sprintf("Forgotten: memory %d and what rested on it (%s).", id, gone)
	}}, nil
}

// isOwn reports whether a memory is one that the person may forget here: their own statement, or their portrait, that this
// room may hear.
func (cm commander) isOwn(ctx context.Context, c commandRequest, id int64) (bool, error) {
	m, err := cm.Store.Turns.MemoryFor(ctx, c.hearing, id)
	if errors.Is(err, memory.ErrNotFound) {
		return false, nil
	}
	return m.AuthorID == c.person.ID || m.Kind == model.Portrait && c.hearing.Room().Direct && m.Audience.Kind == model.Private, err
}

// findToForget finds what the person said in the time that the command names, or of what it names. It returns one more than
// may go at once if there is more.
func (cm commander) findToForget(ctx context.Context, c commandRequest) (found []model.Memory, err error) {
	now := cm.Now().In(c.person.Location(cm.Settings.Zone))
	if from, until, ok := timeNamed(c.rest, now); ok {
		return cm.Store.Recall.SaidBetween(ctx, c.hearing, c.person.ID, from, until, proposedAtOnce+1)
	}
	about := words.Cut(c.rest, scene.QueryLimit)
	recalled, err := cm.Store.Recall.Find(ctx, c.hearing, recall.Query{
		Text: about, Near: cm.embedQuery(ctx, c.person.Name, about), Asker: c.person.ID, Now: now, Limit: proposedAtOnce + 1, WithoutFacts: cm.Card.WithoutFacts,
	})
	for _, hit := range recalled.Hits {
		if m := hit.Memory; !hit.Weak && m.Origin == model.OriginMessage && m.AuthorID == c.person.ID {
			found = append(found, m)
		}
	}
	return found, err
}

// lastHours matches a time shorter than a day.
var lastHours = lazyregexp.New(`^(?:the\s+)?(?:last|past)\s+(?:(\d{1,3})\s+)?(minute|hour)s?$`)

// timeNamed returns the time that a text names if it names nothing else.
func timeNamed(text string, now time.Time) (from, until time.Time, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if m := lastHours.FindStringSubmatch(text); m != nil {
		n, unit := 1, time.Minute
		if m[1] != "" {
			n, _ = strconv.Atoi(m[1]) // the pattern has digits only
		}
		if m[2] == "hour" {
			unit = time.Hour
		}
		return now.Add(-time.Duration(n) * unit), now.Add(time.Minute), true // clocks differ a little
	}
	for _, span := range when.Find(text, now) {
		if span.Start == 0 && span.End == len(text) && span.From.Before(now) {
			return span.From, span.Until, true
		}
	}
	return from, until, false
}

// proposal is what waits for a person's yes.
type proposal struct {
	Memories []int64
	Until    time.Time
}

// proposals holds the proposals of all rooms, without a word of what they are about.
func (cm commander) proposals() channels.StateStore { return cm.Store.Log.KeyValue(log.ProposalState) }

func proposalKey(c commandRequest) string { return fmt.Sprintf("%d/%d", c.room.ID, c.person.ID) }

// propose lists what would go and waits for the person's yes.
func (cm commander) propose(ctx context.Context, c commandRequest, found []model.Memory) (commandResult, error) {
	more := len(found) > proposedAtOnce
	found = found[:min(len(found), proposedAtOnce)]
	p := proposal{Until: cm.Now().Add(proposalLife)}
	var b strings.Builder
	fmt.Fprintf(&b, "This would go, with all that rests on it (%s):", counted(len(found), more))
	for i, m := range found {
		p.Memories = append(p.Memories, m.ID)
		if i < proposedShown {
			fmt.Fprintf(&b, "\n  %d  %s  %s", m.ID, m.Created.In(c.person.Location(cm.Settings.Zone)).Format("2 Jan 2006 15:04"), cm.attributed(m.Author, m.Text))
		}
	}
	if n := len(found) - proposedShown; n > 0 {
		fmt.Fprintf(&b, "\n  and %d more", n)
	}
	b.WriteString("\nSay /forget yes within ten minutes and it is gone for good; /forget NUMBER takes only one of them.")
	waiting, err := json.Marshal(p)
	if err != nil {
		return commandResult{}, fmt.Errorf("write down what would be forgotten: %w", err)
	}
	return commandResult{text: b.String(), memories: p.Memories}, cm.proposals().Put(ctx, proposalKey(c), string(waiting))
}

func counted(n int, more bool) string {
	switch {
	case more:
		return fmt.Sprintf("the first %d memories; ask again for the rest", n)
	case n == 1:
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}

// forgetProposed forgets what was listed last, as far as it still is the person's own.
func (cm commander) forgetProposed(ctx context.Context, c commandRequest) (commandResult, error) {
	nothing := commandResult{text: "Nothing waits to be forgotten. Say /forget and what, and I list it first."}
	waiting, err := cm.proposals().Get(ctx, proposalKey(c))
	if errors.Is(err, channels.ErrNotFound) {
		return nothing, nil
	}
	var p proposal
	if err == nil {
		err = json.Unmarshal([]byte(waiting), &p)
	}
	if err != nil {
		return commandResult{}, fmt.Errorf("read what would be forgotten: %w", err)
	}
	var owned error
	p.Memories = slices.DeleteFunc(p.Memories, func(id int64) bool {
		own, err := cm.isOwn(ctx, c, id)
		owned = errors.Join(owned, err)
		return !own
	})
	if owned != nil || len(p.Memories) == 0 || cm.Now().After(p.Until) {
		return nothing, errors.Join(owned, cm.proposals().Delete(ctx, proposalKey(c)))
	}
	return commandResult{forget: p.Memories, forgotten: func(gone erase.ForgetResult) string {
		return fmt.Sprintf("Forgotten for good: %s.", gone)
	}}, nil
}

// memoryNumber parses "12" or "#12".
func memoryNumber(word string) (int64, bool) {
	id, err := strconv.ParseInt(strings.TrimPrefix(word, "#"), 10, 64)
	return id, err == nil
}
