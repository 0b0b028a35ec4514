package erase

import (
	"slices"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/lexical"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// The ways in which something was in the prompt of a reply. Each is a query for replies that also tells whether the
// reply was made from it: because the reply answers it, because it is marked as used, or because the voice does not
// report what it used. Where the voice does report it, an unused item only counts when the reply repeats its words.
const (
	inHeard = `SELECT t.reply_id, 1 FROM turn_heard h JOIN turns t ON t.id = h.turn_id
		WHERE t.reply_id IS NOT NULL AND h.message_id IN `
	inLines = `SELECT t.reply_id, i.used = 1 OR t.exact = 0 FROM turn_item_lines n JOIN turns t ON t.id = n.turn_id
		JOIN turn_items i ON i.turn_id = n.turn_id AND i.ord = n.ord WHERE t.reply_id IS NOT NULL AND n.message_id IN `
	inRecent = `SELECT t.reply_id, t.exact = 0 FROM messages m
		JOIN turns t ON t.persona = m.persona AND t.room_id = m.room_id AND t.recent_from <= m.id AND t.reply_id > m.id
		WHERE m.id IN `
	inSession = `SELECT r.id, 0 FROM messages m
		JOIN messages r ON r.session_id = m.session_id AND r.id > m.id AND r.person_id IS NULL WHERE m.id IN `
	inItems = `SELECT t.reply_id, i.used = 1 OR t.exact = 0 FROM turn_items i JOIN turns t ON t.id = i.turn_id
		WHERE t.reply_id IS NOT NULL AND `
)

// derivedReply is a reply; from reports that it was made from what is removed, otherwise it only may repeat it.
type derivedReply struct {
	reply int64
	from  bool
}

func scanDerivedReply(row db.Scanner) (m derivedReply, err error) {
	err = row.Scan(&m.reply, &m.from)
	return m, err
}

// removeReplies removes the text of replies made from the messages, the memories or what followed from them. Of later
// replies that had such a reply in their prompt, it removes those that repeat its words.
func (f *eraser) removeReplies() error {
	telling := f.gist()
	found, err := f.queryReplies(inHeard, f.messages)
	if err != nil {
		return err
	}
	beliefs := make([]int64, len(f.beliefs))
	for i, b := range f.beliefs {
		beliefs[i] = b.ID
	}
	for _, way := range []struct {
		query string
		ids   []int64
	}{
		{inLines, f.messages},
		{inRecent, f.messages},
		{inSession, f.messages},
		{inItems + "i.memory_id IN ", f.memories()},
		{inItems + "i.belief_id IN ", beliefs},
		{inItems + "i.loop_id IN ", f.loops},
	} {
		more, err := f.queryReplies(way.query, way.ids)
		if err != nil {
			return err
		}
		found = append(found, more...)
	}
	aside, err := f.unusedContextReplies()
	if err != nil {
		return err
	}
	found = append(found, aside...)
	for len(found) > 0 {
		gone, err := f.removeDerivedReplies(found, telling)
		if err != nil {
			return err
		}
		found = nil
		for _, query := range []string{inLines, inRecent} {
			more, err := f.queryReplies(query, gone)
			if err != nil {
				return err
			}
			for _, m := range more {
				found = append(found, derivedReply{reply: m.reply}) // an indirect source counts only by its words
			}
		}
	}
	return nil
}

// unusedContextReplies returns the replies that had what is removed in their prompt but were not made from it.
// Finding them takes a scan of the turns that were not thinned yet: forgetting is rare, and an index would cost every turn.
func (f *eraser) unusedContextReplies() (found []derivedReply, err error) {
	if f.index != nil {
		return f.index.unused(f.Tx, f.memories(), f.loops)
	}
	var marks []string
	for _, id := range f.memories() {
		marks = append(marks, turns.UnusedMemoryKey(id))
	}
	for _, id := range f.loops {
		marks = append(marks, turns.UnusedLoopKey(id))
	}
	for _, mark := range marks {
		more, err := db.Collect[derivedReply](f.Query(`SELECT t.reply_id, 0 FROM turns t
			WHERE t.thinned = 0 AND t.reply_id IS NOT NULL AND t.unused LIKE ?`, "%"+mark+"%"))(scanDerivedReply)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// queryReplies runs one of the queries for replies.
func (f *eraser) queryReplies(query string, ids []int64) (found []derivedReply, err error) {
	if f.index != nil && query == inRecent {
		return f.index.recent(f.Tx, ids)
	}
	for chunk := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		more, err := db.Collect[derivedReply](f.Query(query+in, args...))(scanDerivedReply)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// removeDerivedReplies removes the text of those replies that must not stay and returns their ids.
func (f *eraser) removeDerivedReplies(found []derivedReply, telling lexical.Gist) (gone []int64, err error) {
	for _, m := range found {
		reply, err := db.One(f.QueryRow(log.SelectMessages+` WHERE m.id = ?`, m.reply), log.ScanMessage)
		if err != nil {
			return nil, err
		}
		if reply.Text == "" || !m.from && !repeats(reply.Text, telling) {
			continue
		}
		if err := f.removeReply(reply); err != nil {
			return nil, err
		}
		gone = append(gone, reply.ID)
	}
	return gone, nil
}

// removeReply removes the text of a reply and withdraws it when it is not sent yet.
func (f *eraser) removeReply(reply model.Message) error {
	if _, err := log.EraseTexts(f.Tx, []int64{reply.ID}); err != nil {
		return err
	}
	if _, err := f.Exec(`DELETE FROM outbox WHERE message_id = ? AND status = 'pending'`, reply.ID); err != nil {
		return err
	}
	room, err := log.RoomByID(f.Tx, reply.RoomID)
	if err != nil {
		return err
	}
	f.touch(room.Audience())
	f.replies = append(f.replies, reply.ID)
	f.gone.Replies++
	return f.findDerivedFromReply(reply.ID)
}

// findDerivedFromReply finds the memories derived from a removed reply, and closes the question that it left open.
func (f *eraser) findDerivedFromReply(reply int64) error {
	made, err := db.Collect[model.Memory](f.Query(entry.MemoryColumns+` WHERE m.origin = 'inferred'
		AND m.id IN (SELECT memory_id FROM memory_sources WHERE message_id = ?) ORDER BY m.id`, reply))(entry.ScanMemory)
	if err != nil {
		return err
	}
	for _, m := range made {
		if !slices.Contains(f.memories(), m.ID) {
			f.derived = append(f.derived, m.ID)
			f.touch(m.Audience)
		}
	}
	loops, err := db.Collect[int64](f.Query(`SELECT loop_id FROM open_loop_sources WHERE message_id = ?`, reply))(db.ScanID)
	if err != nil {
		return err
	}
	f.loops = append(f.loops, loops...)
	_, err = f.Exec(`DELETE FROM open_loop_sources WHERE message_id = ?`, reply)
	return err
}

// withdrawAnswers withdraws unsent answers to commands that show one of the memories, and removes the text of sent
// ones.
func (f *eraser) withdrawAnswers() error {
	in, args := db.Placeholders(f.memories())
	for _, q := range []string{
		`DELETE FROM outbox WHERE status = 'pending' AND id IN (SELECT outbox_id FROM outbox_sources WHERE memory_id IN ` + in + `)`,
		`UPDATE outbox SET text = '' WHERE text <> '' AND id IN (SELECT outbox_id FROM outbox_sources WHERE memory_id IN ` + in + `)`,
	} {
		if _, err := f.Exec(q, args...); err != nil {
			return err
		}
	}
	return nil
}

// gist returns the gist of what is removed: a reply that contains one of its words may repeat it.
func (f *eraser) gist() lexical.Gist {
	texts := append([]string{f.memory.Text}, f.memory.Entities...)
	for _, b := range f.beliefs {
		texts = append(texts, b.Value)
	}
	return lexical.GistOf(texts...)
}

func repeats(text string, telling lexical.Gist) bool { return telling.Shared(text) > 0 }
