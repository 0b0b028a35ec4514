package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/when"
)

// defaultLimit is how many memories a query without a limit returns.
const defaultLimit = 20

// Find returns what may be said in h about q, best first, and packs it when q has a budget. It changes nothing. A query
// that matches nothing returns an empty result and no error.
func (s *Store) Find(ctx context.Context, h scope.Visibility, q Query) (Result, error) {
	return s.find(ctx, h, q, Selection.read)
}

// find is Find with what reads the selection.
func (s *Store) find(ctx context.Context, h scope.Visibility, q Query, read func(Selection, *db.Tx, scope.Visibility) (*selected, error)) (Result, error) {
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	var found *rankState
	var mark belief.Marker
	err := s.db.Read(ctx, "recall", func(tx *db.Tx) error {
		reach, err := s.scopeSet(tx, h)
		if err != nil {
			return err
		}
		near, err := s.meanings(tx, reach, q.Near)
		if err != nil {
			return err
		}
		only, err := read(q.Selection, tx, h)
		if err != nil {
			return err
		}
		found = search(reach, q, near, only)
		if more, err := s.reachBack(tx, &reach, q, found); err != nil {
			return err
		} else if more {
			found = search(reach, q, near, only)
		}
		defer s.enforceBudget(reach)
		found.fade, found.gist = s.db.Decay(), lexical.GistOf(q.Text)
		if err := found.spread(tx, reach); err != nil {
			return err
		}
		believed, err := s.beliefs.Visible(tx, h, reach.at)
		if err != nil {
			return err
		}
		mark = believed.Marker
		if err := found.follow(tx, believed, reach, q); err != nil {
			return err
		}
		if only.err != nil {
			return only.err
		}
		if err := found.noteContainers(tx, reach); err != nil {
			return err
		}
		if err := found.fill(tx, h); err != nil {
			return err
		}
		found.rank(q)
		if q.Budget <= 0 {
			return nil
		}
		return found.readLines(tx, q.Budget)
	})
	if err != nil {
		return Result{}, err
	}
	r := Result{Bearing: found.bearing(), Style: float64(found.style), Signals: found.signals}
	r.Nothing = r.Bearing < knownBearing
	r.Hits = found.hits(q, r.Nothing)
	if q.Budget <= 0 {
		return r, nil
	}
	r.Items, r.Tokens = pack(found, mark, q)
	return r, nil
}

// rankState is the working state of one recall.
type rankState struct {
	// matches are the candidates to rank, standing and pinned what surfaces for every query, chain the multi-hop path
	// to the answer, the answer first.
	matches, standing, pinned, chain []candidate
	// seeds are the best word matches; their entities and edges are followed.
	seeds []candidate
	// skip reports whether the query excludes an entry. Call it with the scope's index locked.
	skip func(scope, ordinal int) bool
	// only is what the query is narrowed to.
	only *selected
	// style and weights are those of the search.
	style   float32
	weights lexical.Weights
	signals [Signals]float64
	// gist is the query's text for comparison with others.
	gist lexical.Gist
	// lines holds what was said in and around the candidates, by message, without marks. They are shared with the caches.
	lines map[int64]*model.SnippetLine
	// kept holds the row caches, audiences the audiences, by scope number.
	kept      []*rowCache
	audiences []model.Audience
	// fade holds the fading parameters.
	fade model.DecayModel
	// restated holds the messages whose author said the same thing differently later.
	restated map[int64]bool
}

// candidate is one memory that may become a hit.
type candidate struct {
	// memory is the cached memory, lately what changes in it.
	memory  *model.Memory
	lately  *usage
	scope   int   // the scope's number in the scopeSet
	ordinal int   // the ordinal in the scope's index
	id      int64 // the memory's id; for a message of the persona, the negative id of the message
	within  int64 // the memory that contains it, 0 for none
	message int64 // the message it was said in, 0 when it stands alone
	at      time.Time
	// before and after are the neighbouring messages in its session, 0 for none. asked reports that the one before is a
	// question.
	before, after int64
	asked         bool
	score         float64
	values        lexical.Weights
	decay         float64
	// linked is the entity or kind of edge it was reached by, empty when its own words match.
	linked string
	// tells reports that it is among those that most likely tell what is asked.
	tells bool
	// hop says which link of an answer it is, none when it was found by its words.
	hop belief.Hop
}

// own reports whether the candidate is a message of the persona, which has no memory.
func (c *candidate) own() bool { return c.id < 0 }

// memoryID returns the id of the candidate's memory, 0 if it has none.
func (c *candidate) memoryID() int64 { return max(c.id, 0) }

// present returns the candidate's memory as it is now.
func (c *candidate) present() model.Memory {
	m := *c.memory
	m.Recalls, m.Uses, m.RecalledAt = int(c.lately.recalls), int(c.lately.uses), c.lately.at
	m.Strength, m.Tier, m.Expires = c.lately.strength, c.lately.tier, c.lately.expires
	return m
}

// indexOf returns the position of the candidate of a memory, -1 for none.
func indexOf(cs []candidate, memory int64) int {
	for i := range cs {
		if cs[i].id == memory {
			return i
		}
	}
	return -1
}

// spare is how many candidates are scored for each hit wanted, because sector, salience and decay change their order.
const spare = 2

// search searches the indexes by words and by meaning, among what is selected.
func search(r scopeSet, q Query, near meaning, only *selected) *rankState {
	scopes := r.scopes
	words := make([]*lexical.Index, len(scopes))
	for i, x := range scopes {
		x.mu.RLock()
		defer x.mu.RUnlock()
		words[i] = x.words
	}
	recent := make(map[int64]bool, len(q.Recent))
	for _, id := range q.Recent {
		recent[id] = true
	}
	narrows := only.narrows()
	seen := func(scope, ordinal int) bool {
		e := scopes[scope].entries[ordinal]
		return recent[e.message] || narrows && !only.admits(e, db.FromMillis(words[scope].At(ordinal)))
	}
	asks := kindsAsked(q)
	told := asks.telling(scopes)
	found := lexical.Rank(words, lexical.Query{
		Text: q.Text, Asker: q.Asker, Times: timeSpans(q), Similarity: near.matches(scopes), Told: told, Limit: max(spare*q.Limit, bearingDepth),
		Own: q.Own && !only.some, Talks: talksOf(r), Skip: seen, Foresee: only.foreseeing(scopes), Keep: excludeDormant(scopes),
	})
	matches := found.Matches
	f := &rankState{
		kept: r.kept, skip: seen, only: only, style: found.Style, weights: found.Weights, signals: readSignals(found, programsIn(scopes)),
		matches: make([]candidate, 0, len(matches)+maxHopResults),
	}
	for _, m := range matches {
		c := scopes[m.Scope].candidate(m.Scope, m.Ordinal)
		c.score, c.values = float64(m.Score), m.Values
		f.matches = append(f.matches, c)
	}
	for _, x := range scopes {
		f.audiences = append(f.audiences, x.key.Audience)
	}
	f.seeds = slices.Clone(f.matches[:min(hopSeeds, len(f.matches))])
	f.link(scopes, words, matches)
	if asks.author != 0 {
		f.reserve(scopes, told)
	}
	f.surface(scopes, q)
	return f
}

// programsIn tells which authors of scopes are programs.
func programsIn(scopes []*scopeIndex) func(author int64) bool {
	return func(author int64) bool {
		return slices.ContainsFunc(scopes, func(x *scopeIndex) bool { return x.authors[author].program })
	}
}

// talksOf returns, for each scope of a set, the number of the first one that holds a part of the same talk, nil if all
// talks are whole.
func talksOf(r scopeSet) []int {
	if len(r.scopes) == len(r.at) {
		return nil
	}
	talks := make([]int, len(r.scopes))
	for i, x := range r.scopes {
		talks[i] = slices.IndexFunc(r.scopes, func(first *scopeIndex) bool { return first.key == x.key })
	}
	return talks
}

// strongShare is the share of the query's terms, weighted by rarity, that a dormant memory itself must contain to be
// found.
const strongShare = 0.5

// excludeDormant returns a filter that drops dormant memories unless they match strongly or tell what is asked, nil when no scope has any.
func excludeDormant(scopes []*scopeIndex) func(m *lexical.Match) bool {
	if !slices.ContainsFunc(scopes, func(x *scopeIndex) bool { return x.dormant > 0 }) {
		return nil
	}
	return func(m *lexical.Match) bool {
		return !scopes[m.Scope].entries[m.Ordinal].dormant || m.Values[lexical.Coverage] >= strongShare || m.Values[lexical.Told] >= dormantTold
	}
}

// timeSpans returns the times that the query names.
func timeSpans(q Query) []lexical.TimeRange {
	var times []lexical.TimeRange
	for _, span := range when.Find(q.Text, q.Now) {
		times = append(times, lexical.TimeRange{From: span.From.UnixMilli(), Until: span.Until.UnixMilli()})
	}
	return times
}

// candidate returns the candidate for the entry at ordinal. Call it with the index locked.
func (x *scopeIndex) candidate(scope, ordinal int) candidate {
	e := x.entries[ordinal]
	c := candidate{
		scope: scope, ordinal: ordinal, id: e.memory, message: e.message, at: db.FromMillis(x.words.At(ordinal)),
	}
	if c.id == 0 {
		c.id = -e.message
	}
	if b := x.words.Before(ordinal); b >= 0 {
		c.before, c.asked = x.entries[b].message, x.words.Asks(b)
	}
	if a := x.words.After(ordinal); a >= 0 {
		c.after = x.entries[a].message
	}
	return c
}

const (
	// hopSeeds is how many of the best matches are followed to their entities, hopDamping the factor on the score per
	// hop. Both are low: a shared name is only a hint.
	hopSeeds   = 3
	hopDamping = 0.3
	// maxHopResults limits what the hops add.
	maxHopResults = 6
)

// linkBy notes that a match is linked to one of the best, unless it is about the query itself.
func (c *candidate) linkBy(via string, score float64) {
	if !c.answers() {
		c.linked, c.score = via, max(c.score, score)
	}
}

// link adds memories that share an entity with the best matches and that the words did not find.
func (f *rankState) link(scopes []*scopeIndex, words []*lexical.Index, matches []lexical.Match) {
	added, found := 0, len(f.matches)
	for _, l := range lexical.Linked(words, matches[:min(hopSeeds, len(matches))]) {
		c := scopes[l.Scope].candidate(l.Scope, l.Ordinal)
		if scopes[l.Scope].entries[l.Ordinal].dormant || f.skip(l.Scope, l.Ordinal) {
			continue
		}
		score := hopDamping * float64(matches[l.From].Score)
		if at := indexOf(f.matches[:found], c.id); at >= 0 {
			f.matches[at].linkBy(l.Via, score)
			continue
		}
		if added++; added > maxHopResults {
			return
		}
		c.score, c.linked = score, l.Via
		f.matches = append(f.matches, c)
	}
}

const (
	// maxStanding and minStandingSalience select the standing instructions that surface for every query.
	maxStanding         = 2
	minStandingSalience = 0.6
)

// surface collects what surfaces for every query: the most salient standing instructions, newer first among equals, of
// the operator and of the asker (of anybody when nobody in particular asks), and all pinned memories.
func (f *rankState) surface(scopes []*scopeIndex, q Query) {
	type wish struct {
		candidate
		salience float32
	}
	var wishes []wish
	for i, x := range scopes {
		for _, o := range x.standing {
			e, author := x.entries[o], x.words.Author(o)
			mine := q.Asker == 0 || author == 0 || author == q.Asker
			if mine && e.salience >= minStandingSalience && !f.skip(i, o) {
				wishes = append(wishes, wish{x.candidate(i, o), e.salience})
			}
		}
		for _, o := range x.pinned {
			if !f.skip(i, o) {
				f.pinned = append(f.pinned, x.candidate(i, o))
			}
		}
	}
	slices.SortFunc(wishes, func(a, b wish) int { return cmp.Or(cmp.Compare(b.salience, a.salience), cmp.Compare(b.id, a.id)) })
	for _, w := range wishes[:min(maxStanding, len(wishes))] {
		f.standing = append(f.standing, w.candidate)
	}
	slices.SortFunc(f.pinned, func(a, b candidate) int { return cmp.Compare(b.id, a.id) })
	f.pinned = f.pinned[:min(maxPinned, len(f.pinned))]
}

// hits returns the ranked candidates as hits, all weak if nothing bears on the query.
func (f *rankState) hits(q Query, nothing bool) []Hit {
	n := min(q.Limit, len(f.matches))
	hits := make([]Hit, n)
	for i := range hits {
		c := &f.matches[i]
		hits[i] = Hit{Memory: c.present(), Score: c.score, Weak: nothing || !c.answers(), Own: c.own()}
		if q.Explain {
			hits[i].Reasons = c.reasons(q, &f.weights)
		}
	}
	return hits
}

// answers reports whether the candidate itself, and not only the talk around it, relates to the query: it contains
// enough of the query's terms, answers a question worded like it, has the time it names, means the same, or contains a
// name that the best matches share.
func (c *candidate) answers() bool {
	v := c.values
	return c.linked != "" || c.hop.Of > 0 || v[lexical.Coverage] >= packShare || v[lexical.Answers] > 0 || v[lexical.Dated] > 0 || c.means()
}

// meantShare is how sure a match by meaning alone must be to count as about the query. Of ten thousand lines, about one
// reaches it by chance.
const meantShare = 0.6

// means reports whether the candidate surely means what is asked, whatever its words.
func (c *candidate) means() bool { return c.values[lexical.Meaning] >= meantShare }
