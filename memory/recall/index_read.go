package recall

import (
	"database/sql"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
)

// indexedMessage is a message as the index reads it.
type indexedMessage struct {
	id, session, author int64
	text                string
	at                  int64
}

// indexedMemory is what the index needs of one memory.
type indexedMemory struct {
	id     int64
	source int64 // the message it was said in, 0 when it stands alone
	// from and until bound the time it speaks of, in milliseconds.
	from, until                  int64
	salience                     float64
	instruction, pinned, dormant bool
	links                        []string
}

// indexRows are rows on their way into the index.
type indexRows struct {
	said  []indexedMessage
	filed []indexedMemory
}

// readAhead is how many rows are handed over together: handing over each by itself would cost more than reading ahead
// saves.
const readAhead = 256

// What was added to a scope: its messages; its memories that can be recalled, except superseded versions; and their
// entities. Each kind of audience has its own partial index in the database.
const (
	newMessages = `SELECT m.id, m.session_id, coalesce(m.person_id, 0), m.text, m.at FROM messages m
		WHERE m.persona = ? AND m.id > ? AND m.text <> '' AND `
	memoriesOf = `SELECT m.id, m.salience, m.instruction, m.pinned, m.tier = 'dormant', coalesce(m.event_from, 0),
		coalesce(m.event_until, 0), CASE m.origin WHEN 'said' THEN coalesce(s.message_id, 0) ELSE 0 END
		FROM memories m LEFT JOIN memory_sources s ON s.memory_id = m.id AND m.origin = 'said'
		WHERE m.persona = ? AND m.superseded_by IS NULL AND ` + scope.RecallableKinds + ` AND `
	newMemories = memoriesOf + `m.id > ? AND `
	newLinks    = `SELECT e.memory_id, e.entity FROM memories m JOIN memory_entities e ON e.memory_id = m.id
		WHERE m.persona = ? AND m.superseded_by IS NULL AND m.id > ? AND ` + scope.RecallableKinds + ` AND `
)

// readRows hands over the scope's new messages and memories together, each in order of id, because a memory is created
// with its message.
func (x *scopeIndex) readRows(tx *db.Tx, to chan<- indexRows) error {
	rooms, ref := scope.MessageCondition(x.key.Audience)
	messages, err := tx.Query(newMessages+rooms+` ORDER BY m.id`, append([]any{x.key.Persona, x.lastMessage}, ref...)...)
	if err != nil {
		return err
	}
	defer messages.Close()
	clause, ref := scope.MemoryCondition(x.key.Audience)
	since := append([]any{x.key.Persona, x.lastMemory}, ref...)
	memories, err := tx.Query(newMemories+clause+` ORDER BY m.id, s.message_id`, since...)
	if err != nil {
		return err
	}
	defer memories.Close()
	var linked linkCursor
	if !x.bare {
		linked.rows, err = tx.Query(newLinks+clause+` ORDER BY m.id, e.entity`, since...) //nolint:rowserrcheck // the cursor looks
		if err != nil {
			return err
		}
		defer linked.rows.Close()
	}
	for {
		var read indexRows
		if read.said, err = x.someMessages(messages); err != nil {
			return err
		}
		if read.filed, err = x.someMemories(memories, &linked); err != nil {
			return err
		}
		if len(read.said) == 0 && len(read.filed) == 0 {
			return nil
		}
		to <- read
	}
}

func (x *scopeIndex) someMessages(rows *sql.Rows) (read []indexedMessage, err error) {
	for len(read) < readAhead && rows.Next() {
		var s indexedMessage
		if err := rows.Scan(&s.id, &s.session, &s.author, &s.text, &s.at); err != nil {
			return nil, err
		}
		x.lastMessage = s.id
		read = append(read, s)
	}
	return read, rows.Err()
}

func (x *scopeIndex) someMemories(rows *sql.Rows, linked *linkCursor) (read []indexedMemory, err error) {
	for len(read) < readAhead && rows.Next() {
		m, err := scanIndexedMemory(rows)
		if err != nil {
			return nil, err
		}
		if m.id == x.lastMemory {
			continue // a second source: the memory already belongs to the first
		}
		x.lastMemory = m.id
		if m.links, err = linked.of(m.id); err != nil {
			return nil, err
		}
		read = append(read, m)
	}
	return read, rows.Err()
}

func scanIndexedMemory(row db.Scanner) (m indexedMemory, err error) {
	err = row.Scan(&m.id, &m.salience, &m.instruction, &m.pinned, &m.dormant, &m.from, &m.until, &m.source)
	return m, err
}

// linkCursor reads the entities of memories in step with the memories. Without rows it returns none.
type linkCursor struct {
	rows   *sql.Rows
	memory int64
	entity string
}

// of returns the entities of a memory. Call it for memories in order of id.
func (c *linkCursor) of(memory int64) (links []string, err error) {
	for c.rows != nil {
		if c.memory == memory {
			links = append(links, c.entity)
		}
		if c.memory > memory || !c.rows.Next() {
			return links, c.rows.Err()
		}
		if err := c.rows.Scan(&c.memory, &c.entity); err != nil {
			return nil, err
		}
	}
	return links, nil
}
