package erase

import (
	"encoding/json"

	"familiar/memory/internal/db"
)

// unusedIndex finds the replies that had something in their prompt and were not made from it, for many memories and loops. The
// turns are scanned once, when it is first asked.
type unusedIndex struct {
	memories, loops map[int64][]int64 // replies
}

// replies returns the replies that had one of the memories or loops in their prompt.
func (x *unusedIndex) replies(tx *db.Tx, memories, loops []int64) (found []derivedReply, err error) {
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

func (x *unusedIndex) read(tx *db.Tx) error {
	x.memories, x.loops = map[int64][]int64{}, map[int64][]int64{}
	rows, err := tx.Query(`SELECT reply_id, unused FROM turns WHERE thinned = 0 AND reply_id IS NOT NULL AND unused <> ''`)
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
