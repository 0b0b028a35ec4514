package training

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"familiar/memory/internal/db"
)

// judge tells from the records of turns whether everybody agreed whose words a reply was made with. What comes only from people who
// agreed is clean.
type judge struct {
	*db.Tx
	persona string
	agreed  map[int64]bool
	// inDanger are the people who ever spoke of danger.
	inDanger map[int64]bool

	// memories, beliefs, loops and replies are what was judged already, by id: true is clean.
	memories, beliefs, loops, replies verdicts
	// rooms is what no record names, by room.
	rooms verdicts
	// exported is what was judged of the replies that the export came to, each with the talk that it was made in.
	exported replyVerdicts
}

func notFound(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// verdicts are kept up to a number, then judged anew.
type verdicts map[int64]bool

const maxVerdicts = 1 << 16

// cached returns the verdict on a row, which judge finds if it is not known.
func (v *verdicts) cached(id int64, judge func() (bool, error)) (bool, error) {
	if clean, known := (*v)[id]; known {
		return clean, nil
	}
	clean, err := judge()
	if err != nil {
		return false, err
	}
	if *v == nil || len(*v) >= maxVerdicts {
		*v = verdicts{}
	}
	(*v)[id] = clean
	return clean, nil
}

// replyVerdicts has two bits for each message: whether it was judged, and whether it is clean.
type replyVerdicts []byte

func (w *replyVerdicts) note(id int64, clean bool) {
	at, bits := id/4, byte(1)
	if clean {
		bits = 3
	}
	for int64(len(*w)) <= at {
		*w = append(*w, make([]byte, max(1<<10, len(*w)))...)
	}
	(*w)[at] |= bits << (id % 4 * 2)
}

func (w replyVerdicts) verdict(id int64) (clean, known bool) {
	if id/4 >= int64(len(w)) {
		return false, false
	}
	bits := w[id/4] >> (id % 4 * 2)
	return bits&2 != 0, bits&1 != 0
}

// maxDepth is how far an earlier reply is traced that a reply was made with: a reply made with one that was made with one.
const maxDepth = 4

// record is what is on record of the turn of a reply.
type record struct {
	turn int64
	// exact reports that the voice named all it made the reply from, thinned that what it did not use is no longer on record.
	exact, thinned bool
	// from is the first message of the talk before that was in front of it, 0 if it is not on record. unused is what it did not use.
	from   int64
	unused string
}

// window returns the first message that was in front of the persona, where first is the first of the session.
func (r record) window(first int64) int64 {
	if r.from != 0 {
		return r.from
	}
	return first
}

// answered counts what a reply answers.
type answered struct{ people, forgotten int }

// countAnswered counts the messages that a turn heard: those of people, and those that were forgotten since.
func (j *judge) countAnswered(turn int64) (h answered, err error) {
	if turn == 0 {
		return h, nil
	}
	err = j.QueryRow(`SELECT count(m.person_id), count(*) FILTER (WHERE m.text = '') FROM turn_heard h JOIN messages m ON m.id = h.message_id
		WHERE h.turn_id = ?`, turn).Scan(&h.people, &h.forgotten)
	return h, err
}

// reasonOnRecord returns why a reply is left out by what is on record of it, "" if all of it comes from people who agreed.
func (j *judge) reasonOnRecord(l message, first int64) (Reason, error) {
	if l.record.from != 0 && l.record.from < first { // the talk before this session, too
		clean, err := j.windowIsClean(l.room, l.record.from, l.id)
		if err != nil || !clean {
			return Others, err
		}
	}
	used, err := j.usedTool(l.record.turn)
	if err != nil || used {
		return Tools, err
	}
	clean, err := j.itemsAreClean(l.record, 0)
	if err != nil || !clean {
		return Others, err
	}
	if !l.record.exact {
		if clean, err = j.unrecordedIsClean(l.room); err != nil || !clean {
			return Others, err
		}
	}
	return "", nil
}

// agreedTo is the condition that the person of a column agreed, where ?1 is the persona.
func agreedTo(column string) string {
	return `EXISTS (SELECT 1 FROM training_consents c WHERE c.persona = ?1 AND c.person_id = ` + column + ` AND c.given = 1)`
}

// windowIsClean reports whether everybody agreed who spoke in a room from one message up to another, and nothing there names somebody
// who was erased.
func (j *judge) windowIsClean(room, from, until int64) (clean bool, err error) {
	err = j.QueryRow(`SELECT NOT EXISTS (SELECT 1 FROM messages m WHERE m.room_id = ?2 AND m.persona = ?1 AND m.id >= ?3 AND m.id < ?4
		AND (m.names_erased = 1 OR m.person_id IS NOT NULL AND NOT `+agreedTo("m.person_id")+`))`, j.persona, room, from, until).Scan(&clean)
	return clean, err
}

// usedTool reports whether a tool was called for a turn, other than those of the memory itself.
func (j *judge) usedTool(turn int64) (used bool, err error) {
	err = j.QueryRow(`SELECT EXISTS (SELECT 1 FROM turn_heard h JOIN tool_calls c ON c.message_id = h.message_id
		WHERE h.turn_id = ? AND c.tool NOT IN ('recall', 'note', 'remind'))`, turn).Scan(&used)
	return used, err
}

// item is one thing that was in front of a voice: a memory, a belief or an open loop, with the lines that it was shown with.
type item struct {
	Memory int64   `json:"m"`
	Belief int64   `json:"b"`
	Loop   int64   `json:"l"`
	Lines  []int64 `json:"n"`
}

// itemsAreClean reports whether everything that was in front of the voice comes from people who agreed.
func (j *judge) itemsAreClean(r record, depth int) (bool, error) {
	var lists [4]string
	if err := j.QueryRow(`SELECT json_group_array(coalesce(memory_id, 0)), json_group_array(coalesce(belief_id, 0)), json_group_array(coalesce(loop_id, 0)),
		(SELECT json_group_array(message_id) FROM turn_item_lines WHERE turn_id = ?1) FROM turn_items WHERE turn_id = ?1`, r.turn).
		Scan(&lists[0], &lists[1], &lists[2], &lists[3]); err != nil {
		return false, err
	}
	var ids [4][]int64 // memories, beliefs, loops, lines
	for i, list := range lists {
		if err := json.Unmarshal([]byte(list), &ids[i]); err != nil {
			return false, fmt.Errorf("read what shaped turn %d: %w", r.turn, err)
		}
	}
	var all, unused []item
	for i, memory := range ids[0] {
		all = append(all, item{Memory: memory, Belief: ids[1][i], Loop: ids[2][i]})
	}
	loose := item{Lines: ids[3]}
	if r.unused != "" {
		if err := json.Unmarshal([]byte(r.unused), &unused); err != nil {
			return false, fmt.Errorf("read the unused context of turn %d: %w", r.turn, err)
		}
	}
	for _, one := range append(append(all, unused...), loose) {
		if clean, err := j.itemIsClean(one, depth); err != nil || !clean {
			return false, err
		}
	}
	return true, nil
}

func (j *judge) itemIsClean(s item, depth int) (bool, error) {
	for _, part := range []struct {
		id    int64
		clean func(id int64, depth int) (bool, error)
	}{{s.Memory, j.memoryIsClean}, {s.Belief, j.beliefIsClean}, {s.Loop, j.loopIsClean}} {
		if part.id == 0 {
			continue
		}
		if clean, err := part.clean(part.id, depth); err != nil || !clean {
			return false, err
		}
	}
	for _, id := range s.Lines {
		if clean, err := j.messageIsClean(id, depth); err != nil || !clean {
			return false, err
		}
	}
	return true, nil
}

// messageIsClean reports whether a message may have been shown: its author agreed, or it is a reply that may be exported itself, and
// it does not name somebody who was erased.
func (j *judge) messageIsClean(id int64, depth int) (bool, error) {
	var person int64
	var namesErased bool
	err := j.QueryRow(`SELECT person_id, names_erased FROM messages WHERE id = ?`, id).Scan(db.IntoID(&person), &namesErased)
	if notFound(err) || namesErased {
		return false, nil
	}
	if err != nil || person != 0 {
		return j.agreed[person], err
	}
	return j.replyIsClean(id, depth+1)
}

// replyIsClean reports whether an earlier reply was made with words of people who agreed.
func (j *judge) replyIsClean(id int64, depth int) (bool, error) {
	if clean, known := j.exported.verdict(id); known {
		return clean, nil
	}
	if depth > maxDepth {
		return false, nil
	}
	return j.replies.cached(id, func() (bool, error) {
		var r record
		var room, first int64
		err := j.QueryRow(`SELECT t.id, t.exact, t.thinned, t.recent_from, t.unused, t.room_id, (SELECT min(m.id) FROM messages m WHERE m.session_id = t.session_id)
			FROM turns t WHERE t.reply_id = ?`, id).Scan(&r.turn, &r.exact, &r.thinned, db.IntoID(&r.from), &r.unused, &room, db.IntoID(&first))
		if notFound(err) || err == nil && r.thinned && !r.exact {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if clean, err := j.windowIsClean(room, r.window(first), id); err != nil || !clean {
			return false, err
		}
		if used, err := j.usedTool(r.turn); err != nil || used {
			return false, err
		}
		return j.itemsAreClean(r, depth)
	})
}

// readInDanger returns who spoke of danger to a persona.
func readInDanger(tx *db.Tx, persona string) (map[int64]bool, error) {
	ids, err := db.Collect[int64](tx.Query(`SELECT DISTINCT person_id FROM messages WHERE persona = ? AND danger <> '' AND person_id IS NOT NULL`, persona))(db.ScanID)
	all := make(map[int64]bool, len(ids))
	for _, id := range ids {
		all[id] = true
	}
	return all, err
}

// careTime is for how long after somebody spoke of danger no reply to them is exported.
const careTime = 30 * 24 * time.Hour

// spokeOfDanger reports whether a person spoke of danger lately, in any room.
func (j *judge) spokeOfDanger(person int64, at time.Time) (lately bool, err error) {
	if !j.inDanger[person] {
		return false, nil
	}
	err = j.QueryRow(`SELECT EXISTS (SELECT 1 FROM messages WHERE persona = ? AND person_id = ? AND danger <> '' AND at BETWEEN ? AND ?)`,
		j.persona, person, db.Millis(at.Add(-careTime)), db.Millis(at)).Scan(&lately)
	return lately, err
}
