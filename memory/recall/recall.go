package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/when"
)

// defaultLimit is how many memories a query without a limit returns.
const defaultLimit = 20

// Recall finds what may be said in h about q, best first, and packs it when q has a budget. It reads; it changes
// nothing. A query that names nothing finds nothing, which is no error.
func (s *Store) Find(ctx context.Context, h scope.Visibility, q Query) (Result, error) {
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
		only, err := only(tx, h, q)
		if err != nil {
			return err
		}
		found = search(reach, q, near, only)
		found.fade = s.db.Decay
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
	r := Result{Hits: found.hits(q), Nothing: !found.known()}
	if q.Budget <= 0 {
		return r, nil
	}
	r.Items, r.Tokens = pack(found, mark, q)
	return r, nil
}

// found is everything one recall has in hand.
type rankState struct {
	// matches are ranked candidates, standing and pinned what surfaces whatever is asked, chain what answers the question
	// by what is believed, the answer first.
	matches, standing, pinned, chain []candidate
	// seeds are the best of matches by their words, from which what they speak of and are joined to is followed.
	seeds []candidate
	// skip leaves out what the query does not ask for. Call it with the scope's index locked.
	skip func(scope, ordinal int) bool
	// lines are what was said in and around them, by message, clean.
	lines map[int64]model.SnippetLine
	// kept is what was recalled before, by the candidate's scope.
	kept []*rowCache
	// fade is how memories fade.
	fade model.DecayModel
	// retold are messages whose author said the same thing differently later.
	language map[int64]bool
}

// candidate is one memory on its way to be a hit.
type candidate struct {
	memory  model.Memory
	scope   int   // of the hearing's audiences
	ordinal int   // in the scope's index
	id      int64 // of the memory
	within  int64 // the memory that contains it, 0 when none does
	message int64 // it was said in, 0 when it stands alone
	at      time.Time
	// before and after are the messages around it in its session, 0 where there is none. asked says that the one
	// before is a question.
	before, after int64
	asked         bool
	score         float64
	values        lexical.Weights
	decay         float64
	// linked is the name or the kind of edge it was reached over, empty when its own words match.
	linked string
	// hop says which link of an answer it is, none when it was found by its words.
	hop belief.Hop
}

// spare is how many candidates are weighed for each one asked for: sector, salience and decay reorder them.
const spare = 2

// only are the memories a query is narrowed to, nil when it is not.
func only(tx *db.Tx, h scope.Visibility, q Query) (map[int64]bool, error) {
	if q.Tag == "" {
		return nil, nil
	}
	return entry.Tagged(tx, h.Persona(), q.Tag)
}

// search searches the indexes, by words and by meaning, for the memories of only where it is not nil.
func search(r scopeSet, q Query, near meaning, only map[int64]bool) *rankState {
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
	seen := func(scope, ordinal int) bool {
		e := scopes[scope].entries[ordinal]
		return recent[e.message] || only != nil && !only[e.memory]
	}
	matches := lexical.Search(words, lexical.Query{
		Text: q.Text, Asker: q.Asker, Times: timeSpans(q), Near: near.matches(scopes), Limit: spare * q.Limit,
		Skip: seen, Keep: excludeDormant(scopes),
	})
	f := &rankState{lines: map[int64]model.SnippetLine{}, kept: r.kept, skip: seen, matches: make([]candidate, 0, len(matches)+maxHopResults)}
	for _, m := range matches {
		c := scopes[m.Scope].candidate(m.Scope, m.Ordinal)
		c.score, c.values = float64(m.Score), m.Values
		f.matches = append(f.matches, c)
	}
	f.seeds = slices.Clone(f.matches[:min(hopSeeds, len(f.matches))])
	f.link(scopes, words, matches)
	f.surface(scopes, q)
	return f
}

// strongShare is which share of a query's terms, weighed by rarity, a dormant memory must hold itself to be found.
const strongShare = 0.5

// excludeDormant leaves dormant memories out unless they match strongly; nil where none is dormant.
func excludeDormant(scopes []*scopeIndex) func(m *lexical.Match) bool {
	if !slices.ContainsFunc(scopes, func(x *scopeIndex) bool { return x.dormant > 0 }) {
		return nil
	}
	return func(m *lexical.Match) bool {
		return !scopes[m.Scope].entries[m.Ordinal].dormant || m.Values[lexical.Coverage] >= strongShare
	}
}

// timeSpans are the times the query names.
func timeSpans(q Query) []lexical.Stretch {
	var times []lexical.Stretch
	for _, span := range when.Find(q.Text, q.Now) {
		times = append(times, lexical.Stretch{From: span.From.UnixMilli(), Until: span.Until.UnixMilli()})
	}
	return times
}

// candidate is what stands at ordinal in x, the index of a scope. Call it with the index locked.
func (x *scopeIndex) candidate(scope, ordinal int) candidate {
	e := x.entries[ordinal]
	c := candidate{
		scope: scope, ordinal: ordinal, id: e.memory, message: e.message, at: db.FromMillis(x.words.At(ordinal)),
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
	// hopSeeds is how many of the best matches are followed to what they speak of, hopDamping what is left of a score
	// after the hop. Both are low: a shared name is a hint, the words are the reason.
	hopSeeds   = 3
	hopDamping = 0.3
	// maxHopResults bounds what the hops may add.
	maxHopResults = 6
)

// link adds what is one hop away from the best matches and was not found by its words.
func (f *rankState) link(scopes []*scopeIndex, words []*lexical.Index, matches []lexical.Match) {
	have := make(map[int64]bool, len(f.matches))
	for _, c := range f.matches {
		have[c.id] = true
	}
	added := 0
	for _, l := range lexical.Linked(words, matches[:min(hopSeeds, len(matches))]) {
		c := scopes[l.Scope].candidate(l.Scope, l.Ordinal)
		if have[c.id] || scopes[l.Scope].entries[l.Ordinal].dormant || f.skip(l.Scope, l.Ordinal) {
			continue
		}
		if added++; added > maxHopResults {
			return
		}
		c.score, c.linked = hopDamping*float64(matches[l.From].Score), l.Via
		f.matches = append(f.matches, c)
	}
}

const (
	// maxStanding and minStandingSalience say which standing instructions surface for any query.
	maxStanding         = 2
	minStandingSalience = 0.6
)

// surface gathers what comes up whatever is asked: the most salient standing instructions, newer first among equals,
// of the operator and of who asks (of anybody when nobody in particular asks), and all that is pinned.
func (f *rankState) surface(scopes []*scopeIndex, q Query) {
	type wish struct {
		candidate
		salience float32
	}
	var wishes []wish
	for i, x := range scopes {
		for _, o := range x.standing {
			e := x.entries[o]
			mine := q.Asker == 0 || e.author == 0 || e.author == q.Asker
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

// hits are the ranked candidates as they leave.
func (f *rankState) hits(q Query) []Hit {
	n := min(q.Limit, len(f.matches))
	hits := make([]Hit, n)
	known := f.known()
	for i, c := range f.matches[:n] {
		hits[i] = Hit{Memory: c.memory, Score: c.score, Weak: !known || !c.answers()}
		if q.Explain {
			hits[i].Reasons = c.reasons(q)
		}
	}
	return hits
}

// knownShare is which share of a query's terms, weighed by rarity, a memory and the turns around it must hold to be
// about it; knownHits how many of the best are asked. Of questions people asked about their own talk 97 % pass, of
// questions about other people's talk half do, since everyday words are shared by all talk.
const (
	knownShare = 0.3
	knownHits  = 5
)

// known says that something found is about what was asked.
func (f *rankState) known() bool {
	for _, c := range f.matches[:min(knownHits, len(f.matches))] {
		if c.about() {
			return true
		}
	}
	return false
}

// answers says that the candidate itself, and not only the talk around it, holds something of what is asked: a share of
// the query's terms worth packing, the answer to a question that was put like it, the time it names, the same in other
// words, or a name that the best matches speak of.
func (c *candidate) answers() bool {
	v := c.values
	return c.linked != "" || c.hop.Of > 0 || v[lexical.Coverage] >= packShare || v[lexical.Answers] > 0 || v[lexical.Dated] > 0 || c.means()
}

// about says that the candidate is about the query rather than merely the best there is.
func (c *candidate) about() bool {
	return c.hop.Of > 0 || c.values[lexical.Window] >= knownShare || c.values[lexical.Dated] > 0 || c.means()
}

// meantShare is how surely a memory must mean what is asked to be about it without a word in common: of ten thousand
// lines about one stands out as far by chance.
const meantShare = 0.6

// means says that the candidate surely means what is asked, whatever its words.
func (c *candidate) means() bool { return c.values[lexical.Meaning] >= meantShare }
