package find

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
	"familiar/channels/console"
	"familiar/memory"
	"familiar/memory/model"
)

// Participated is the person who took part in a conversation elsewhere.
type Participated struct {
	Person model.Person
	// Author is an account of theirs, at the terminal if they have one there.
	Author channels.Author
	// Met says that they were not known before.
	Met bool
}

// Participant returns the person that Person finds. Somebody who is not known yet is met at the terminal; a number must be known.
func Participant(ctx context.Context, store *memory.Store, persona, as string, now time.Time) (Participated, error) {
	found, err := Person(ctx, store, persona, as)
	_, number := strconv.Atoi(as)
	switch {
	case err == nil && len(found.Handles) > 0:
		i := max(0, slices.IndexFunc(found.Handles, func(h channels.Handle) bool { return h.Channel == console.Name }))
		return Participated{Person: found, Author: channels.Author{Handle: found.Handles[i], Name: found.Name}}, nil
	case err != nil && (!errors.Is(err, memory.ErrNotFound) || number == nil):
		return Participated{}, err
	}
	id := strings.ToLower(as)
	met := Participated{Author: channels.Author{Handle: channels.Handle{Channel: console.Name, ID: id}, Name: as}, Met: true}
	met.Person, _, err = store.Turns.UpsertParticipant(ctx, channels.Message{
		Room: channels.Room{Channel: console.Name, ID: "dm/" + id}, Author: met.Author, Direct: true, At: now,
	})
	return met, err
}
