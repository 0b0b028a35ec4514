package persona

import (
	"context"
	"fmt"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/proof"
	"familiar/persona/scene"
	"familiar/persona/tool"
	"familiar/persona/tool/scratchpad"
	"familiar/persona/words"
)

// toolsFor returns what a model may call for the turn, nil for the tools of the memory alone.
func (e *Engine) toolsFor(t *turn) *tool.Offer {
	if e.Tools == nil {
		return nil
	}
	return e.Tools.At(tool.Place{
		Persona: e.Card.Key, Person: t.asker, Room: t.room, Server: t.pending[0].Message.Server, Visibility: t.visibility, Now: t.now,
		Turn: e.replyKey(t.pending[0].Message),
		Said: t.saidByPeople,
	})
}

// saidByPeople returns what people wrote in the running conversation, without what the persona wrote.
func (t *turn) saidByPeople() (all []string) {
	for _, m := range t.recent {
		if m.PersonID != 0 {
			all = append(all, m.Text)
		}
	}
	for i, h := range t.pending {
		if t.authors[i] != 0 {
			all = append(all, h.Message.FullText())
		}
	}
	return all
}

// notepad returns what the persona noted down for itself in the room, "" where it may not.
func (e *Engine) notepad(ctx context.Context, t *turn, tools *tool.Offer) (string, error) {
	if !tools.Has(scratchpad.Name) {
		return "", nil
	}
	text, err := e.Store.Notepads.Of(ctx, e.Card.Key, t.room)
	if err != nil {
		return "", fmt.Errorf("read the notepad of a room: %w", err)
	}
	return text, nil
}

// lookup returns what a voice may call to recall more for the turn: as far as its room may hear it, and first what the
// scene does not show yet.
func (e *Engine) lookup(t *turn) func(context.Context, string) ([]recall.Item, error) {
	return func(ctx context.Context, query string) ([]recall.Item, error) {
		q := e.recallQuery(t)
		q.Text = words.Cut(query, scene.QueryLimit)
		q.Near = e.embedQuery(ctx, t.addressedBy(), q.Text)
		found, err := e.Store.Recall.Find(ctx, t.visibility, q)
		if err != nil {
			return nil, fmt.Errorf("look up a memory: %w", err)
		}
		shown := slices.Concat(t.scene.Recall.Items, t.scene.Earlier)
		fresh := slices.DeleteFunc(slices.Clone(found.Items), func(item recall.Item) bool {
			return slices.ContainsFunc(shown, func(o recall.Item) bool { return o.MemoryID == item.MemoryID && o.BeliefID == item.BeliefID })
		})
		if len(fresh) == 0 {
			return found.Items, nil
		}
		return fresh, nil
	}
}

// whyLookedUp is the reason given for an item that the voice asked for.
const whyLookedUp = "looked up"

// lookedUp returns what the voice recalled while it answered, for the record of what shaped the reply.
func (t *turn) lookedUp(known []recall.Item) (items []recall.Item) {
	for _, item := range t.reply.LookedUp {
		if slices.ContainsFunc(known, func(o recall.Item) bool { return o.MemoryID == item.MemoryID && o.BeliefID == item.BeliefID }) {
			continue
		}
		item.Why = whyLookedUp
		items = append(items, item)
	}
	return items
}

// filed returns what the voice filed while it answered, as claims of the messages that say it.
func (t *turn) filed() (filed []turns.Filed) {
	places := t.incoming()
	add := func(n scene.Note, c belief.AttributedClaim) {
		if n.Line < 0 || n.Line >= len(places) {
			return
		}
		heard := places[n.Line]
		if slices.ContainsFunc(t.annotations[heard].Analysis.Claims, func(o understand.Claim) bool { return c.Kind == rel.Fact && proof.Echoes(n.Text, o.Value) }) {
			return // the rules read it already
		}
		c.Value, c.Sentence, c.Quote, c.Many = n.Text, n.Text, n.Quote, true
		filed = append(filed, turns.Filed{Heard: heard, Claim: c})
	}
	for _, n := range t.reply.Notes {
		add(n, belief.AttributedClaim{Claim: understand.Claim{Kind: rel.Fact, Relation: rel.Remembered}})
	}
	for _, r := range t.reply.Reminders {
		if r.ByRules {
			continue
		}
		due := r.Due
		add(r.Note, belief.AttributedClaim{Claim: understand.Claim{Kind: rel.Plan, Relation: rel.Planned, Span: &due}})
	}
	return filed
}

// reminders returns what the voice was asked to remind of in a direct room, with the messages that ask.
func (t *turn) reminders() (all []turns.Reminder) {
	places := t.incoming()
	for _, r := range t.reply.Reminders {
		if r.Line >= 0 && r.Line < len(places) {
			all = append(all, turns.Reminder{Heard: places[r.Line], Text: r.Text, Due: r.At(), Wall: true})
		}
	}
	return all
}

// incoming returns the places in pending of the messages that the scene answers.
func (t *turn) incoming() (places []int) {
	for i, h := range t.pending {
		if !h.Message.Arrival {
			places = append(places, i)
		}
	}
	return places
}
