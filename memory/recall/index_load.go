package recall

import (
	"cmp"
	"slices"
	"sync"

	"familiar/memory/internal/db"
	"familiar/memory/lexical"
)

// grow adds what was written to the scope since the last call: first its messages in the order they were said, each
// with its memory, then the memories without a message here.
func (x *scopeIndex) grow(tx *db.Tx) error {
	added := rowAdder{x: x, first: len(x.entries)}
	if err := x.readInto(tx, &added); err != nil {
		return err
	}
	alone := added.alone()
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

// readInto reads new rows and adds them. Of a whole scope, it indexes words while the next rows are read; what a turn
// adds is not worth a goroutine.
func (x *scopeIndex) readInto(tx *db.Tx, added *rowAdder) error {
	if x.loaded {
		return x.readRows(tx, added.add)
	}
	read := make(chan indexRows, 1)
	var indexing sync.WaitGroup
	indexing.Go(func() {
		for rows := range read {
			added.add(rows)
		}
	})
	err := x.readRows(tx, func(rows indexRows) { read <- rows })
	close(read)
	indexing.Wait()
	return err
}

// rowAdder adds messages to an index and attaches memories to them.
type rowAdder struct {
	x *scopeIndex
	// first is the ordinal of the first message added. Only messages follow until all rows are read.
	first int
	// early are the memories that came before their message, if they have one.
	early []indexedMemory
}

func (a *rowAdder) add(rows indexRows) {
	for _, s := range rows.said {
		a.x.add(lexical.Document{Text: s.text, Author: s.author, Thread: s.session, At: s.at, Context: true, Own: s.author == 0}, s.id)
	}
	for i := range rows.filed {
		if !a.x.attachToMessage(a.first, &rows.filed[i]) {
			a.early = append(a.early, rows.filed[i])
		}
	}
}

// alone attaches the early memories and returns, in order of id, those that stand alone: those without a message, with a
// message of another room, with a message whose text is gone, or with a message that already has a memory.
func (a *rowAdder) alone() (alone []indexedMemory) {
	for i := range a.early {
		if !a.x.attachToMessage(a.first, &a.early[i]) {
			alone = append(alone, a.early[i])
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
