package erase

import (
	"encoding/json"

	"familiar/memory/internal/db"
)

// replyIndex finds the replies that had something in their prompt, when much is forgotten at once: what would be searched for
// each message or memory is read once, when it is first asked for.
type replyIndex struct {
	// groupsOf limits it to the rooms that may hear what this person said in groups: these groups, and the direct rooms of everybody
	// who spoke there. 0 for all rooms.
	groupsOf int64
	// memories and loops lead to the replies that had one in their prompt and were not made from it.
	memories, loops map[int64][]int64
	// talks are the turns of the rooms that were asked for.
	talks map[talk][]recentReply
}

// talk is what one persona hears and says in a room.
type talk struct {
	persona string
	room    int64
}

// recentReply is a reply with the first message that its prompt had of the talk before it.
type recentReply struct {
	derivedReply
	from int64
}

// recent returns what inRecent finds for some messages.
func (x *replyIndex) recent(tx *db.Tx, messages []int64) (found []derivedReply, err error) {
	for _, id := range messages {
		var in talk
		if err := tx.QueryRow(`SELECT persona, room_id FROM messages WHERE id = ?`, id).Scan(&in.persona, &in.room); err != nil {
			return nil, err
		}
		replies, known := x.talks[in]
		if !known {
			if replies, err = readTalk(tx, in); err != nil {
				return nil, err
			}
			if x.talks == nil {
				x.talks = map[talk][]recentReply{}
			}
			x.talks[in] = replies
		}
		for _, r := range replies {
			if r.from <= id && id < r.reply {
				found = append(found, r.derivedReply)
			}
		}
	}
	return found, nil
}

func readTalk(tx *db.Tx, in talk) ([]recentReply, error) {
	return db.Collect[recentReply](tx.Query(`SELECT reply_id, exact = 0, recent_from FROM turns
		WHERE persona = ? AND room_id = ? AND recent_from IS NOT NULL AND reply_id IS NOT NULL`, in.persona, in.room))(
		func(row db.Scanner) (r recentReply, err error) {
			err = row.Scan(&r.reply, &r.derivedReply.from, &r.from)
			return r, err
		})
}

// unused returns the replies that had one of the memories or loops in their prompt and were not made from it.
func (x *replyIndex) unused(tx *db.Tx, memories, loops []int64) (found []derivedReply, err error) {
	if x.memories == nil {
		if err := x.read(tx); err != nil {
			return nil, err
		}
	}
	for _, id := range memories {
		for _, reply := range x.memories[id] {
			found = append(found, derivedReply{reply: reply})
		}
	}
	for _, id := range loops {
		for _, reply := range x.loops[id] {
			found = append(found, derivedReply{reply: reply})
		}
	}
	return found, nil
}

func (x *replyIndex) read(tx *db.Tx) error {
	x.memories, x.loops = map[int64][]int64{}, map[int64][]int64{}
	query, args := `SELECT reply_id, unused FROM turns WHERE thinned = 0 AND reply_id IS NOT NULL AND unused <> ''`, []any(nil)
	if x.groupsOf != 0 {
		query, args = query+` AND room_id IN (SELECT g.id FROM room_people s JOIN rooms g ON g.id = s.room_id WHERE s.person_id = ?1 AND g.direct = 0
			UNION SELECT d.id FROM room_people s JOIN rooms g ON g.id = s.room_id JOIN room_people o ON o.room_id = g.id
				JOIN rooms d ON d.person_id = o.person_id WHERE s.person_id = ?1 AND g.direct = 0)`, []any{x.groupsOf}
	}
	rows, err := tx.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err below reports read errors
	for rows.Next() {
		var reply int64
		var unused []byte
		if err := rows.Scan(&reply, &unused); err != nil {
			return err
		}
		var items []struct {
			Memory int64 `json:"m"`
			Loop   int64 `json:"l"`
		}
		if err := json.Unmarshal(unused, &items); err != nil {
			return err
		}
		for _, item := range items {
			if item.Memory != 0 {
				x.memories[item.Memory] = append(x.memories[item.Memory], reply)
			}
			if item.Loop != 0 {
				x.loops[item.Loop] = append(x.loops[item.Loop], reply)
			}
		}
	}
	return rows.Err()
}
