package recall

import (
	"errors"
	"math"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

// A scope whose index does not fit the budget keeps the newest part of its talk in memory. The older talk is divided
// into parts by age. A recall reads one of them at most, and only if the question calls for it: it names a time in that
// part or a word that is only there, or nothing in memory bears on it. The last parts read stay in memory as long as
// they fit. Standing instructions and pinned memories are always in memory.

const (
	// messageBytes is about what a message takes in an index.
	messageBytes = 225
	// growthShare and partShare are the parts of the room, as divisors, that a new index leaves free for its growth and
	// for its older parts.
	growthShare = 4
	partShare   = 4
	// spareShare is the part of the room, as a divisor, that is left free for the growth of an index that holds everything.
	spareShare = 8
	// heldParts is how many older parts of a scope are in memory at the same time.
	heldParts = 4
	// minPart and maxPart bound the number of messages of an older part: reading one takes some ten milliseconds.
	minPart = 256
	maxPart = 8192
)

// section is a range of ids, each after the first and up to the second.
type section struct {
	afterMessage, upToMessage int64
	afterMemory, upToMemory   int64
}

// everything is the section of a whole scope.
var everything = section{upToMessage: math.MaxInt64, upToMemory: math.MaxInt64}

// holds reports whether the memory belongs to the section.
func (s section) holds(memory int64) bool { return s.afterMemory < memory && memory <= s.upToMemory }

// olderPart is a part of a scope's older talk.
type olderPart struct {
	section
	// from and until bound the time of its messages, in milliseconds.
	from, until int64
	// digest says what words it contains, nil if it has not been read yet.
	digest lexical.Digest
	// index is nil unless it is in memory. used is when a recall last read it.
	index *scopeIndex
	used  int64
}

// outgrow resets x, which has more than room bytes, if it can do with less.
func (x *scopeIndex) outgrow(tx *db.Tx, room int64) error {
	cut, err := x.cutFor(tx, room)
	if err == nil && cut > x.afterMessage {
		x.reset()
	}
	return err
}

// cutFor returns the message after which the newest part of the scope fits in room bytes, 0 if all of it does.
func (x *scopeIndex) cutFor(tx *db.Tx, room int64) (cut int64, err error) {
	each := max(x.perMessage, messageBytes)
	if rest, err := x.messageBefore(tx, math.MaxInt64, max(minPart, (room-room/spareShare)/each)); err != nil || rest == 0 {
		return 0, err
	}
	return x.messageBefore(tx, math.MaxInt64, max(minPart, (room-room/growthShare-room/partShare)/each))
}

// holdNewest makes x hold the newest part of its scope that fits in room bytes, or all of it. x must be empty.
func (x *scopeIndex) holdNewest(tx *db.Tx, room int64) error {
	x.section, x.older = everything, nil
	cut, err := x.cutFor(tx, room)
	if err != nil || cut == 0 {
		return err
	}
	size := min(max(room/partShare/heldParts/messageBytes, minPart), maxPart)
	for upTo := cut; upTo != 0; {
		after, err := x.messageBefore(tx, upTo, size)
		if err != nil {
			return err
		}
		p := olderPart{section: section{afterMessage: after, upToMessage: upTo}}
		if p.afterMemory, err = lastMemoryUpTo(tx, after); err != nil {
			return err
		}
		if p.upToMemory, err = lastMemoryUpTo(tx, upTo); err != nil {
			return err
		}
		x.older = append(x.older, p)
		upTo = after
	}
	x.afterMessage, x.afterMemory = cut, x.older[0].upToMemory
	x.lastMessage, x.lastMemory = x.afterMessage, x.afterMemory
	return x.noteTimes(tx)
}

// messageBefore returns the id of the message that is n messages older than the newest up to one, 0 if the scope has none
// so old.
func (x *scopeIndex) messageBefore(tx *db.Tx, upTo, n int64) (id int64, err error) {
	rooms, ref := scope.MessageCondition(x.key.Audience)
	id, err = db.One(tx.QueryRow(`SELECT m.id FROM messages m WHERE m.persona = ? AND `+rooms+` AND m.id <= ?
		ORDER BY m.id DESC LIMIT 1 OFFSET ? + 0`, append(append([]any{x.key.Persona}, ref...), upTo, n)...), db.ScanID)
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	return id, err
}

// lastMemoryUpTo returns the newest memory made of a message up to the given one, 0 for none.
func lastMemoryUpTo(tx *db.Tx, message int64) (id int64, err error) {
	id, err = db.One(tx.QueryRow(`SELECT memory_id FROM memory_sources WHERE message_id <= ? ORDER BY message_id DESC LIMIT 1`,
		message), db.ScanID)
	if errors.Is(err, db.ErrNotFound) {
		return 0, nil
	}
	return id, err
}

// noteTimes sets the times of the older parts.
func (x *scopeIndex) noteTimes(tx *db.Tx) error {
	until := int64(math.MaxInt64)
	for i := range x.older {
		p := &x.older[i]
		p.until = until
		if p.afterMessage == 0 {
			p.from = math.MinInt64
			continue
		}
		if err := tx.QueryRow(`SELECT at FROM messages WHERE id = ?`, p.afterMessage).Scan(&p.from); err != nil {
			return err
		}
		until = p.from
	}
	return nil
}

// standingBefore returns the standing instructions and the pinned memories that are older than what x holds.
func (x *scopeIndex) standingBefore(tx *db.Tx) ([]indexedMemory, error) {
	if x.afterMemory == 0 {
		return nil, nil
	}
	clause, ref := scope.MemoryCondition(x.key.Audience)
	return db.Collect[indexedMemory](tx.Query(memoriesOf+clause+` AND m.id <= ? AND (m.instruction = 1 OR m.pinned = 1) ORDER BY m.id, s.message_id`,
		append(append([]any{x.key.Persona}, ref...), x.afterMemory)...))(scanIndexedMemory)
}

// reachBack adds one older part to what the recall searches, if the question calls for it, and reports whether it did.
func (s *Store) reachBack(tx *db.Tx, r *scopeSet, q Query, found *rankState) (bool, error) {
	if !r.hasOlder() {
		return false, nil
	}
	probe, known := r.probe(q), found.bearing() >= knownBearing
	for i, now := range r.at {
		part, kept, err := r.scopes[i].readWanted(tx, now, s.index.tick(), func(x *scopeIndex) int {
			return x.wanted(q, known, found.signals[TopWindow], probe)
		})
		if err != nil {
			return false, err
		}
		if part != nil {
			r.scopes, r.kept = append(r.scopes, part), append(r.kept, kept)
			return true, nil
		}
	}
	return false, nil
}

// hasOlder reports whether a scope has older parts.
func (r *scopeSet) hasOlder() bool {
	return slices.ContainsFunc(r.scopes[:len(r.at)], func(x *scopeIndex) bool {
		x.mu.RLock()
		defer x.mu.RUnlock()
		return len(x.older) > 0
	})
}

// probe returns the probe of the question to all that was searched.
func (r *scopeSet) probe(q Query) lexical.Probe {
	words := make([]*lexical.Index, len(r.scopes))
	for i, x := range r.scopes {
		x.mu.RLock()
		defer x.mu.RUnlock()
		words[i] = x.words
	}
	return lexical.NewProbe(words, q.Text, q.Asker)
}

// wanted returns the number of the older part that a question calls for, -1 for none: the newest of those in its
// window or at a time that it names, with a word that was not found, or, if nothing known was found, with more of its words than the given share
// that was found; then one that was never read.
func (x *scopeIndex) wanted(q Query, known bool, found float64, probe lexical.Probe) int {
	times := timeSpans(q)
	best, most, unread := -1, 0.0, -1
	for i := range x.older {
		p := &x.older[i]
		if p.index != nil {
			continue
		}
		if q.touches(p.from, p.until) {
			return i
		}
		for _, t := range times {
			if t.From < p.until && p.from < t.Until {
				return i
			}
		}
		if p.digest == nil {
			if unread < 0 {
				unread = i
			}
			continue
		}
		share, unseen := probe.In(p.digest)
		if unseen {
			share++
		}
		if (unseen || !known && share > found) && share > most {
			best, most = i, share
		}
	}
	if best < 0 && (!known || probe.Unseen()) {
		return unread
	}
	return best
}

// readWanted reads the wanted older part into memory and returns it with its row cache, nil for none.
func (x *scopeIndex) readWanted(tx *db.Tx, now model.ScopeRevision, clock int64, wanted func(*scopeIndex) int) (*scopeIndex, *rowCache, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	at := wanted(x)
	if at < 0 {
		return nil, nil, nil
	}
	x.releasePart()
	p := &x.older[at]
	part := &scopeIndex{key: x.key, lang: x.lang, vocabulary: x.vocabulary, section: p.section, isPart: true}
	part.reset()
	kept, _, err := part.catchUp(tx, now, math.MaxInt64)
	if err != nil {
		return nil, nil, err
	}
	p.index, p.used = part, clock
	if p.digest == nil {
		p.digest = part.words.Digest()
	}
	return part, kept, nil
}

// releasePart frees the place of one older part if as many are in memory as may be.
func (x *scopeIndex) releasePart() {
	held, oldest := 0, -1
	for i := range x.older {
		if p := &x.older[i]; p.index != nil {
			held++
			if oldest < 0 || p.used < x.older[oldest].used {
				oldest = i
			}
		}
	}
	if held >= heldParts {
		x.older[oldest].index = nil
	}
}

// heldOlder brings the older parts in memory in step with the store and returns them.
func (x *scopeIndex) heldOlder(tx *db.Tx, now model.ScopeRevision) (parts []*scopeIndex, kept []*rowCache, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range x.older {
		part := x.older[i].index
		if part == nil {
			continue
		}
		rows, _, err := part.catchUp(tx, now, math.MaxInt64)
		if err != nil {
			return nil, nil, err
		}
		parts, kept = append(parts, part), append(kept, rows)
	}
	return parts, kept, nil
}

// olderBytes estimates the size of the older parts in memory and of all digests.
func (x *scopeIndex) olderBytes() (bytes int64) {
	for i := range x.older {
		p := &x.older[i]
		if bytes += 4 * int64(len(p.digest)); p.index != nil {
			p.index.mu.RLock()
			bytes += p.index.bytes()
			p.index.mu.RUnlock()
		}
	}
	return bytes
}
