package training

import (
	"encoding/json"
	"errors"
	"fmt"

	"familiar/memory/model"
)

// memoryIsClean reports whether a memory, and what it was made from, comes from people who agreed. What the operator told everybody, and
// what a job found in no talk, is nobody's.
func (j *judge) memoryIsClean(id int64, depth int) (bool, error) {
	return j.memories.cached(id, func() (bool, error) {
		var origin, audience, people, sources string
		err := j.QueryRow(`SELECT m.origin, m.audience,
			(SELECT json_group_array(p.id) FROM (SELECT m.author_id AS id UNION SELECT m.audience_person UNION SELECT a.person_id FROM memory_about a WHERE a.memory_id = m.id) p
				WHERE p.id IS NOT NULL),
			(SELECT json_group_array(s.message_id) FROM memory_sources s WHERE s.memory_id = m.id) FROM memories m WHERE m.id = ?`, id).
			Scan(&origin, &audience, &people, &sources)
		if notFound(err) {
			return false, nil // it was forgotten since
		}
		if err != nil {
			return false, err
		}
		var about, from []int64
		if err := errors.Join(json.Unmarshal([]byte(people), &about), json.Unmarshal([]byte(sources), &from)); err != nil {
			return false, fmt.Errorf("read the sources of memory %d: %w", id, err)
		}
		if !j.allAgreed(about) || len(from) == 0 && audience != string(model.World) || origin == string(model.OriginOperator) && audience != string(model.World) {
			return false, nil
		}
		for _, id := range from {
			if clean, err := j.messageIsClean(id, depth); err != nil || !clean {
				return false, err
			}
		}
		return true, nil
	})
}

// beliefIsClean reports whether everybody agreed who told a belief, or whom it is about.
func (j *judge) beliefIsClean(id int64, _ int) (bool, error) {
	return j.beliefs.cached(id, func() (bool, error) {
		return j.people(`SELECT json_group_array(p.id) FROM (SELECT author_id AS id FROM beliefs WHERE id = ?1 UNION SELECT subject_person FROM beliefs WHERE id = ?1
			UNION SELECT audience_person FROM beliefs WHERE id = ?1 UNION SELECT author_id FROM belief_evidence WHERE belief_id = ?1) p WHERE p.id IS NOT NULL
			HAVING EXISTS (SELECT 1 FROM beliefs WHERE id = ?1)
				AND NOT EXISTS (SELECT 1 FROM belief_evidence e JOIN messages m ON m.id = e.message_id WHERE e.belief_id = ?1 AND m.names_erased = 1)`, id)
	})
}

// loopIsClean reports whether everybody agreed who spoke of an open item.
func (j *judge) loopIsClean(id int64, _ int) (bool, error) {
	return j.loops.cached(id, func() (bool, error) {
		return j.people(`SELECT json_group_array(p.id) FROM (SELECT person_id AS id FROM open_loops WHERE id = ?1
			UNION SELECT m.person_id FROM open_loop_sources s JOIN messages m ON m.id = s.message_id WHERE s.loop_id = ?1) p WHERE p.id IS NOT NULL
			HAVING EXISTS (SELECT 1 FROM open_loops WHERE id = ?1)
				AND NOT EXISTS (SELECT 1 FROM open_loop_sources s JOIN messages m ON m.id = s.message_id WHERE s.loop_id = ?1 AND m.names_erased = 1)`, id)
	})
}

// people reports whether the people that a query lists agreed; false if it finds no row.
func (j *judge) people(query string, id int64) (bool, error) {
	var list string
	err := j.QueryRow(query, id).Scan(&list)
	if notFound(err) {
		return false, nil
	}
	var ids []int64
	if err == nil {
		err = json.Unmarshal([]byte(list), &ids)
	}
	return j.allAgreed(ids), err
}

func (j *judge) allAgreed(people []int64) bool {
	for _, id := range people {
		if !j.agreed[id] {
			return false
		}
	}
	return true
}

// unrecordedIsClean reports whether what a model had in front of it in a room, and no record names, comes from people who agreed: the portrait
// of the room's person, and the notepad, on which anything may stand that was said in reach.
func (j *judge) unrecordedIsClean(room int64) (bool, error) {
	return j.rooms.cached(room, func() (bool, error) { return j.readUnrecorded(room) })
}

func (j *judge) readUnrecorded(room int64) (bool, error) {
	var portraits string
	var notes, reach bool
	err := j.QueryRow(`SELECT
		(SELECT json_group_array(m.id) FROM memories m WHERE m.persona = ?1 AND m.kind = '`+string(model.Portrait)+`'
			AND (m.audience = 'private' AND m.audience_person = r.person_id OR m.audience = 'room' AND m.audience_room = r.id)),
		EXISTS (SELECT 1 FROM notepads n WHERE n.persona = ?1 AND (n.audience_person = r.person_id OR n.audience_room = r.id)),
		NOT EXISTS (SELECT 1 FROM room_people p WHERE NOT `+agreedTo("p.person_id")+` AND (p.room_id = r.id OR r.direct = 1 AND p.room_id IN
			(SELECT g.room_id FROM room_people g WHERE g.person_id = r.person_id)))
		FROM rooms r WHERE r.id = ?2`, j.persona, room).Scan(&portraits, &notes, &reach)
	if err != nil || notes && !reach {
		return false, err
	}
	var ids []int64
	if err := json.Unmarshal([]byte(portraits), &ids); err != nil {
		return false, fmt.Errorf("read the portraits in room %d: %w", room, err)
	}
	for _, id := range ids {
		if clean, err := j.memoryIsClean(id, 0); err != nil || !clean {
			return false, err
		}
	}
	return true, nil
}
