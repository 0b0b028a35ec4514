package find

import (
	"context"
	"errors"
	"time"

	"familiar/channels"
	"familiar/channels/console"
	"familiar/memory"
	"familiar/memory/model"
)

// PersonOrNew returns the person that Person finds. If nobody is called so, it meets them as somebody who opens the terminal
// under this name, console.DefaultName if it is empty, as `familiar chat --as NAME` does; isNew reports that.
func PersonOrNew(ctx context.Context, store *memory.Store, persona, word string, now time.Time) (p model.Person, isNew bool, err error) {
	author, room := console.Person(word)
	if word == "" {
		p, err = store.Log.PersonByHandle(ctx, author.Handle)
	} else {
		p, err = Person(ctx, store, persona, word)
	}
	if !errors.Is(err, memory.ErrNotFound) {
		return p, false, err
	}
	p, _, err = store.Turns.UpsertParticipant(ctx, channels.Message{Room: room, Author: author, Direct: true, Arrival: true, At: now})
	return p, true, err
}
