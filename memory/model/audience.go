package model

import "familiar/channels"

// Audience is who may see something. It is comparable and serves as the key of a scope.
type Audience struct {
	Kind AudienceKind
	// Ref is the person of a private audience, the room of a room audience, and 0 for world.
	Ref int64
}

// AudienceKind is private, room or world.
type AudienceKind string

// The kinds of audience.
const (
	// Private covers what was said in a person's direct rooms. It is repeated only there.
	Private AudienceKind = "private"
	// InRoom covers what was said in a group. It is repeated in that group, and in the direct rooms of people who have
	// spoken in the group.
	InRoom AudienceKind = "room"
	// World covers the operator's lore. It is repeated everywhere.
	World AudienceKind = "world"
)

// Room is a stored room.
type Room struct {
	ID int64
	channels.Room
	Direct bool
	// PersonID is the person of a direct room, 0 for groups.
	PersonID int64
	Title    string
}

// Audience is the audience of what is said in the room.
func (r Room) Audience() Audience {
	if r.Direct {
		return Audience{Kind: Private, Ref: r.PersonID}
	}
	return Audience{Kind: InRoom, Ref: r.ID}
}

// Person is the value of the column for the person of a private audience, nil for other audiences.
func (a Audience) Person() any {
	if a.Kind == Private {
		return a.Ref
	}
	return nil
}

// Room is the value of the column for the room of a room audience, nil for other audiences.
func (a Audience) Room() any {
	if a.Kind == InRoom {
		return a.Ref
	}
	return nil
}

// Unclaimed reports whether r is the direct room of a stranger who has not been approved.
func (r Room) Unclaimed() bool { return r.Direct && r.PersonID == 0 }
