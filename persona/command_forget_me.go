package persona

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/log"
	"familiar/memory/model"
)

// proposeSelf counts everything of the person and waits for their yes.
func (cm commander) proposeSelf(ctx context.Context, c commandRequest) (commandResult, error) {
	if !c.room.Direct {
		return commandResult{text: "Say /forget me in our direct talk."}, nil
	}
	would, err := cm.Store.Eraser.CountPerson(ctx, c.person.ID)
	if err != nil {
		return commandResult{}, err
	}
	waiting, err := json.Marshal(proposal{Self: true, Until: cm.Now().Add(proposalLife)})
	if err != nil {
		return commandResult{}, fmt.Errorf("write down what would be forgotten: %w", err)
	}
	text := fmt.Sprintf("Everything I have of you would go: %s. We would be strangers again, on every network.\n"+
		"/export gives you a copy first. Say /forget yes within ten minutes and it is gone for good.", would)
	return commandResult{text: text}, cm.proposals().Put(ctx, proposalKey(c), string(waiting))
}

// eraseAndTell erases the person and queues the receipt, in one transaction, and tidies the files outside the store.
func (cm commander) eraseAndTell(ctx context.Context, h log.InboxEntry, room model.Room) error {
	ids, err := cm.Store.Log.AddressesOf(ctx, room.PersonID)
	if errors.Is(err, memory.ErrNotFound) { // somebody else was faster, and the command went with them
		return nil
	}
	if err != nil {
		return err
	}
	cm.tidyErased(ctx, ids) // first, since after a crash between the two nobody would know whom to look for
	told, err := cm.Store.Eraser.ErasePersonAndTell(ctx, room.PersonID, erase.Receipt{
		Persona: cm.Card.Key, Room: room.Room, Key: "command-" + cm.eventKey(h.Message), ReplyData: h.Message.ReplyData,
		Text: func(gone erase.ForgetResult) string {
			return fmt.Sprintf("Forgotten for good: %s. If you write to me again, we meet for the first time.", gone)
		},
	})
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	cm.sender.wake(told)
	cm.tidyErased(ctx, ids) // again: what they typed is forgotten once it is not stored, and the process went on
	return nil
}

// tidyErased tidies the files outside the store. A failure does not keep the store from erasing.
func (cm commander) tidyErased(ctx context.Context, ids []string) {
	if cm.Erased == nil {
		return
	}
	if err := cm.Erased(ctx, ids); err != nil {
		cm.Log.Error("tidy the files of an erased person", "error", err)
	}
}
