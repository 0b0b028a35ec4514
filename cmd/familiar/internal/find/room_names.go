package find

import (
	"context"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/model"
)

// RoomNames are the display names of the stored rooms by address.
type RoomNames map[channels.Room]string

// ReadRoomNames returns the names of all rooms.
func ReadRoomNames(ctx context.Context, store *memory.Store) (RoomNames, error) {
	rooms, err := store.Log.Rooms(ctx)
	names := make(RoomNames, len(rooms))
	for _, r := range rooms {
		names[r.Room] = RoomName(r)
	}
	return names, err
}

// Of returns the name of a room of which only the address may be known.
func (n RoomNames) Of(r model.Room) string { return n.At(r.Room) }

// At returns the name of the room at an address.
func (n RoomNames) At(address channels.Room) string {
	if name, ok := n[address]; ok {
		return name
	}
	return address.Channel + "/" + address.ID
}
