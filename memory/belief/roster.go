package belief

import (
	"strings"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// Roster lists the people who have spoken in the visible rooms, to resolve names.
type Roster struct{ members []member }

type member struct {
	id   int64
	name string
}

// ReadRoster reads the people who have spoken in the rooms of h.
func ReadRoster(tx *db.Tx, h scope.Visibility) (Roster, error) {
	rooms := []int64{h.Room().ID}
	for _, a := range h.Audiences() {
		if a.Kind == model.InRoom && a.Ref != h.Room().ID {
			rooms = append(rooms, a.Ref)
		}
	}
	in, args := db.Placeholders(rooms)
	members, err := db.Collect[member](tx.Query(`SELECT id, name FROM people
		WHERE id IN (SELECT person_id FROM room_people WHERE room_id IN `+in+`) ORDER BY id`, args...))(
		func(row db.Scanner) (m member, err error) {
			err = row.Scan(&m.id, &m.name)
			return m, err
		})
	return Roster{members}, err
}

// Resolve returns the ID of the one person that name refers to, by full name or else by first name. It returns 0 for an
// unknown or ambiguous name, so a user cannot impersonate another by sharing a name.
func (r Roster) Resolve(name string) int64 {
	name = model.NormalizeValue(name)
	if name == "" {
		return 0
	}
	whole := r.matching(func(n string) bool { return n == name })
	if len(whole) > 0 {
		return only(whole)
	}
	return only(r.matching(func(n string) bool {
		first, _, _ := strings.Cut(n, " ")
		return first == name
	}))
}

func (r Roster) matching(is func(folded string) bool) (ids []int64) {
	for _, m := range r.members {
		if is(model.NormalizeValue(m.name)) {
			ids = append(ids, m.id)
		}
	}
	return ids
}

func only(ids []int64) int64 {
	if len(ids) == 1 {
		return ids[0]
	}
	return 0
}
