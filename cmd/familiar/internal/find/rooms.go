package find

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"familiar/memory"
	"familiar/memory/model"
)

// Group returns the group with that title or number.
func Group(ctx context.Context, store *memory.Store, name string) (model.Room, error) {
	room, err := findRoom(ctx, store, func(r model.Room) bool {
		return !r.Direct && (strings.EqualFold(r.Title, name) || fmt.Sprint(r.ID) == name)
	})
	if errors.Is(err, memory.ErrNotFound) {
		err = fmt.Errorf("%w: no group is called %q; `familiar session list` lists the rooms", err, name)
	}
	return room, err
}

// DirectRoom returns the first direct room of a person. name is for the error.
func DirectRoom(ctx context.Context, store *memory.Store, person int64, name string) (model.Room, error) {
	room, err := findRoom(ctx, store, func(r model.Room) bool { return r.Direct && r.PersonID == person })
	if errors.Is(err, memory.ErrNotFound) {
		err = fmt.Errorf("%w: %s has no direct room yet: search with --room, or wait until they write", err, name)
	}
	return room, err
}

// findRoom returns the first room that matches.
func findRoom(ctx context.Context, store *memory.Store, match func(model.Room) bool) (model.Room, error) {
	rooms, err := store.Log.Rooms(ctx)
	if err != nil {
		return model.Room{}, err
	}
	if i := slices.IndexFunc(rooms, match); i >= 0 {
		return rooms[i], nil
	}
	return model.Room{}, memory.ErrNotFound
}

// RoomName returns a room's display name: its title, or the address of a direct room.
func RoomName(r model.Room) string {
	if r.Title != "" {
		return r.Title
	}
	return r.Channel + "/" + r.Room.ID
}
