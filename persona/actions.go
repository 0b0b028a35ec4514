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

// applyAction carries out what someone did to a message that was said before: it is taken into what is remembered and
// never answered. The order of the room is kept, so that what it is about was dealt with before.
func (e *Engine) applyAction(ctx context.Context, h log.InboxEntry) error {
	m := h.Message
	about, before, err := e.Store.Log.MessageByExternalID(ctx, e.Card.Key, m.Room, m.TargetID)
	if errors.Is(err, memory.ErrNotFound) {
		err = e.Store.Log.HandleUnknownTarget(ctx, e.Card.Key, h)
		e.wake(m.Room) // it may be heard as something said
		return wrap(err, "deal with what was done to a message nobody knows")
	}
	if err != nil {
		return fmt.Errorf("find what was acted upon: %w", err)
	}
	switch m.Action {
	case channels.Edit:
		return wrap(e.editMessage(ctx, h, about, before), "take in an edit")
	case channels.Delete:
		return wrap(e.deleteMessage(ctx, h, about), "take a message back")
	case channels.React:
		return wrap(e.addReaction(ctx, h, about), "keep a reaction")
	}
	e.Log.Warn("a channel does what nobody knows", "channel", m.Room.Channel, "act", m.Action)
	return e.Store.Log.Dismiss(ctx, h.ID)
}

// wrap is err with what was being done, nil when nothing went wrong.
func wrap(err error, act string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", act, err)
}

// editMessage takes a message in as it reads now. Nobody is answered a second time.
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

// reannotate files a message of person's as a turn would have, with the open loops that it answers. before is what the persona
// had said right before it.
func (e *Engine) reannotate(m channels.Message, person model.Person, before string, open []model.Loop) (model.Annotation, []int64) {
	f := entry.Filer{WithoutFacts: e.Card.WithoutFacts}.File(m, before, person.Location(e.Settings.Zone))
	said := scene.Line{PersonID: person.ID, Name: person.Name, Text: m.FullText(), At: m.At, Analysis: f.Analysis}
	f.Analysis.Claims = scene.NamePlans(f.Analysis.Claims, open, []scene.Line{{Self: true, Text: before}, said})
	said.Analysis = f.Analysis
	return f, scene.AnsweredLoops(open, said, words.Head(before))
}

// deleteMessage forgets a message that its author, or the network, took back. Whoever else says so changes nothing.
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

// personByAuthor returns who owns the account of an author, under either of its IDs; memory.ErrNotFound when nobody was
// met under them.
func (e *Engine) personByAuthor(ctx context.Context, a channels.Author) (model.Person, error) {
	person, err := e.Store.Log.PersonByHandle(ctx, a.Handle)
	if errors.Is(err, memory.ErrNotFound) && a.Alias != "" {
		return e.Store.Log.PersonByHandle(ctx, channels.Handle{Channel: a.Handle.Channel, ID: a.Alias})
	}
	return person, err
}

// addReaction keeps a reaction. Whoever puts one to the persona's words was there, and that is all it tells of the two.
func (e *Engine) addReaction(ctx context.Context, h log.InboxEntry, about model.Message) error {
	who := h.Message
	who.Arrival = true // whoever only reacts has not spoken there
	room, err := e.Store.Log.RoomByID(ctx, about.RoomID)
	if err != nil {
		return err
	}
	who.Room = room.Room // in the thread of the message, which the network need not name
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

// moveRoom follows a room, and the person of a direct one, to the new id before anything is heard under it. Done twice, it
// changes nothing.
func (e *Engine) moveRoom(ctx context.Context, m channels.Message) error {
	var rooms []model.Room
	var err error
	if m.Direct {
		rooms, err = e.Store.Turns.MoveDirect(ctx, m.Author.Handle, m.Room, m.TargetID)
	} else {
		rooms, err = e.Store.Log.MoveRoom(ctx, m.Room, m.TargetID)
	}
	if errors.Is(err, log.ErrOtherAudience) { // as often as it is delivered
		e.Log.Error("a room cannot be followed", "room", m.Room, "error", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("follow a room: %w", err)
	}
	for _, room := range rooms {
		e.sender.addWork(room, unknownCount)
	}
	return nil
}

// amendPending carries out what was done to messages of pending that are not answered yet: the answer is for what they
// say now. It reports whether pending is to be read again. An act that fails is what the lane stumbles over, not what
// it is done to.
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
			e.cancelPreview(ctx, of.Message) // first: who is killed in between does it again
		}
		l.first = h.ID
		if err := e.Store.Log.AmendPending(ctx, h, of); err != nil {
			return false, fmt.Errorf("amend what is not answered yet: %w", err)
		}
		l.first = 0
		if h.Message.Action == channels.Delete {
			delete(said, h.Message.TargetID)
			e.NoReply(of.Message)
		} else {
			of.Message.Text = h.Message.Text // what edits it again finds it as it is
			said[h.Message.TargetID] = of
		}
		changed = true
	}
	return changed, nil
}

// posts returns those of pending that say something: what is done to them waits until they are dealt with.
func posts(pending []log.InboxEntry) []log.InboxEntry {
	var said []log.InboxEntry
	for _, h := range pending {
		if h.Message.Action == channels.Post {
			said = append(said, h)
		}
	}
	return said
}
