package belief

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/understand/world"
)

// cacheBudget bounds the cached beliefs and pieces of evidence of all rooms, a few MB. A single room may exceed it
// while it is the current one.
const cacheBudget = 10_000

// beliefCache caches the beliefs visible in recently used rooms. Every turn reads them twice, and only claims change
// them. Its zero value is empty and ready.
type beliefCache struct {
	mu    sync.Mutex
	rooms map[RoomKey]*VisibleBeliefs
	clock int64
}

// RoomKey is one persona in one room.
type RoomKey struct {
	Persona string
	Room    int64
}

// VisibleBeliefs are all beliefs visible in a room, resolved, as of one state of its scopes.
type VisibleBeliefs struct {
	at      []model.ScopeRevision
	Beliefs []model.Belief       // by ID, without evidence
	keys    []string             // the subject keys of Beliefs
	stored  map[int]model.Belief // by index: the stored form of beliefs that read differently here because of other audiences
	Marker  Marker
	// replaced are the values that no longer hold.
	replaced []Replacement

	once  sync.Once
	facts *world.Graph // built when a question first needs it

	sortOnce sync.Once
	sorted   []listed // what latestFirst returns

	mu       sync.Mutex
	evidence map[int64][]model.Evidence // for the beliefs it was read for
	pieces   int
	// evidenceTo is the ID of the latest piece of evidence in the store.
	evidenceTo int64
	used       int64 // guarded by the cache's lock
}

// relevantRevisions drops the counters that do not affect beliefs.
func relevantRevisions(at []model.ScopeRevision) []model.ScopeRevision {
	out := slices.Clone(at)
	for i := range out {
		out[i].Revision = 0
	}
	return out
}

// Visible returns the beliefs visible in h as of the running transaction, whose scope revisions are at.
func (s *Store) Visible(tx *db.Tx, h scope.Visibility, at []model.ScopeRevision) (*VisibleBeliefs, error) {
	key, at := RoomKey{h.Persona(), h.Room().ID}, relevantRevisions(at)
	if b := s.cache.get(key, at); b != nil {
		return b, nil
	}
	old := s.cache.latest(key)
	b := &VisibleBeliefs{at: at, evidence: map[int64][]model.Evidence{}}
	if err := b.reuse(tx, h, old); err != nil {
		return nil, err
	}
	if b.Beliefs == nil {
		if err := b.readAll(tx, h); err != nil {
			return nil, err
		}
	}
	if old != nil && slices.Equal(old.replaced, b.replaced) {
		b.Marker = old.Marker
	} else {
		b.Marker = NewMarker(b.replaced)
	}
	s.cache.put(key, b)
	return b, nil
}

// readAll reads all visible beliefs.
func (b *VisibleBeliefs) readAll(tx *db.Tx, h scope.Visibility) error {
	where, args := h.Where("b")
	heard, err := db.Collect[model.Belief](tx.Query(SelectBeliefs+` WHERE `+where+` ORDER BY b.id`, args...))(ScanBelief)
	if err != nil {
		return err
	}
	b.Beliefs, b.stored = resolve(heard), map[int]model.Belief{}
	b.keys = make([]string, len(heard))
	for i, one := range b.Beliefs {
		b.keys[i] = model.SubjectKey(one.SubjectPerson, one.Subject)
		b.keepStored(i, heard[i])
	}
	b.replaced = replacements(b.Beliefs)
	return nil
}

// reuse takes over what still holds from old, the previous state of the same room: the beliefs and the evidence read so
// far, with what was added since.
func (b *VisibleBeliefs) reuse(tx *db.Tx, h scope.Visibility, old *VisibleBeliefs) (err error) {
	if b.evidenceTo, err = db.One(tx.QueryRow(`SELECT coalesce(max(id), 0) FROM belief_evidence`), db.ScanID); err != nil {
		return err
	}
	if old == nil || !onlyGrew(old.at, b.at) || b.evidenceTo-old.evidenceTo > maxNewEvidence {
		return nil
	}
	old.mu.Lock()
	b.evidence, b.pieces = maps.Clone(old.evidence), old.pieces
	old.mu.Unlock()
	added := map[int64][]model.Evidence{}
	where, args := h.Where("b") // what came in other rooms is looked up, but not read
	err = eachEvidence(tx, `e.id > ? AND EXISTS (SELECT 1 FROM beliefs b WHERE b.id = e.belief_id AND `+where+`) ORDER BY e.id`,
		append([]any{old.evidenceTo}, args...), func(belief int64, e model.Evidence) {
			added[belief] = append(added[belief], e)
			if before, read := b.evidence[belief]; read {
				b.evidence[belief] = append(slices.Clip(before), e)
				b.pieces++
			}
		})
	if err != nil {
		return err
	}
	return b.extend(tx, h, old, added)
}

// maxNewEvidence is how much new evidence of all rooms is searched for a room's. Beyond that, the room's own evidence
// is read again on demand.
const maxNewEvidence = 256

// onlyGrew reports whether, between two states of the same scopes, beliefs were added and nothing else was changed or
// removed.
func onlyGrew(old, now []model.ScopeRevision) bool {
	return slices.EqualFunc(old, now, func(o, n model.ScopeRevision) bool {
		return o.Audience == n.Audience && o.Epoch == n.Epoch && o.Names == n.Names && o.Beliefs <= n.Beliefs
	})
}

// matching returns a new slice of the beliefs about the subjects, all if none is given, that a filter selects, the latest
// first.
func (b *VisibleBeliefs) matching(f Filter, subjects []string) []model.Belief {
	var at []int
	for _, l := range b.latestFirst() {
		if len(at) == db.LimitOr(f.Limit, 200) {
			break
		}
		of := (len(subjects) == 0 || slices.Contains(subjects, l.subject)) && (f.AuthorID == 0 || f.AuthorID == l.author)
		if of && f.matches(&b.Beliefs[l.at]) {
			at = append(at, l.at)
		}
	}
	if len(at) == 0 {
		return nil
	}
	out := make([]model.Belief, len(at))
	for n, i := range at {
		out[n] = b.Beliefs[i]
	}
	return out
}

// listed is the index of a belief with what most filters ask of it: beliefs are large, and a room may have thousands.
type listed struct {
	at      int
	author  int64
	subject string
}

// latestFirst lists the beliefs, the latest updated first, of equals the newest.
func (b *VisibleBeliefs) latestFirst() []listed {
	b.sortOnce.Do(func() {
		b.sorted = make([]listed, len(b.Beliefs))
		for i := range b.sorted {
			b.sorted[i] = listed{i, b.Beliefs[i].AuthorID, b.keys[i]}
		}
		slices.SortFunc(b.sorted, func(x, y listed) int {
			one, other := &b.Beliefs[x.at], &b.Beliefs[y.at]
			return cmp.Or(other.Updated.Compare(one.Updated), cmp.Compare(other.ID, one.ID))
		})
	})
	return b.sorted
}

// AddEvidence sets the evidence of beliefs and reads what is not cached yet.
func (b *VisibleBeliefs) AddEvidence(tx *db.Tx, beliefs []model.Belief) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var missing []model.Belief
	for i := range beliefs {
		if _, known := b.evidence[beliefs[i].ID]; !known {
			missing = append(missing, beliefs[i])
		}
	}
	if err := LoadEvidence(tx, missing); err != nil {
		return err
	}
	for _, one := range missing {
		b.evidence[one.ID] = slices.Clip(one.Evidence)
		b.pieces += len(one.Evidence)
	}
	for i := range beliefs {
		beliefs[i].SetEvidence(b.evidence[beliefs[i].ID])
	}
	return nil
}

func (b *VisibleBeliefs) size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.Beliefs) + b.pieces
}

func (c *beliefCache) get(key RoomKey, at []model.ScopeRevision) *VisibleBeliefs {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.rooms[key]
	if b == nil || !slices.Equal(b.at, at) {
		return nil
	}
	c.clock++
	b.used = c.clock
	return b
}

// latest returns the last cached state of a room, valid or not; nil if none.
func (c *beliefCache) latest(key RoomKey) *VisibleBeliefs {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rooms[key]
}

// put caches b and evicts the least recently used rooms while the total exceeds the budget.
func (c *beliefCache) put(key RoomKey, b *VisibleBeliefs) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rooms == nil {
		c.rooms = map[RoomKey]*VisibleBeliefs{}
	}
	c.rooms[key] = b
	c.clock++
	b.used = c.clock
	total := 0
	keys := make([]RoomKey, 0, len(c.rooms))
	for k, kept := range c.rooms {
		total += 1 + kept.size() // an empty room counts too
		keys = append(keys, k)
	}
	if total <= cacheBudget {
		return
	}
	slices.SortFunc(keys, func(a, b RoomKey) int { return cmp.Compare(c.rooms[a].used, c.rooms[b].used) })
	for _, k := range keys {
		if total <= cacheBudget || k == key {
			return
		}
		total -= 1 + c.rooms[k].size()
		delete(c.rooms, k)
	}
}

// MarkAll marks the texts of messages.
func (b *VisibleBeliefs) MarkAll(messages []model.Message) []string {
	texts := make([]string, len(messages))
	for i := range messages {
		m := &messages[i]
		texts[i] = b.Marker.Mark(model.SnippetLine{PersonID: m.PersonID, At: m.At, Text: m.Text})
	}
	return texts
}

// Replacements returns the values that no longer hold, oldest first. The slice is shared; do not change it.
func (b *VisibleBeliefs) Replacements() []Replacement { return b.replaced }
