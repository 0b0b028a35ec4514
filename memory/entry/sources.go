package entry

import (
	"fmt"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Source is a source message with what a derived memory must know about it.
type Source struct {
	id, Person int64
	Text       string
	room       model.Room
	// spokeThere reports whether the person of the requested audience has spoken in the message's room.
	spokeThere bool
}

// Sources returns those of the given messages that exist, in order of id, to be checked against an audience with
// HeardBy. The plus sign keeps SQLite from scanning all of the persona's messages for a few of them.
func Sources(tx *db.Tx, persona string, a model.Audience, ids []int64) (all []Source, err error) {
	for chunk := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		some, err := db.Collect[Source](tx.Query(`SELECT m.id, coalesce(m.person_id, 0), m.text, r.id, r.direct, coalesce(r.person_id, 0),
			EXISTS (SELECT 1 FROM room_people p WHERE p.room_id = r.id AND p.person_id = ?)
			FROM messages m JOIN rooms r ON r.id = m.room_id WHERE +m.persona = ? AND m.id IN `+in+` ORDER BY m.id`,
			append([]any{a.Ref, persona}, args...)...))(scanSource)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func scanSource(row db.Scanner) (s Source, err error) {
	err = row.Scan(&s.id, &s.Person, &s.Text, &s.room.ID, &s.room.Direct, &s.room.PersonID, &s.spokeThere)
	return s, err
}

// checkSources fails unless every source message exists and everybody in the memory's audience may see it. For what
// the operator tells, the audience is the operator's own decision. An episode stands for its messages, so none may have been forgotten.
func checkSources(tx *db.Tx, n NewMemory) error {
	sources, err := Sources(tx, n.Persona, n.Audience, db.Distinct(n.Sources))
	if err != nil {
		return err
	}
	there := make([]int64, len(sources))
	for i, s := range sources {
		there[i] = s.id
		if s.Text == "" && n.Kind == model.Episode {
			return fmt.Errorf("source message %d of an episode: %w", s.id, db.ErrNotFound)
		}
		if n.Origin != model.OriginOperator && !s.HeardBy(n.Audience) {
			return fmt.Errorf("source message %d is not visible to the audience %s %d", s.id, n.Audience.Kind, n.Audience.Ref)
		}
	}
	for _, id := range n.Sources {
		if _, found := slices.BinarySearch(there, id); !found {
			return fmt.Errorf("source message %d of %s: %w", id, n.Persona, db.ErrNotFound)
		}
	}
	return nil
}

// HeardBy reports whether everybody in the audience given to Sources may see the message.
func (s Source) HeardBy(a model.Audience) bool {
	return s.room.Audience() == a || a.Kind == model.Private && !s.room.Direct && s.spokeThere
}
