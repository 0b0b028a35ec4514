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

// cacheBudget bounds how many beliefs and pieces of evidence are kept in memory for all rooms together, a few MB. One
// room with more is kept as long as it is the one spoken in.
const cacheBudget = 10_000

// beliefCache keeps what is believed in the rooms spoken in lately: every turn asks for it twice, and it changes only
// with what is claimed. Its zero value is empty and ready.
type beliefCache struct {
	mu    sync.Mutex
	rooms map[RoomKey]*VisibleBeliefs
	clock int64
}

// hearingKey is one persona in one room.
type RoomKey struct {
	Persona string
	Room    int64
}

// believed is everything believed that may be heard in a room, settled, as its scopes stood at one moment.
type VisibleBeliefs struct {
	at      []model.ScopeRevision
	Beliefs []model.Belief       // by id, without evidence
	keys    []string             // the subject keys of beliefs
	stored  map[int]model.Belief // as stored, the beliefs that read otherwise beside those of other audiences
	Marker  Marker
	// replaced are the values no longer to be taken for true.
	replaced []Replacement

	once  sync.Once
	facts *world.Graph // what leads from one thing to another, filed when a question first asks

	mu       sync.Mutex
	evidence map[int64][]model.Evidence // of the beliefs it was read for
	pieces   int
	// evidenceTo is the latest piece of evidence there was, anybody's.
	evidenceTo int64
	// marked are the texts of messages of the running talk that were marked before.
	marked map[int64]string

	used int64 // belongs to the cache's lock
}

// relevantRevisions are the counters what is believed depends on.
func relevantRevisions(at []model.ScopeRevision) []model.ScopeRevision {
	out := slices.Clone(at)
	for i := range out {
		out[i].Revision = 0
	}
	return out
}

// believed is what is believed in h as of the running transaction, whose scopes are at.
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
		old.mu.Lock()
		b.Marker, b.marked = old.Marker, maps.Clone(old.marked)
		old.mu.Unlock()
	}
	if b.Marker.byFirst == nil {
		b.Marker = NewMarker(b.replaced)
	}
	s.cache.put(key, b)
	return b, nil
}

// readAll reads everything believed.
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

// reuse takes over from old, what was believed before in the same place, whatever still holds: the beliefs and the
// evidence that was read, with what came to them since.
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
	var touched []int64
	err = eachEvidence(tx, `e.id > ? ORDER BY e.id`, []any{old.evidenceTo}, func(belief int64, e model.Evidence) {
		touched = append(touched, belief)
		if before, read := b.evidence[belief]; read {
			b.evidence[belief] = append(slices.Clip(before), e)
			b.pieces++
		}
	})
	if err != nil {
		return err
	}
	return b.extend(tx, h, old, touched)
}

// maxNewEvidence is how many new pieces of evidence, those of all rooms, are looked through for a room's: past that its
// own are read again as they are asked for.
const maxNewEvidence = 256

// onlyGrew says that between two states of the same scopes something was believed, but nothing changed otherwise or
// was removed.
func onlyGrew(old, now []model.ScopeRevision) bool {
	return slices.EqualFunc(old, now, func(o, n model.ScopeRevision) bool {
		return o.Audience == n.Audience && o.Epoch == n.Epoch && o.Names == n.Names && o.Beliefs <= n.Beliefs
	})
}

// about are the beliefs about one of the subjects, all when none is named, in a slice of their own.
func (b *VisibleBeliefs) about(subjects []string) []model.Belief {
	var out []model.Belief
	for i, one := range b.Beliefs {
		if len(subjects) == 0 || slices.Contains(subjects, b.keys[i]) {
			out = append(out, one)
		}
	}
	return out
}

// addEvidence gives each of beliefs its evidence, reading what nobody has asked for yet.
func (b *VisibleBeliefs) AddEvidence(tx *db.Tx, beliefs []model.Belief) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var missing []model.Belief
	for _, one := range beliefs {
		if _, known := b.evidence[one.ID]; !known {
			missing = append(missing, one)
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
		beliefs[i].Evidence = b.evidence[beliefs[i].ID]
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

// latest is what was last known of a place, whether or not it still holds; nil for nothing.
func (c *beliefCache) latest(key RoomKey) *VisibleBeliefs {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rooms[key]
}

// put keeps b and drops the rooms unused for longest while all together are over the budget.
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
		total += 1 + kept.size() // an empty one takes its place, too
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

// markAll marks the texts of messages. The running talk is marked again with every turn, so what was marked is kept.
func (b *VisibleBeliefs) MarkAll(messages []model.Message) []string {
	texts := make([]string, len(messages))
	if len(b.Marker.byFirst) == 0 {
		for i, m := range messages {
			texts[i] = m.Text
		}
		return texts
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.marked == nil || len(b.marked) > 4*len(messages)+maxExtraMarked {
		b.marked = map[int64]string{}
	}
	for i, m := range messages {
		text, done := b.marked[m.ID]
		if !done {
			text = b.Marker.Mark(model.SnippetLine{PersonID: m.PersonID, At: m.At, Text: m.Text})
			b.marked[m.ID] = text
		}
		texts[i] = text
	}
	return texts
}

// maxExtraMarked bounds the marked texts that are kept beside those in front of a voice.
const maxExtraMarked = 64

// Replacements are the values that must no longer be taken for true, oldest first. The slice is shared: do not change it.
func (b *VisibleBeliefs) Replacements() []Replacement { return b.replaced }
