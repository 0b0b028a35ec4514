package recall

import (
	"cmp"
	"slices"
	"sync"

	"familiar/memory/internal/db"
	"familiar/memory/lexical"
)

// grow adds what was written to the scope since the last call: first its messages in the order they were said, each
// with its memory, then the memories without a message here. It indexes words while the next rows are read.
func (x *scopeIndex) grow(tx *db.Tx) error {
	read := make(chan indexRows, 1)
	var alone []indexedMemory
	var indexing sync.WaitGroup
	indexing.Go(func() { alone = x.addRows(read) })
	err := x.readRows(tx, read)
	close(read)
	indexing.Wait()
	if err != nil {
		return err
	}
	for i := range alone {
		m := &alone[i]
		d := lexical.Document{From: m.from, Until: m.until, Links: m.links}
		if err := tx.QueryRow(`SELECT text, coalesce(author_id, 0), created_at FROM memories WHERE id = ?`, m.id).
			Scan(&d.Text, &d.Author, &d.At); err != nil {
			return err
		}
		x.add(d, 0)
		x.attach(len(x.entries)-1, m)
	}
	slices.Sort(x.standing)
	slices.Sort(x.pinned)
	return x.nameAuthors(tx)
}

// addRows adds messages and attaches memories to them. It returns, in order of id, the memories that stand alone: those
// without a message, with a message of another room, with a message whose text is gone, or with a message that already
// has a memory.
func (x *scopeIndex) addRows(read <-chan indexRows) (alone []indexedMemory) {
	first := len(x.entries) // only messages follow until all rows are read
	var early []indexedMemory
	for rows := range read {
		for _, s := range rows.said {
			x.add(lexical.Document{Text: s.text, Author: s.author, Thread: s.session, At: s.at, Context: true}, s.id)
		}
		for i := range rows.filed {
			if !x.attachToMessage(first, &rows.filed[i]) {
				early = append(early, rows.filed[i])
			}
		}
	}
	for i := range early { // the message may have been read after the memory
		if !x.attachToMessage(first, &early[i]) {
			alone = append(alone, early[i])
		}
	}
	slices.SortFunc(alone, func(a, b indexedMemory) int { return cmp.Compare(a.id, b.id) })
	return alone
}

// attachToMessage attaches m to its message if that is among the entries from first on and has no memory yet.
func (x *scopeIndex) attachToMessage(first int, m *indexedMemory) bool {
	i, found := slices.BinarySearchFunc(x.entries[first:], m.source, func(e indexEntry, message int64) int {
		return cmp.Compare(e.message, message)
	})
	if !found || x.entries[first+i].memory != 0 {
		return false
	}
	x.words.Surface(first+i, m.from, m.until, m.links)
	x.attach(first+i, m)
	return true
}

// attach makes the entry stand for m as well.
func (x *scopeIndex) attach(ordinal int, m *indexedMemory) {
	e := &x.entries[ordinal]
	e.memory, e.salience, e.dormant = m.id, float32(m.salience), m.dormant && !m.pinned
	x.ordinals[m.id] = ordinal
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

// add adds a document that stands for message, 0 for none.
func (x *scopeIndex) add(d lexical.Document, message int64) {
	x.words.Add(d)
	x.entries = append(x.entries, indexEntry{message: message, author: d.Author})
	if d.Author != 0 && !x.authors[d.Author] {
		x.authors[d.Author] = false // seen, not yet named
	}
}

// nameAuthors lets queries refer to authors seen since the last call by their names.
func (x *scopeIndex) nameAuthors(tx *db.Tx) error {
	for _, id := range unnamed(x.authors) {
		names, err := namesOf(tx, id)
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

// namesOf returns the names a person goes by.
func namesOf(tx *db.Tx, person int64) ([]string, error) {
	rows, err := tx.Query(`SELECT name FROM people WHERE id = ? UNION SELECT display FROM handles WHERE person_id = ?`,
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
