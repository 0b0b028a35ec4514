package memory

import (
	"cmp"
	"slices"
	"sync"

	"familiar/memory/lexical"
)

// filed is what the index needs to know of one memory.
type filed struct {
	id, author          int64
	source              int64  // the message it was said in, 0 when it stands alone
	text                string // only of memories nobody said
	salience            float32
	instruction, pinned bool
	dormant             bool
	from, until         int64
	at                  int64
	links               []string
}

// The memories of a scope added since, but for those a newer version replaced. Each kind of audience has its own
// partial index.
const (
	newMemories = `SELECT m.id, coalesce(m.author_id, 0), CASE m.origin WHEN 'said' THEN '' ELSE m.text END, m.salience,
		m.instruction, m.pinned, m.tier = 'dormant', coalesce(m.event_from, 0), coalesce(m.event_until, 0), m.created_at,
		CASE m.origin WHEN 'said' THEN coalesce(s.message_id, 0) ELSE 0 END
		FROM memories m LEFT JOIN memory_sources s ON s.memory_id = m.id AND m.origin = 'said'
		WHERE m.persona = ? AND m.superseded_by IS NULL AND m.id > ? AND `
	newLinks = `SELECT e.memory_id, e.entity FROM memories m JOIN memory_entities e ON e.memory_id = m.id
		WHERE m.persona = ? AND m.superseded_by IS NULL AND m.id > ? AND `
	inOrder = ` ORDER BY m.id, s.message_id`
)

// scopeClause is the condition on memories m that selects an audience, with its argument where it takes one.
func scopeClause(a Audience) (string, []any) {
	switch a.Kind {
	case Private:
		return `m.audience = 'private' AND m.audience_person = ?`, []any{a.Ref}
	case InRoom:
		return `m.audience = 'room' AND m.audience_room = ?`, []any{a.Ref}
	default:
		return `m.audience = 'world'`, nil
	}
}

// grow adds what was written to the scope since the last time: first its messages in the order they were said, each
// with the memory made of it, then the memories that stand alone.
func (x *scopeIndex) grow(tx *conn) error {
	memories, err := x.readMemories(tx)
	if err != nil {
		return err
	}
	alone, err := x.addMessages(tx, memories)
	if err != nil {
		return err
	}
	slices.SortFunc(alone, func(a, b filed) int { return cmp.Compare(a.id, b.id) })
	for i := range alone {
		m := &alone[i]
		if m.text == "" {
			if err := tx.row(`SELECT text FROM memories WHERE id = ?`, m.id).Scan(&m.text); err != nil {
				return err
			}
		}
		x.add(lexical.Document{Text: m.text, Author: m.author, At: m.at, From: m.from, Until: m.until, Links: m.links}, 0, m)
	}
	return x.nameAuthors(tx)
}

// readMemories reads the scope's new memories in the order of the messages they were said in.
func (x *scopeIndex) readMemories(tx *conn) ([]filed, error) {
	links, err := x.readLinks(tx)
	if err != nil {
		return nil, err
	}
	clause, ref := scopeClause(x.key.audience)
	rows, err := tx.rows(newMemories+clause+inOrder, append([]any{x.key.persona, x.lastMemory}, ref...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var memories []filed
	for rows.Next() {
		var m filed
		if err := rows.Scan(&m.id, &m.author, &m.text, &m.salience, &m.instruction, &m.pinned, &m.dormant, &m.from, &m.until, &m.at,
			&m.source); err != nil {
			return nil, err
		}
		if m.id == x.lastMemory {
			continue // a second source: the first carries it
		}
		m.links = links[m.id]
		x.lastMemory = m.id
		memories = append(memories, m)
	}
	slices.SortStableFunc(memories, func(a, b filed) int { return cmp.Compare(a.source, b.source) })
	return memories, rows.Err()
}

// readLinks reads what the scope's new memories speak of.
func (x *scopeIndex) readLinks(tx *conn) (map[int64][]string, error) {
	clause, ref := scopeClause(x.key.audience)
	rows, err := tx.rows(newLinks+clause, append([]any{x.key.persona, x.lastMemory}, ref...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	links := map[int64][]string{}
	for rows.Next() {
		var id int64
		var entity string
		if err := rows.Scan(&id, &entity); err != nil {
			return nil, err
		}
		links[id] = append(links[id], entity)
	}
	return links, rows.Err()
}

// roomsOf is the condition on messages m that selects the rooms of an audience. Nothing is said in the world.
func roomsOf(a Audience) string {
	if a.Kind == Private {
		return `m.room_id IN (SELECT id FROM rooms WHERE direct = 1 AND person_id = ?)`
	}
	return `m.room_id = ?`
}

// spoken is a message on its way into the index, with the memory made of it or nil.
type spoken struct {
	lexical.Document
	id     int64
	memory *filed
}

// spokenBatch is how many messages are read before they are indexed: handing each over by itself would cost more than
// it saves.
const spokenBatch = 256

// addMessages adds the scope's new messages, each with the first of memories that was said in it, and returns the
// memories that are left. A scope that is read from the start has its words indexed while the next rows are read.
func (x *scopeIndex) addMessages(tx *conn, memories []filed) (alone []filed, err error) {
	if x.key.audience.Kind == World {
		return memories, nil
	}
	batches := make(chan []spoken, 1)
	var indexing sync.WaitGroup
	indexing.Go(func() {
		for batch := range batches {
			for _, s := range batch {
				x.add(s.Document, s.id, s.memory)
			}
		}
	})
	alone, err = x.readMessages(tx, memories, batches)
	close(batches)
	indexing.Wait()
	return alone, err
}

// readMessages hands the scope's new messages over in batches. The memories it returns were not said, or came from a
// message of another room, or from one whose words are gone.
func (x *scopeIndex) readMessages(tx *conn, memories []filed, batches chan<- []spoken) (alone []filed, err error) {
	a := x.key.audience
	rows, err := tx.rows(`SELECT m.id, m.session_id, coalesce(m.person_id, 0), m.text, m.at FROM messages m
		WHERE m.persona = ? AND m.id > ? AND m.text <> '' AND `+roomsOf(a)+` ORDER BY m.id`,
		x.key.persona, x.lastMessage, a.Ref)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var batch []spoken
	for rows.Next() {
		var s spoken
		if err := rows.Scan(&s.id, &s.Thread, &s.Author, &s.Text, &s.At); err != nil {
			return nil, err
		}
		for len(memories) > 0 && memories[0].source < s.id {
			alone, memories = append(alone, memories[0]), memories[1:]
		}
		if len(memories) > 0 && memories[0].source == s.id {
			s.memory, memories = &memories[0], memories[1:]
			s.From, s.Until, s.Links = s.memory.from, s.memory.until, s.memory.links
		}
		s.Context = s.memory == nil
		x.lastMessage = s.id
		if batch = append(batch, s); len(batch) == spokenBatch {
			batches <- batch
			batch = make([]spoken, 0, spokenBatch)
		}
	}
	if len(batch) > 0 {
		batches <- batch
	}
	return append(alone, memories...), rows.Err()
}

// add enters a document that stands for message and for m, either of which may be missing.
func (x *scopeIndex) add(d lexical.Document, message int64, m *filed) {
	ordinal := x.words.Add(d)
	e := indexEntry{message: message, author: d.Author}
	if m != nil {
		e.memory, e.salience, e.dormant = m.id, m.salience, m.dormant && !m.pinned
		if e.dormant {
			x.dormant++
		}
		if m.instruction {
			x.standing = append(x.standing, ordinal)
		}
		if m.pinned {
			x.pinned = append(x.pinned, ordinal)
		}
	}
	x.entries = append(x.entries, e)
	if d.Author != 0 && !x.authors[d.Author] {
		x.authors[d.Author] = false // met, not yet named
	}
}

// nameAuthors lets the authors met since be meant by the names they go by.
func (x *scopeIndex) nameAuthors(tx *conn) error {
	for _, id := range unnamed(x.authors) {
		names, err := tx.namesOf(id)
		if err != nil {
			return err
		}
		for _, n := range names {
			x.words.Name(id, n)
		}
		x.authors[id] = true
	}
	return nil
}

// namesOf are the names a person goes by.
func (c *conn) namesOf(person int64) ([]string, error) {
	rows, err := c.rows(`SELECT name FROM people WHERE id = ? UNION SELECT display FROM handles WHERE person_id = ?`,
		person, person)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var n string
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		names = append(names, n)
	}
	return names, rows.Err()
}

func unnamed(authors map[int64]bool) []int64 {
	var ids []int64
	for id, named := range authors {
		if !named {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
