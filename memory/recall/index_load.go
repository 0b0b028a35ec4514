package recall

import (
	"cmp"
	"slices"
	"sync"

	"familiar/memory/internal/db"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

// grow adds what was written to the scope since the last call: first its messages in the order they were said, each
// with its memory, then the memories without a message here.
func (x *scopeIndex) grow(tx *db.Tx) error {
	added := rowAdder{x: x, first: len(x.entries)}
	if err := x.readInto(tx, &added); err != nil {
		return err
	}
	alone := added.alone()
	if !x.loaded && !x.isPart {
		standing, err := x.standingBefore(tx)
		if err != nil {
			return err
		}
		alone = append(standing, alone...)
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

// readInto reads new rows and adds them. Of a whole scope, it reads rows, finds their words and indexes them at the same
// time; what a turn adds is not worth a goroutine.
func (x *scopeIndex) readInto(tx *db.Tx, added *rowAdder) error {
	if x.loaded {
		return x.readRows(tx, func(rows indexRows) { added.add(x.documents(rows.said), rows) })
	}
	x.words.Begin()
	read, prepared := make(chan indexRows, 2), make(chan preparedRows, 2)
	var working sync.WaitGroup
	working.Go(func() {
		defer close(prepared)
		for rows := range read {
			documents := x.documents(rows.said)
			x.words.Prepare(documents)
			prepared <- preparedRows{rows, documents}
		}
	})
	working.Go(func() {
		for rows := range prepared {
			added.add(rows.documents, rows.indexRows)
		}
	})
	err := x.readRows(tx, func(rows indexRows) { read <- rows })
	close(read)
	working.Wait()
	x.words.Finish()
	x.compact()
	return err
}

// preparedRows are rows with the documents of their messages.
type preparedRows struct {
	indexRows
	documents []lexical.Document
}

// documents returns messages as documents that are not found themselves.
func (x *scopeIndex) documents(said []indexedMessage) []lexical.Document {
	documents := make([]lexical.Document, len(said))
	for i, s := range said {
		documents[i] = lexical.Document{
			Text: s.text, Author: s.author, Thread: s.session, At: s.at, Context: true, Own: s.author == 0,
		}
	}
	return documents
}

// sampleSize is how many entries say what a message takes: of fewer, one long text may be most of it.
const sampleSize = 4096

// compact gives up the memory that was allocated for growth.
func (x *scopeIndex) compact() {
	x.entries, x.byMemory = slices.Clip(slices.Clone(x.entries)), slices.Clip(slices.Clone(x.byMemory))
	x.told = slices.Clip(slices.Clone(x.told))
	if len(x.entries) >= sampleSize {
		x.perMessage = x.ownBytes() / int64(len(x.entries))
	}
}

// rowAdder adds messages to an index and attaches memories to them.
type rowAdder struct {
	x *scopeIndex
	// first is the ordinal of the first message added. Only messages follow until all rows are read.
	first int
	// early are the memories that came before their message, if they have one.
	early []indexedMemory
}

// add adds rows, whose messages are documents.
func (a *rowAdder) add(documents []lexical.Document, rows indexRows) {
	for i, s := range rows.said {
		a.x.add(documents[i], s.id)
	}
	for i := range rows.filed {
		if a.x.isPart && rows.filed[i].surfacesAlways() {
			continue // the newest part has it
		}
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
	if at, found := x.placeOf(m.id); found {
		x.byMemory[at] = uint32(ordinal)
	} else {
		x.byMemory = slices.Insert(x.byMemory, at, uint32(ordinal))
	}
	e := &x.entries[ordinal]
	e.memory, e.salience, e.dormant, e.class = m.id, float32(m.salience), m.dormant && !m.pinned, m.class
	x.told[ordinal] = m.told
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
	x.entries, x.told = append(x.entries, indexEntry{message: message}), append(x.told, 0)
	if _, seen := x.authors[d.Author]; d.Author != 0 && !seen {
		x.authors[d.Author] = indexedAuthor{}
	}
}

// indexedAuthor is what an index knows of an author.
type indexedAuthor struct {
	// named reports that queries can refer to the author by name.
	named bool
	// program reports that it is a program, which notes what it knows about people and is no side of a talk.
	program bool
}

// nameAuthors lets queries refer to authors seen since the last call by their names.
func (x *scopeIndex) nameAuthors(tx *db.Tx) error {
	for _, id := range unnamed(x.authors) {
		names, program, err := namesOf(tx, id)
		if err != nil {
			return err
		}
		for _, n := range names {
			x.words.Name(id, n)
		}
		x.authors[id] = indexedAuthor{named: true, program: program}
	}
	return nil
}

// namesOf returns the names a person goes by, and whether it is the account of a program.
func namesOf(tx *db.Tx, person int64) (names []string, program bool, _ error) {
	rows, err := tx.Query(`SELECT name, 0 FROM people WHERE id = ?1 UNION SELECT display, CASE channel WHEN ?2 THEN 1 ELSE 0 END
		FROM handles WHERE person_id = ?1`,
		person, model.ClientChannel)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var n string
		var ofProgram bool
		if err := rows.Scan(&n, &ofProgram); err != nil {
			return nil, false, err
		}
		names, program = append(names, n), program || ofProgram
	}
	slices.Sort(names)
	return names, program, rows.Err()
}

func unnamed(authors map[int64]indexedAuthor) []int64 {
	var ids []int64
	for id, a := range authors {
		if !a.named {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
