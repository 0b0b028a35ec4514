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
	told                         uint64
	instruction, pinned, dormant bool
	class                        class
	links                        []string
}

// setFlags sets the flags that memoryFields selects as one number.
func (m *indexedMemory) setFlags(flags int64) {
	m.instruction, m.pinned, m.dormant, m.class = flags&1 != 0, flags&2 != 0, flags&4 != 0, class(flags>>3)
}

// surfacesAlways reports whether the memory surfaces for every query.
func (m *indexedMemory) surfacesAlways() bool { return m.instruction || m.pinned }

// indexRows are rows on their way into the index.
type indexRows struct {
	said  []indexedMessage
	filed []indexedMemory
}

// readAhead is how many rows are handed over together: handing over each by itself would cost more than reading ahead
// saves.
const readAhead = 256

// What was added to a scope: its messages; its memories that can be recalled, except superseded versions, a row for each
// of their sources and entities. Each kind of audience has its own partial index in the database.
const (
	newMessages = `SELECT m.id, m.session_id, coalesce(m.person_id, 0), m.text, m.at FROM messages m
		WHERE m.persona = ? AND m.id > ? AND m.id <= ? AND m.text <> '' AND `
	memoryFields = `SELECT m.id, m.salience, m.instruction + 2 * m.pinned + CASE m.tier WHEN 'dormant' THEN 4 ELSE 0 END + 8 * (` + classColumn + `), m.told, coalesce(m.event_from, 0),
		coalesce(m.event_until, 0), CASE m.origin WHEN 'said' THEN coalesce(s.message_id, 0) ELSE 0 END`
	memoriesFrom = ` FROM memories m LEFT JOIN memory_sources s ON s.memory_id = m.id AND m.origin = 'said'`
	indexed      = ` WHERE m.persona = ? AND m.superseded_by IS NULL AND ` + scope.RecallableKinds + ` AND `
	memoriesOf   = memoryFields + memoriesFrom + indexed
	newMemories  = memoryFields + `, e.entity` + memoriesFrom + ` LEFT JOIN memory_entities e ON e.memory_id = m.id` + indexed + `m.id > ? AND m.id <= ? AND `
	newBare      = memoryFields + `, NULL` + memoriesFrom + indexed + `m.id > ? AND m.id <= ? AND `
)

// readRows hands over the scope's new messages and memories together, each in order of id, because a memory is created
// with its message.
func (x *scopeIndex) readRows(tx *db.Tx, to func(indexRows)) error {
	said := func() (*sql.Rows, error) {
		rooms, ref := scope.MessageCondition(x.key.Audience)
		return tx.Query(newMessages+rooms+` ORDER BY m.id`, append([]any{x.key.Persona, x.lastMessage, x.upToMessage}, ref...)...)
	}
	remembered := func() (*sql.Rows, error) {
		clause, ref := scope.MemoryCondition(x.key.Audience)
		query := newMemories + clause + ` ORDER BY m.id, s.message_id, e.entity`
		if x.bare {
			query = newBare + clause + ` ORDER BY m.id, s.message_id`
		}
		return tx.Query(query, append([]any{x.key.Persona, x.lastMemory, x.upToMemory}, ref...)...)
	}
	if err := tx.Prefetch(func() error { _, err := said(); return err }, func() error { _, err := remembered(); return err }); err != nil { //nolint:rowserrcheck,sqlclosecheck // there are no rows yet
		return err
	}
	messages, err := said()
	if err != nil {
		return err
	}
	defer messages.Close()
	memories, err := remembered() //nolint:rowserrcheck // the cursor looks
	if err != nil {
		return err
	}
	defer memories.Close()
	filed := memoryCursor{rows: memories}
	for {
		var read indexRows
		if read.said, err = x.someMessages(messages); err != nil {
			return err
		}
		if read.filed, err = x.someMemories(&filed); err != nil {
			return err
		}
		if len(read.said) == 0 && len(read.filed) == 0 {
			return nil
		}
		to(read)
	}
}

func (x *scopeIndex) someMessages(rows *sql.Rows) (read []indexedMessage, err error) {
	if !x.loaded {
		read = make([]indexedMessage, 0, readAhead)
	}
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

func (x *scopeIndex) someMemories(rows *memoryCursor) (read []indexedMemory, err error) {
	if !x.loaded {
		read = make([]indexedMemory, 0, readAhead)
	}
	for len(read) < readAhead {
		m, err := rows.next()
		if err != nil {
			return nil, err
		}
		if m.id == 0 {
			break
		}
		x.lastMemory = m.id
		read = append(read, m)
	}
	return read, nil
}

func scanIndexedMemory(row db.Scanner) (m indexedMemory, err error) {
	var flags, told int64
	err = row.Scan(&m.id, &m.salience, &flags, &told, &m.from, &m.until, &m.source)
	m.told = uint64(told)
	m.setFlags(flags)
	return m, err
}

// memoryCursor reads memories from rows of memories with a source and an entity each, in this order.
type memoryCursor struct {
	rows *sql.Rows
	// ahead is the memory of the row read last, entity its entity; the zero memory before the first row and after the
	// last.
	ahead  indexedMemory
	entity sql.NullString
}

// next returns the next memory with the first of its sources and its entities, the zero memory after the last.
func (c *memoryCursor) next() (m indexedMemory, err error) {
	if c.ahead.id == 0 {
		if err := c.step(); err != nil {
			return m, err
		}
	}
	m = c.ahead
	for c.ahead.id == m.id && m.id != 0 {
		if c.entity.Valid && c.ahead.source == m.source { // another source repeats the entities
			m.links = append(m.links, c.entity.String)
		}
		if err := c.step(); err != nil {
			return m, err
		}
	}
	return m, nil
}

// step reads a row.
func (c *memoryCursor) step() (err error) {
	c.ahead, c.entity = indexedMemory{}, sql.NullString{}
	if !c.rows.Next() {
		return c.rows.Err()
	}
	var flags, told int64
	m := &c.ahead
	err = c.rows.Scan(&m.id, &m.salience, &flags, &told, &m.from, &m.until, &m.source, &c.entity)
	m.told = uint64(told)
	m.setFlags(flags)
	return err
}
