package turns

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// contextRow is one thing that shaped a reply: a memory, a belief or an open loop, with the talk it was shown with.
type contextRow struct {
	ord                  int
	memory, belief, loop int64
	score                float64
	reason               string
	used                 bool
	// own reports that it is a line of the persona, the last of lines.
	own   bool
	lines []int64
}

// of returns the memory, the belief and the loop of a row.
func (c contextRow) of() [3]int64 { return [3]int64{c.memory, c.belief, c.loop} }

// explain stores what the turn heard and what shaped its answer, and counts the use of recalled memories.
func (r *TurnWriter) explain() (err error) {
	t := &r.Turn
	if len(t.Quoted) > 0 {
		quoted, err := log.MemoriesFromMessages(r.Tx, t.Quoted)
		if err != nil {
			return fmt.Errorf("find the memories of what is quoted: %w", err)
		}
		t.Used = slices.Concat(t.Used, quoted)
	}
	all, aside := r.contextRows(), ""
	if err := r.checkContext(all); err != nil {
		return err
	}
	if all, err = r.sourcesOfOwn(all); err != nil {
		return err
	}
	if all, aside, err = r.setAside(all); err != nil {
		return err
	}
	r.Done.TurnID, err = r.Insert(`INSERT INTO turns (persona, room_id, session_id, person_id, reply_id, recent_from, exact,
		unused, voice, fault, started_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		t.Persona, t.Room.ID, r.Done.SessionID, db.NullID(t.Asker), db.NullID(r.Done.ReplyID), db.NullID(t.RecentFrom), t.Exact,
		aside, t.Voice, log.Redact(t.Fault), db.Millis(r.turnStarted()), r.NowMillis())
	if err != nil {
		return err
	}
	if err := r.insertHeard(); err != nil {
		return fmt.Errorf("store the messages of the turn: %w", err)
	}
	if err := r.insertContextRows(all); err != nil {
		return fmt.Errorf("store what shaped the reply: %w", err)
	}
	if err := r.insertUsage(); err != nil {
		return fmt.Errorf("store what models used for the turn: %w", err)
	}
	// A memory that was in the prompt but not used does not get stronger: only those the reply was made from do.
	return entry.MarkUsed(r.Tx, t.Used)
}

func (r *TurnWriter) turnStarted() time.Time {
	if r.Turn.Started.IsZero() {
		return r.Now
	}
	return r.Turn.Started
}

// contextRows returns what was in the prompt, in the order it was shown, then what else the reply was made from.
func (r *TurnWriter) contextRows() (all []contextRow) {
	t := r.Turn
	memories, loops := entry.ParseSubjects(t.Greeted)
	used := slices.Concat(t.Used, memories)
	for _, item := range t.Context {
		s := contextRow{
			memory: item.MemoryID, belief: item.BeliefID, score: item.Score, reason: reasonOnRecord(item.Why),
			own:  item.Own,
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
		if !slices.ContainsFunc(all, func(s contextRow) bool { return s.memory == id }) {
			all = append(all, contextRow{memory: id, reason: reasonKnown, used: true})
		}
	}
	spoken := slices.Concat(t.AskedLoops, t.SpokenLoops, loops)
	for _, id := range slices.Concat(spoken, t.Loops) {
		if !slices.ContainsFunc(all, func(s contextRow) bool { return s.loop == id }) {
			all = append(all, contextRow{loop: id, reason: reasonOpen, used: slices.Contains(spoken, id)})
		}
	}
	for i := range all {
		all[i].ord = i
	}
	return all
}

// sourcesOfOwn adds to the lines of the persona what they are known to be made from: a reply that repeats one of them goes
// when its source is forgotten. What a line may have been made from besides is not added, or the context of a talk would
// grow from turn to turn: if the line itself goes, so do the replies that repeat its words.
func (r *TurnWriter) sourcesOfOwn(all []contextRow) ([]contextRow, error) {
	sources, err := r.sourcesOfReplies(ownLines(all))
	if err != nil {
		return nil, fmt.Errorf("find the sources of what the persona said: %w", err)
	}
	kept := make([]contextRow, 0, len(all))
	seen := make(map[[3]int64]bool, len(all))
	for _, row := range all {
		seen[row.of()] = true
	}
	for _, row := range all {
		kept = append(kept, row)
		if !row.own {
			continue
		}
		for _, s := range sources {
			if slices.Contains(row.lines, s.reply) && !seen[s.of()] {
				seen[s.of()] = true
				s.used = row.used
				kept = append(kept, s.contextRow)
			}
		}
	}
	for i := range kept {
		kept[i].ord = i
	}
	return kept, nil
}

// ownLines returns the messages of the persona that shaped a reply.
func ownLines(all []contextRow) (lines []int64) {
	for _, row := range all {
		if row.own {
			lines = append(lines, row.lines...)
		}
	}
	return db.Distinct(lines)
}

// replySource is something that a reply was made from.
type replySource struct {
	contextRow
	reply int64
}

// sourcesOfReplies returns what replies are known to be made from, in the order of their turns.
func (r *TurnWriter) sourcesOfReplies(replies []int64) (all []replySource, err error) {
	for chunk := range slices.Chunk(replies, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		some, err := db.Collect[replySource](r.Query(`SELECT t.reply_id, i.memory_id, i.belief_id, i.loop_id FROM turns t
			JOIN turn_items i ON i.turn_id = +t.id AND i.used = 1 WHERE t.reply_id IN `+in+` ORDER BY t.id, i.ord`, args...))(
			func(row db.Scanner) (s replySource, err error) {
				s.reason = reasonKnown
				err = row.Scan(&s.reply, db.IntoID(&s.memory), db.IntoID(&s.belief), db.IntoID(&s.loop))
				return s, err
			})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// Stored reasons in addition to those of packing.
const (
	reasonKnown = "remembered"
	reasonOpen  = "left open"
	// reasonLinked replaces "linked by rex": the name is somebody's word and would survive its deletion here.
	reasonLinked = "linked by a name"
)

// reasonOnRecord returns why an item was packed, without words that people said.
func reasonOnRecord(why string) string {
	if strings.HasPrefix(why, recall.WhyLinked) {
		return reasonLinked
	}
	return why
}

func (r *TurnWriter) insertHeard() error {
	var rows [][]any
	var seen []int64
	for _, h := range r.heardNow {
		if !slices.Contains(seen, h.Message) {
			seen, rows = append(seen, h.Message), append(rows, []any{r.Done.TurnID, h.Message})
		}
	}
	return r.InsertRows("turn_heard (turn_id, message_id)", rows)
}

func (r *TurnWriter) insertContextRows(all []contextRow) error {
	var items, lines [][]any
	for _, s := range all {
		items = append(items, []any{
			r.Done.TurnID, s.ord, db.NullID(s.memory), db.NullID(s.belief), db.NullID(s.loop), s.score, s.reason, s.used,
		})
		for _, message := range s.lines {
			lines = append(lines, []any{r.Done.TurnID, s.ord, message})
		}
	}
	err := r.InsertRows("turn_items (turn_id, ord, memory_id, belief_id, loop_id, score, reason, used)", items)
	if err != nil {
		return err
	}
	return r.InsertRows("turn_item_lines (turn_id, ord, message_id)", lines)
}

// checkContext rejects a reply that was made with something in the prompt that was forgotten meanwhile, because the
// reply could repeat it. When the turn is taken again, recall leaves it out.
func (r *TurnWriter) checkContext(all []contextRow) error {
	if r.unmoved {
		return nil
	}
	var messages []int64
	for _, s := range all {
		messages = append(messages, s.lines...)
	}
	for chunk := range slices.Chunk(db.Distinct(messages), db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		var gone int
		if err := r.QueryRow(`SELECT count(*) FROM messages WHERE text = '' AND id IN `+in, args...).Scan(&gone); err != nil {
			return err
		}
		if gone > 0 {
			return errors.New("the reply was made from something that was forgotten meanwhile: take the turn again")
		}
	}
	return nil
}

// checkMoved finds out whether anything was forgotten since the turn's visibility was read.
func (r *TurnWriter) checkMoved() (err error) {
	r.unmoved, err = scope.Unchanged(r.Tx, r.Turn.Visibility)
	return err
}

// closing returns the messages by which the turn closes a loop: those of the person answered, or all when nobody was.
func (r *TurnWriter) closing() (messages []model.TurnMessage) {
	for _, h := range r.heardNow {
		if r.Turn.Asker == 0 || h.Person == r.Turn.Asker {
			messages = append(messages, h)
		}
	}
	return messages
}
