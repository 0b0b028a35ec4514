package scope

import (
	"slices"
	"strings"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Visibility is a room with the audiences whose contents may be repeated there. Every read of messages, beliefs or open
// loops takes one, so that no query can forget the room. Only the store makes one; the zero Visibility sees nothing.
type Visibility struct {
	persona string
	room    model.Room
	// audiences are in a fixed order. A direct room sees its person's private scope, every group the person has spoken
	// in, and the world. A group sees itself and the world.
	audiences []model.Audience
	// revisions are the counters of audiences when the visibility was read. Only ReadVersioned sets them.
	revisions []model.ScopeRevision
}

// Persona is the persona that speaks in the room.
func (h Visibility) Persona() string { return h.persona }

// Room is the room, the zero Room if there is none.
func (h Visibility) Room() model.Room { return h.room }

// Audiences are the scopes that everyone in the room may hear, in a fixed order. The slice is shared; do not change it.
func (h Visibility) Audiences() []model.Audience { return h.audiences }

// NewVisibility returns a visibility of the given audiences without a room.
func NewVisibility(persona string, audiences ...model.Audience) Visibility {
	return Visibility{persona: persona, audiences: audiences}
}

// ReadVersioned is ReadVisibility with the revisions that Unchanged needs.
func ReadVersioned(tx *db.Tx, persona string, room model.Room) (Visibility, error) {
	h, err := ReadVisibility(tx, persona, room)
	if err != nil {
		return Visibility{}, err
	}
	h.revisions, err = Revisions(tx, persona, h.audiences)
	return h, err
}

// ReadVisibility returns what persona may repeat in a room.
func ReadVisibility(tx *db.Tx, persona string, room model.Room) (Visibility, error) {
	h := Visibility{persona: persona, room: room, audiences: []model.Audience{room.Audience()}}
	if room.Direct {
		groups, err := db.Collect[int64](tx.Query(`SELECT rp.room_id FROM room_people rp JOIN rooms r ON r.id = rp.room_id
			WHERE rp.person_id = ? AND r.direct = 0 ORDER BY rp.room_id`, room.PersonID))(db.ScanID)
		if err != nil {
			return Visibility{}, err
		}
		for _, id := range groups {
			h.audiences = append(h.audiences, model.Audience{Kind: model.InRoom, Ref: id})
		}
	}
	h.audiences = append(h.audiences, model.Audience{Kind: model.World})
	return h, nil
}

// Unchanged reports whether nothing visible has been changed or removed since the visibility was read. It is false for
// a visibility without revisions.
func Unchanged(tx *db.Tx, h Visibility) (bool, error) {
	now, err := Revisions(tx, h.persona, h.audiences)
	if err != nil {
		return false, err
	}
	return len(h.revisions) > 0 && slices.EqualFunc(h.revisions, now, func(then, now model.ScopeRevision) bool { return then.Epoch == now.Epoch }), nil
}

// Where returns the condition that rows of a table with the audience columns are visible. Each alternative names
// persona and kind as its partial index does, so that SQLite can use the indexes.
func (h Visibility) Where(table string) (condition string, args []any) {
	var alternatives []string
	var groups []int64
	for _, a := range h.audiences {
		switch a.Kind {
		case model.Private:
			alternatives = append(alternatives, "(t.persona = ? AND t.audience = 'private' AND t.audience_person = ?)")
			args = append(args, h.persona, a.Ref)
		case model.InRoom:
			groups = append(groups, a.Ref)
		case model.World:
			alternatives = append(alternatives, "(t.persona = ? AND t.audience = 'world')")
			args = append(args, h.persona)
		}
	}
	if len(groups) > 0 {
		in, ids := db.Placeholders(groups)
		alternatives = append(alternatives, "(t.persona = ? AND t.audience = 'room' AND t.audience_room IN "+in+")")
		args = append(append(args, h.persona), ids...)
	}
	if len(alternatives) == 0 {
		return "(1 = 0)", nil
	}
	return strings.ReplaceAll("("+strings.Join(alternatives, " OR ")+")", "t.", table+"."), args
}

// Includes reports whether the audience is visible.
func (h Visibility) Includes(a model.Audience) bool { return slices.Contains(h.audiences, a) }

// Only returns h narrowed to one audience; it sees nothing if that was not visible.
func (h Visibility) Only(a model.Audience) Visibility {
	if !h.Includes(a) {
		return Visibility{persona: h.persona}
	}
	return NewVisibility(h.persona, a)
}

// IntoAudience builds an audience from the three scanned columns.
func IntoAudience(kind model.AudienceKind, person, room int64) model.Audience {
	switch kind {
	case model.Private:
		return model.Audience{Kind: kind, Ref: person}
	case model.InRoom:
		return model.Audience{Kind: kind, Ref: room}
	}
	return model.Audience{Kind: kind}
}
