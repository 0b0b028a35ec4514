package recall

import (
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// ownMessages selects messages of the persona as memories, with the moment until which they may be shown, as in
// nearbyLines.
const ownMessages = `SELECT m.id, m.persona, m.session_id, m.at, m.text, coalesce(r.title, ''),
	coalesce((SELECT min(CASE WHEN coalesce(i.memory_id, i.belief_id, i.loop_id) IS NULL THEN 0 ELSE x.expires_at END)
		FROM turns t JOIN turn_items i ON i.turn_id = t.id AND (i.used = 1 OR t.exact = 0) LEFT JOIN memories x ON x.id = i.memory_id
		WHERE t.reply_id = m.id), 9223372036854775807)
	FROM messages m LEFT JOIN rooms r ON r.id = m.room_id WHERE m.person_id IS NULL AND m.text <> '' AND m.id IN `

// ownSalience is the salience of what the persona said.
const ownSalience = 0.5

// ownMessage is a message of the persona as a memory without an id.
type ownMessage struct {
	id     int64
	memory model.Memory
}

func scanOwn(row db.Scanner) (o *ownMessage, err error) {
	o = &ownMessage{memory: model.Memory{Sector: model.Episodic, Salience: ownSalience, Strength: 1, Tier: model.Long}}
	m := &o.memory
	var until int64
	err = row.Scan(&o.id, &m.Persona, db.IntoID(&m.SessionID), db.IntoTime(&m.Created), &m.Text, &m.RoomTitle, &until)
	m.Author, m.Sources = m.Persona, []int64{o.id}
	if until != always {
		m.Expires = time.UnixMilli(until)
	}
	return o, err
}

// keepOwn sets the memories of the candidates that are messages of the persona. They are heard where the candidate's
// scope is.
func (f *rankState) keepOwn(tx *db.Tx) error {
	var missing []*candidate
	var ids []int64
	for i := range f.matches {
		if c := &f.matches[i]; c.own() && c.memory == nil {
			missing, ids = append(missing, c), append(ids, c.message)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	in, args := db.Placeholders(ids)
	found, err := db.Collect[*ownMessage](tx.Query(ownMessages+in, args...))(scanOwn)
	if err != nil {
		return err
	}
	for _, o := range found {
		for _, c := range missing {
			if c.message == o.id {
				o.memory.Audience = f.audiences[c.scope]
				c.memory = &o.memory
				f.kept[c.scope].addMemory(c.id, c.memory)
			}
		}
	}
	return nil
}
