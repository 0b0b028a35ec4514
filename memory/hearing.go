package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Hearing is a place with the audiences that may be spoken of there. Every read of what was said, believed or left
// open takes one, so that no query can forget the room it is spoken in. Only the store makes one; the zero Hearing
// hears nothing.
type Hearing struct {
	persona string
	room    Room
	// audiences are in a fixed order: a direct room hears its person's private scope, every group they have spoken in, and
	// the world; a group hears itself and the world.
	audiences []Audience
	// at is how far the scopes of audiences had come; only Store.Hearing fills it.
	at []ScopeRevision
}

// Hearing is what persona may speak of in a room. It is as of now: who speaks in a group for the first time may hear
// of it in their direct room from the next Hearing on. It fails with ErrNotFound for a room the store does not know.
func (s *Store) Hearing(ctx context.Context, persona string, roomID int64) (h Hearing, err error) {
	err = s.read(ctx, fmt.Sprintf("read who may be heard in room %d", roomID), func(tx *conn) error {
		room, err := tx.roomByID(roomID)
		if err != nil {
			return err
		}
		h, err = tx.hearingNow(persona, room)
		return err
	})
	return h, err
}

// Persona is who speaks there.
func (h Hearing) Persona() string { return h.persona }

// Room is the room being spoken in, the zero Room where there is none.
func (h Hearing) Room() Room { return h.room }

// Audiences are the scopes everyone in the room may hear, in a fixed order. The slice is shared: do not change it.
func (h Hearing) Audiences() []Audience { return h.audiences }

// hearingOf hears some audiences of persona in no room.
func hearingOf(persona string, audiences ...Audience) Hearing {
	return Hearing{persona: persona, audiences: audiences}
}

// hearingNow is hearing, which also knows how far its scopes have come.
func (c *conn) hearingNow(persona string, room Room) (Hearing, error) {
	h, err := c.hearing(persona, room)
	if err != nil {
		return Hearing{}, err
	}
	h.at, err = c.revisions(persona, h.audiences)
	return h, err
}

func (c *conn) hearing(persona string, room Room) (Hearing, error) {
	h := Hearing{persona: persona, room: room, audiences: []Audience{room.Audience()}}
	if room.Direct {
		groups, err := collect[int64](c.rows(`SELECT rp.room_id FROM room_people rp JOIN rooms r ON r.id = rp.room_id
			WHERE rp.person_id = ? AND r.direct = 0 ORDER BY rp.room_id`, room.PersonID))(scanID)
		if err != nil {
			return Hearing{}, err
		}
		for _, id := range groups {
			h.audiences = append(h.audiences, Audience{Kind: InRoom, Ref: id})
		}
	}
	h.audiences = append(h.audiences, Audience{Kind: World})
	return h, nil
}

// unmoved says that nothing that could be heard has been changed or removed since the hearing was taken. A hearing
// nobody took cannot say so.
func (c *conn) unmoved(h Hearing) (bool, error) {
	now, err := c.revisions(h.persona, h.audiences)
	if err != nil {
		return false, err
	}
	return len(h.at) > 0 && slices.EqualFunc(h.at, now, func(then, now ScopeRevision) bool { return then.Epoch == now.Epoch }), nil
}

// Audience is who hears what is said in the room.
func (r Room) Audience() Audience {
	if r.Direct {
		return Audience{Kind: Private, Ref: r.PersonID}
	}
	return Audience{Kind: InRoom, Ref: r.ID}
}

// where is the condition that rows of a table with the audience columns may be heard. Each alternative names the
// persona and the kind as its partial index does, so that SQLite answers each from its index.
func (h Hearing) where(table string) (condition string, args []any) {
	var alternatives []string
	var groups []int64
	for _, a := range h.audiences {
		switch a.Kind {
		case Private:
			alternatives = append(alternatives, "(t.persona = ? AND t.audience = 'private' AND t.audience_person = ?)")
			args = append(args, h.persona, a.Ref)
		case InRoom:
			groups = append(groups, a.Ref)
		case World:
			alternatives = append(alternatives, "(t.persona = ? AND t.audience = 'world')")
			args = append(args, h.persona)
		}
	}
	if len(groups) > 0 {
		in, ids := list(groups)
		alternatives = append(alternatives, "(t.persona = ? AND t.audience = 'room' AND t.audience_room IN "+in+")")
		args = append(append(args, h.persona), ids...)
	}
	if len(alternatives) == 0 {
		return "(1 = 0)", nil
	}
	return strings.ReplaceAll("("+strings.Join(alternatives, " OR ")+")", "t.", table+"."), args
}

// hears says that the audience is one of the hearing's.
func (h Hearing) hears(a Audience) bool { return slices.Contains(h.audiences, a) }

// person and room are the audience's reference as the two columns that hold it.
func (a Audience) person() any {
	if a.Kind == Private {
		return a.Ref
	}
	return nil
}

func (a Audience) room() any {
	if a.Kind == InRoom {
		return a.Ref
	}
	return nil
}

// intoAudience joins the three audience columns as scanned.
func intoAudience(kind AudienceKind, person, room int64) Audience {
	switch kind {
	case Private:
		return Audience{Kind: kind, Ref: person}
	case InRoom:
		return Audience{Kind: kind, Ref: room}
	}
	return Audience{Kind: kind}
}
