package turns

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
)

// unusedContext is one thing that was in the prompt and that the reply was not made from. A voice that reports what it
// used leaves a dozen of them per turn, any voice the open loops that it does not speak of. They are stored in the turn's own
// row, as ids only: what is forgotten leaves nothing behind here.
type unusedContext struct {
	Memory int64   `json:"m,omitempty"`
	Belief int64   `json:"b,omitempty"`
	Loop   int64   `json:"l,omitempty"`
	Ord    int     `json:"o"` // after the ids, so that each id is followed by a comma
	Score  float64 `json:"s,omitempty"`
	Reason string  `json:"r,omitempty"`
	Lines  []int64 `json:"n,omitempty"`
}

// UnusedMemoryKey returns the text that names a memory in the JSON of unused context.
func UnusedMemoryKey(id int64) string { return fmt.Sprintf(`"m":%d,`, id) }

// UnusedLoopKey returns the text that names a loop in the JSON of unused context.
func UnusedLoopKey(id int64) string { return fmt.Sprintf(`"l":%d,`, id) }

// setAside splits the context of the turn. rest is what the reply was made from, or may have been made from if the voice does
// not report it; aside is the other part, as stored in the turn's row.
func (r *TurnWriter) setAside(all []contextRow) (rest []contextRow, aside string, err error) {
	var kept []unusedContext
	for _, s := range all {
		if s.used || !r.Turn.Exact && s.loop == 0 {
			rest = append(rest, s)
			continue
		}
		kept = append(kept, unusedContext{
			Ord: s.ord, Memory: s.memory, Belief: s.belief, Loop: s.loop, Score: s.score, Reason: s.reason, Lines: s.lines,
		})
	}
	if len(kept) == 0 {
		return rest, "", nil
	}
	words, err := json.Marshal(kept)
	return rest, string(words), err
}

// quotedLine is the text of an unused item with its author and time.
type quotedLine struct {
	author, text string
	at           time.Time
}

// unusedItems returns the unused items that still exist and may be heard now.
func unusedItems(tx *db.Tx, h scope.Visibility, aside string) (items []numberedItem, err error) {
	var kept []unusedContext
	if aside == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(aside), &kept); err != nil {
		return nil, fmt.Errorf("read unused context: %w", err)
	}
	var memories, loops, lines []int64
	for _, u := range kept {
		memories, loops, lines = append(memories, u.Memory), append(loops, u.Loop), append(lines, u.Lines...)
	}
	of, err := readQuotedLines(tx, `SELECT m.id, coalesce(p.name, ''), m.created_at, m.text FROM memories m
		LEFT JOIN people p ON p.id = m.author_id WHERE `, h, "m", memories)
	if err != nil {
		return nil, err
	}
	left, err := readQuotedLines(tx, `SELECT l.id, coalesce(p.name, ''), l.created_at, coalesce(nullif(s.text, ''), l.text) FROM open_loops l
		LEFT JOIN people p ON p.id = l.person_id LEFT JOIN messages s ON s.id = l.message_id WHERE `, h, "l", loops)
	if err != nil {
		return nil, err
	}
	said, err := readLines(tx, lines)
	if err != nil {
		return nil, err
	}
	for _, u := range kept {
		words, ok := of[u.Memory]
		if u.Loop != 0 {
			words, ok = left[u.Loop]
		}
		if !ok {
			continue
		}
		item := TurnItem{
			MemoryID: u.Memory, LoopID: u.Loop, Score: u.Score, Reason: u.Reason,
			Author: words.author, At: words.at, Text: words.text,
		}
		for _, line := range u.Lines {
			item.addContext(said[line])
		}
		items = append(items, numberedItem{u.Ord, item})
	}
	return items, nil
}

// numberedItem is an item with its position in the turn.
type numberedItem struct {
	ord int
	TurnItem
}

// inShownOrder returns the items in the order they were shown.
func inShownOrder(items []numberedItem) (all []TurnItem) {
	slices.SortStableFunc(items, func(a, b numberedItem) int { return cmp.Compare(a.ord, b.ord) })
	for _, i := range items {
		all = append(all, i.TurnItem)
	}
	return all
}

// readQuotedLines reads the texts of rows by their ids, as far as they may be heard.
func readQuotedLines(tx *db.Tx, query string, h scope.Visibility, table string, ids []int64) (map[int64]quotedLine, error) {
	words := map[int64]quotedLine{}
	heard, heardArgs := h.Where(table)
	for chunk := range slices.Chunk(db.Distinct(ids), db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		_, err := db.Collect[int64](tx.Query(query+table+".id IN "+in+" AND "+heard, append(args, heardArgs...)...))(
			func(row db.Scanner) (id int64, err error) {
				var s quotedLine
				err = row.Scan(&id, &s.author, db.IntoTime(&s.at), &s.text)
				words[id] = s
				return id, err
			})
		if err != nil {
			return nil, err
		}
	}
	return words, nil
}

// readLines reads messages by their ids, each as one line with its speaker.
func readLines(tx *db.Tx, ids []int64) (map[int64]string, error) {
	lines := map[int64]string{}
	for chunk := range slices.Chunk(db.Distinct(ids), db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		_, err := db.Collect[int64](tx.Query(`SELECT m.id, coalesce(p.name, m.persona), m.text FROM messages m
			LEFT JOIN people p ON p.id = m.person_id WHERE m.text <> '' AND m.id IN `+in, args...))(
			func(row db.Scanner) (id int64, err error) {
				var author, text string
				err = row.Scan(&id, &author, &text)
				lines[id] = author + ": " + text
				return id, err
			})
		if err != nil {
			return nil, err
		}
	}
	return lines, nil
}
