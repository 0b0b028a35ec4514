package main

import (
	"context"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/model"
)

// roomNames are the display names of the stored rooms by address.
type roomNames map[channels.Room]string

func readRoomNames(ctx context.Context, store *memory.Store) (roomNames, error) {
	rooms, err := store.Log.Rooms(ctx)
	names := make(roomNames, len(rooms))
	for _, r := range rooms {
		names[r.Room] = roomName(r)
	}
	return names, err
}

// of returns the name of a room of which only the address may be known.
func (n roomNames) of(r model.Room) string { return n.at(r.Room) }

// at returns the name of the room at an address.
func (n roomNames) at(address channels.Room) string {
	if name, ok := n[address]; ok {
		return name
	}
	return address.Channel + "/" + address.ID
}
