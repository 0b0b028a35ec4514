package persona

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// applyAction applies an edit, deletion or reaction to an earlier message. It changes what is remembered and is never
// answered. Actions keep the order of their room, so the target was processed before.
func (e *Engine) applyAction(ctx context.Context, h log.InboxEntry) error {
	m := h.Message
	about, before, err := e.Store.Log.MessageByExternalID(ctx, e.Card.Key, m.Room, m.TargetID)
	if errors.Is(err, memory.ErrNotFound) {
		err = e.Store.Log.HandleUnknownTarget(ctx, e.Card.Key, h)
		e.wake(m.Room) // it may now be processed as a new message
		return wrap(err, "keep an action on an unknown message")
	}
	if err != nil {
		return fmt.Errorf("find the target of an action: %w", err)
	}
	switch m.Action {
	case channels.Edit:
		return wrap(e.editMessage(ctx, h, about, before), "apply an edit")
	case channels.Delete:
		return wrap(e.deleteMessage(ctx, h, about), "apply a deletion")
	case channels.React:
		return wrap(e.addReaction(ctx, h, about), "store a reaction")
	}
	e.Log.Warn("unknown action from a channel", "channel", m.Room.Channel, "action", m.Action)
	return e.Store.Log.Dismiss(ctx, h.ID)
}

// wrap returns err with the action that failed, or nil if err is nil.
func wrap(err error, act string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", act, err)
}

// editMessage replaces a message with its edited text. It triggers no second reply.
func (e *Engine) editMessage(ctx context.Context, h log.InboxEntry, about model.Message, before string) error {
	person, err := e.personByAuthor(ctx, h.Message.Author)
	if errors.Is(err, memory.ErrNotFound) {
		return e.Store.Log.Dismiss(ctx, h.ID)
	}
	if err != nil {
		return err
	}
	now := h.Message
	now.ID, now.Action, now.TargetID, now.At = now.TargetID, channels.Post, "", about.At
	_, err = e.Store.Eraser.EditMessage(ctx, e.Card.Key, about.ID, model.AnnotatedMessage{InboxID: h.ID, Message: now, PersonID: person.ID},
		func(open []model.Loop) (model.Annotation, []int64) { return e.reannotate(now, person, before, open) })
	return err
}

// reannotate analyzes a message as a turn would have done and finds the open loops that it answers. before is the
// persona's message right before it.
func (e *Engine) reannotate(m channels.Message, person model.Person, before string, open []model.Loop) (model.Annotation, []int64) {
	f := entry.Annotator{WithoutFacts: e.Card.WithoutFacts}.Annotate(m, before, person.Location(e.Settings.Zone))
	f.Danger = sighted(m.FullText())
	said := scene.Line{PersonID: person.ID, Name: person.Name, Text: m.FullText(), At: m.At, Parsed: f.Analysis}
	f.Analysis.Claims = scene.NamePlans(f.Analysis.Claims, open, []scene.Line{{Self: true, Text: before}, said})
	said.Parsed = f.Analysis
	return f, scene.AnsweredLoops(open, said, words.Head(before))
}

// deleteMessage forgets a message that its author or the network deleted. A deletion by anyone else changes nothing.
func (e *Engine) deleteMessage(ctx context.Context, h log.InboxEntry, about model.Message) error {
	if author := h.Message.Author; author.Handle != (channels.Handle{}) {
		person, err := e.personByAuthor(ctx, author)
		if err != nil && !errors.Is(err, memory.ErrNotFound) {
			return err
		}
		if err != nil || person.ID != about.PersonID {
			return e.Store.Log.Dismiss(ctx, h.ID)
		}
	}
	_, err := e.Store.Eraser.DeleteMessage(ctx, e.Card.Key, h.ID, about.ID)
	return err
}

// personByAuthor returns the person who owns an author's account, under either of its IDs. It fails with
// memory.ErrNotFound if neither is known.
func (e *Engine) personByAuthor(ctx context.Context, a channels.Author) (model.Person, error) {
	person, err := e.Store.Log.PersonByHandle(ctx, a.Handle)
	if errors.Is(err, memory.ErrNotFound) && a.Alias != "" {
		return e.Store.Log.PersonByHandle(ctx, channels.Handle{Channel: a.Handle.Channel, ID: a.Alias})
	}
	return person, err
}

// addReaction stores a reaction. A reaction to the persona's message also shows that its author was present; it changes
// nothing else in the relationship.
func (e *Engine) addReaction(ctx context.Context, h log.InboxEntry, about model.Message) error {
	who := h.Message
	who.Arrival = true // a reaction is not a message
	room, err := e.Store.Log.RoomByID(ctx, about.RoomID)
	if err != nil {
		return err
	}
	who.Room = room.Room // the thread of the message, which a network may omit
	person, _, err := e.Store.Turns.UpsertParticipant(ctx, who)
	if err != nil {
		return err
	}
	r := model.Reaction{Message: about.ID, Person: person.ID, Emoji: h.Message.Text, At: h.Message.At}
	if about.PersonID == 0 && r.Emoji != "" {
		at := h.Message.At.In(person.Location(e.Settings.Zone))
		r.Relate = map[int64]func(model.Relationship) model.Relationship{
			person.ID: func(rel model.Relationship) model.Relationship { return mind.Seen(rel, at) },
		}
	}
	return e.Store.Turns.React(ctx, e.Card.Key, h.ID, r)
}

// moveRoom records the new ID of a room, and of the person in a direct room, before any message arrives under it. It is
// idempotent.
func (c *Cast) moveRoom(ctx context.Context, m channels.Message) error {
	var rooms []model.Room
	var err error
	if m.Direct {
		rooms, err = c.store.Turns.MoveDirect(ctx, m.Author.Handle, m.Room, m.TargetID)
	} else {
		rooms, err = c.store.Log.MoveRoom(ctx, m.Room, m.TargetID)
	}
	if errors.Is(err, log.ErrOtherAudience) { // retrying cannot help
		c.log.Error("cannot follow a room to its new ID", "room", m.Room, "error", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("follow a room to its new ID: %w", err)
	}
	if err := c.readChosen(ctx); err != nil {
		return err
	}
	for _, room := range rooms {
		c.sender.addWork(room, unknownCount, log.OutboxEntry{})
	}
	return nil
}

// amendPending applies edits and deletions of messages that are still pending, so that the reply answers their current
// text. It reports whether pending must be read again. If an action fails, the failure is counted against the action
// and not against its target.
func (e *Engine) amendPending(ctx context.Context, l *lane, pending []log.InboxEntry) (changed bool, err error) {
	said := map[string]log.InboxEntry{}
	for _, h := range pending {
		if h.Message.Action == channels.Post {
			said[h.Message.ID] = h
		}
	}
	for _, h := range pending {
		of, ok := said[h.Message.TargetID]
		if !ok || h.Message.Action != channels.Edit && h.Message.Action != channels.Delete {
			continue
		}
		if h.Message.Action == channels.Delete {
			e.cancelPreview(ctx, of.Message) // first: after a crash in between, both steps are repeated
		}
		l.first = h.ID
		if err := e.Store.Log.AmendPending(ctx, h, of); err != nil {
			return false, fmt.Errorf("apply an action to a pending message: %w", err)
		}
		l.first = 0
		if h.Message.Action == channels.Delete {
			delete(said, h.Message.TargetID)
			e.NoReply(of.Message)
		} else {
			of.Message.Text = h.Message.Text // a further edit starts from this text
			said[h.Message.TargetID] = of
		}
		changed = true
	}
	return changed, nil
}

// posts returns the entries of pending that are new messages. Actions on them wait until they are processed.
func posts(pending []log.InboxEntry) []log.InboxEntry {
	var said []log.InboxEntry
	for _, h := range pending {
		if h.Message.Action == channels.Post {
			said = append(said, h)
		}
	}
	return said
}
