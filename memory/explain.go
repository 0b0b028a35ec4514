package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// heardNow is a message of the turn as it is on record.
type heardNow struct {
	message, person int64
	at              time.Time
	text            string
}

// shaped is one row of what shaped a reply: a memory, a belief or an open loop, with the talk it was shown with.
type shaped struct {
	ord                  int
	memory, belief, loop int64
	score                float64
	reason               string
	used                 bool
	lines                []int64
}

// explain keeps what the turn heard and what shaped its answer, and notes what was recalled for it.
func (r *recording) explain() (err error) {
	t := r.turn
	all, aside := r.shaped(), ""
	if err := r.checkShown(all); err != nil {
		return err
	}
	if t.Exact {
		if all, aside, err = setAside(all); err != nil {
			return err
		}
	}
	r.done.TurnID, err = r.insert(`INSERT INTO turns (persona, room_id, session_id, person_id, reply_id, recent_from, exact,
		unused, voice, fault, started_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		t.Persona, t.Room.ID, r.done.SessionID, nullID(t.Asker), nullID(r.done.ReplyID), nullID(t.RecentFrom), t.Exact,
		aside, t.Voice, t.Fault, ms(r.turnStarted()), r.nowMS())
	if err != nil {
		return err
	}
	if err := r.insertHeard(); err != nil {
		return fmt.Errorf("keep what was heard: %w", err)
	}
	if err := r.insertShaped(all); err != nil {
		return fmt.Errorf("keep what shaped the reply: %w", err)
	}
	// What was merely in front of the voice is not rehearsed by that: only what a reply was made from is.
	return r.markUsed(t.Used)
}

func (r *recording) turnStarted() time.Time {
	if r.turn.Started.IsZero() {
		return r.now
	}
	return r.turn.Started
}

// shaped is what was in front of the voice, in the order it was shown, then what the reply was made from beside it.
func (r *recording) shaped() (all []shaped) {
	t := r.turn
	memories, loops := subjectsOf(t.Greeted)
	used := slices.Concat(t.Used, memories)
	for _, item := range t.Context {
		s := shaped{
			memory: item.MemoryID, belief: item.BeliefID, score: item.Score, reason: reasonOnRecord(item.Why),
			used: item.Used || item.MemoryID != 0 && slices.Contains(used, item.MemoryID),
		}
		for _, l := range item.Lines {
			if l.MessageID != 0 && !slices.Contains(s.lines, l.MessageID) {
				s.lines = append(s.lines, l.MessageID)
			}
		}
		all = append(all, s)
	}
	for _, id := range used {
		if !slices.ContainsFunc(all, func(s shaped) bool { return s.memory == id }) {
			all = append(all, shaped{memory: id, reason: reasonKnown, used: true})
		}
	}
	spoken := slices.Concat(t.AskedLoops, t.SpokenLoops, loops)
	for _, id := range slices.Concat(spoken, t.Loops) {
		if !slices.ContainsFunc(all, func(s shaped) bool { return s.loop == id }) {
			all = append(all, shaped{loop: id, reason: reasonOpen, used: slices.Contains(spoken, id)})
		}
	}
	for i := range all {
		all[i].ord = i
	}
	return all
}

// Reasons on record beside those of packing.
const (
	reasonKnown = "remembered"
	reasonOpen  = "left open"
	// reasonLinked stands for "linked by rex": the name is somebody's words and would outlive them here.
	reasonLinked = "linked by a name"
)

// reasonOnRecord is why an item was packed, without the words of others.
func reasonOnRecord(why string) string {
	if strings.HasPrefix(why, whyLinked) {
		return reasonLinked
	}
	return why
}

// rowsAtOnce is how many rows one statement inserts: a turn has about a dozen items with two or three lines each. Each
// number of rows is a statement of its own to be kept prepared.
const rowsAtOnce = 32

// insertRows adds rows to a table, several with each statement. table names its columns: "turn_heard (turn_id, message_id)".
func (c *conn) insertRows(table string, rows [][]any) error {
	for chunk := range slices.Chunk(rows, rowsAtOnce) {
		row := "(?" + strings.Repeat(", ?", len(chunk[0])-1) + ")"
		query := "INSERT INTO " + table + " VALUES " + row + strings.Repeat(", "+row, len(chunk)-1)
		if _, err := c.exec(query, slices.Concat(chunk...)...); err != nil {
			return err
		}
	}
	return nil
}

func (r *recording) insertHeard() error {
	var rows [][]any
	var seen []int64
	for _, h := range r.heardNow {
		if !slices.Contains(seen, h.message) {
			seen, rows = append(seen, h.message), append(rows, []any{r.done.TurnID, h.message})
		}
	}
	return r.insertRows("turn_heard (turn_id, message_id)", rows)
}

func (r *recording) insertShaped(all []shaped) error {
	var items, lines [][]any
	for _, s := range all {
		items = append(items, []any{
			r.done.TurnID, s.ord, nullID(s.memory), nullID(s.belief), nullID(s.loop), s.score, s.reason, s.used,
		})
		for _, message := range s.lines {
			lines = append(lines, []any{r.done.TurnID, s.ord, message})
		}
	}
	err := r.insertRows("turn_items (turn_id, ord, memory_id, belief_id, loop_id, score, reason, used)", items)
	if err != nil {
		return err
	}
	return r.insertRows("turn_item_lines (turn_id, ord, message_id)", lines)
}

// checkShown refuses a reply that was made with something in front of the voice that was forgotten while it spoke: it
// could say it again. Taken once more, the turn recalls without it.
func (r *recording) checkShown(all []shaped) error {
	if unmoved, err := r.unmoved(r.turn.Hearing); err != nil || unmoved {
		return err
	}
	var messages []int64
	for _, s := range all {
		messages = append(messages, s.lines...)
	}
	for chunk := range slices.Chunk(distinct(messages), maxList) {
		in, args := list(chunk)
		var gone int
		if err := r.row(`SELECT count(*) FROM messages WHERE text = '' AND id IN `+in, args...).Scan(&gone); err != nil {
			return err
		}
		if gone > 0 {
			return errors.New("something it was made from was forgotten meanwhile: take the turn again")
		}
	}
	return nil
}

// closing are the messages by which the turn closes a loop: those of the person answered, or all when nobody was.
func (r *recording) closing() (messages []heardNow) {
	for _, h := range r.heardNow {
		if r.turn.Asker == 0 || h.person == r.turn.Asker {
			messages = append(messages, h)
		}
	}
	return messages
}
