package command

import (
	"context"
	"errors"

	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/log"
	"familiar/memory/model"
)

// proposeSelf counts everything of the person and waits for their yes.
func (r Runner) proposeSelf(ctx context.Context, c call) (result, error) {
	if !c.room.Direct {
		return c.told("forget.me.direct"), nil
	}
	would, err := r.Store.Eraser.CountPerson(ctx, c.person.ID)
	if err != nil {
		return result{}, err
	}
	return r.waitForYes(ctx, c, proposal{Self: true}, c.told("forget.me.propose", "gone", c.gone(would)))
}

// eraseAndTell erases the person and queues the receipt, in one transaction, and tidies the files outside the store.
func (r Runner) eraseAndTell(ctx context.Context, h log.InboxEntry, room model.Room, in *tongue) error {
	ids, err := r.Store.Log.AddressesOf(ctx, room.PersonID)
	if errors.Is(err, memory.ErrNotFound) { // somebody else was faster, and the command went with them
		return nil
	}
	if err != nil {
		return err
	}
	r.tidyErased(ctx, ids) // first, since after a crash between the two nobody would know whom to look for
	told, err := r.Store.Eraser.ErasePersonAndTell(ctx, room.PersonID, erase.Receipt{
		Persona: r.Card.Key, Room: room.Room, Key: r.answerKey(h.Message), ReplyData: h.Message.ReplyData,
		Text: func(gone erase.ForgetResult) string {
			return in.say("forget.me.done", "gone", in.gone(gone))
		},
	})
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	r.Outbox.Wake(told)
	r.tidyErased(ctx, ids) // again: what they typed is forgotten once it is not stored, and the process went on
	return nil
}

// tidyErased tidies the files outside the store. A failure does not keep the store from erasing.
func (r Runner) tidyErased(ctx context.Context, ids []string) {
	if r.Erased == nil {
		return
	}
	if err := r.Erased(ctx, ids); err != nil {
		r.Log.Error("tidy the files of an erased person", "error", err)
	}
}
