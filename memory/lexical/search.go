package lexical

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Query describes a search.
type Query struct {
	Text string
	// Asker is the author that "I" and "my" refer to, 0 for none.
	Asker int64
	// Times are the time ranges that the text mentions.
	Times []TimeRange
	// Similarity holds, per searched scope, the documents close in meaning to the text, by ordinal, with a confidence above 0
	// up to 1. They are scored even if they share no word with the text. Nil without vectors.
	Similarity []map[uint32]float32
	// Told holds, per searched scope, the documents that tell a kind of fact the text may ask for, by ordinal, with how likely
	// it asks for it, above 0 up to 1. They are scored even if they share no word with the text. Nil if it asks for none.
	Told []map[uint32]float32
	// Talks holds, per searched scope, the number of the talk that it is a part of: what authors said counts over all parts.
	// Nil if each scope is a talk of its own.
	Talks []int
	// Limit is the maximum number of matches.
	Limit int
	// WithoutConcepts leaves out concepts.
	WithoutConcepts bool
	// Own also searches the turns of the persona.
	Own bool
	// Weights replaces the standard weights for measurements, when not nil.
	Weights *Weights
	// Skip excludes the documents for which it returns true, when not nil.
	Skip func(scope, ordinal int) bool
	// Foresee, when not nil, is told which documents of a scope Skip may be called for soon, so that they can be looked up
	// together. The search reuses the slice.
	Foresee func(scope int, ordinals []uint32)
	// Keep excludes the matches for which it returns false, when not nil.
	Keep func(m *Match) bool
}

// TimeRange is the time range [From, Until), in milliseconds since the epoch.
type TimeRange struct{ From, Until int64 }

// Match is one document found.
type Match struct {
	// Scope is the index's position in the searched list. Ordinal is the document's number in that index.
	Scope, Ordinal int
	Score          float32
	// Values are the features that the score was computed from.
	Values Weights
	// At is the time of the document and Author its speaker, as given to Add.
	At, Author int64
}

// maxSeeds bounds how many documents are scored in detail in one scope: those whose own words match best, with their
// neighbors. If fewer match, all are scored. It keeps a search under a few milliseconds at any size.
const maxSeeds = 200

// Ranking is what a search finds.
type Ranking struct {
	// Matches are the documents, best first, newer first among equals, then in order of scope and ordinal.
	Matches []Match
	// Named reports that the query names people, or that the asker asks about themselves.
	Named bool
	// Style is how long the lines of the searched talk are: 0 in a messenger, 1 for an assistant's long answers.
	Style float32
	// Weights are those that the scores were computed with.
	Weights Weights
}

// Search returns the matches of Rank.
func Search(scopes []*Index, q Query) []Match { return Rank(scopes, q).Matches }

// Rank ranks the documents of scopes. Term rarity is measured over all scopes together. An empty query finds nothing.
func Rank(scopes []*Index, q Query) Ranking {
	if len(scopes) == 0 || q.Limit <= 0 {
		return Ranking{}
	}
	b := prepare(scopes, &q)
	r := Ranking{Named: len(b.authors) > 0, Style: b.style, Weights: Standard(b.style)}
	if q.Weights != nil {
		r.Weights = *q.Weights
	}
	found := newBest(q.Limit)
	searches := make([]search, len(scopes))
	var top, topPassage float32
	for i, x := range scopes {
		s := &searches[i]
		*s = search{x: x, bag: &b, scratch: x.scoreTerms(&b), query: &q, weights: &r.Weights, scope: i, talk: talkOf(scopes, &q, i)}
		defer s.scratch.release()
		if q.Similarity != nil {
			s.similarity = q.Similarity[i]
		}
		if q.Told != nil {
			s.told = q.Told[i]
		}
		top = max(top, s.scratch.topSession)
		if candidates := s.candidates(); q.Foresee != nil {
			q.Foresee(i, candidates)
		}
	}
	for i := range searches {
		topPassage = max(topPassage, searches[i].bestPassage(topPassage))
	}
	for i := range searches {
		s := &searches[i]
		s.topSession, s.topPassage = top, topPassage
		s.weigh()
		s.rank(&found)
	}
	r.Matches = found.ranked()
	return r
}

// talkOf returns the parts of the talk that a scope belongs to.
func talkOf(scopes []*Index, q *Query, scope int) []*Index {
	if q.Talks == nil {
		return scopes[scope : scope+1]
	}
	var talk []*Index
	for i, x := range scopes {
		if q.Talks[i] == q.Talks[scope] {
			talk = append(talk, x)
		}
	}
	return talk
}

// bestPassage returns the best score above a floor of a passage in a document that the query does not skip, 0 for none. The
// question itself is skipped, and must not be what others are compared with.
func (s *search) bestPassage(floor float32) (top float32) {
	k, q := s.scratch, s.query
	of := k.touched
	if q.Foresee != nil {
		of = k.order
	}
	for _, d := range of {
		if score := k.turn[d].passage; score > max(floor, top) && !s.skips(d) {
			top = score
		}
	}
	if q.Foresee == nil {
		return top
	}
	return max(top, s.bestForeseen(max(floor, top)))
}

// firstForeseen is how many documents beside the candidates are foreseen first; each time none is wanted, twice as many follow.
const firstForeseen = 64

// bestForeseen is bestPassage among the documents that are no candidates. It looks at the best first.
func (s *search) bestForeseen(floor float32) float32 {
	k := s.scratch
	better := slices.DeleteFunc(slices.Clone(k.touched), func(d uint32) bool { return k.chosen[d] || k.turn[d].passage <= floor })
	slices.SortFunc(better, func(a, b uint32) int { return cmp.Compare(k.turn[b].passage, k.turn[a].passage) })
	for n := firstForeseen; len(better) > 0; n *= 2 {
		next := better[:min(n, len(better))]
		better = better[len(next):]
		s.query.Foresee(s.scope, next)
		for _, d := range next {
			if !s.skips(d) {
				return k.turn[d].passage
			}
		}
	}
	return 0
}

// skips reports whether the query skips a document.
func (s *search) skips(ordinal uint32) bool {
	return s.query.Skip != nil && s.query.Skip(s.scope, int(ordinal))
}

// weigh scores every candidate on its own and finds the peak of each session.
func (s *search) weigh() {
	for _, ordinal := range s.scratch.order {
		m := Match{Score: ineligible}
		if s.eligible(ordinal) {
			m = s.match(ordinal)
			s.updatePeak(m)
		}
		s.scratch.scores = append(s.scratch.scores, m.Score)
	}
}

// eligible reports whether the query may return a document.
func (s *search) eligible(ordinal uint32) bool {
	flags := s.x.rows[ordinal].flags
	return flags&isContext == 0 || s.query.Own && flags&isOwn != 0
}

// ineligible is the score of documents that only contribute words to their neighbors.
const ineligible = -math.MaxFloat32

// updatePeak makes m the peak of its session if the query wants it and it has the best score so far. The newer of two equals
// wins. An unwanted match is no peak: otherwise the question itself, excluded from its own answer, would favor its
// session.
func (s *search) updatePeak(m Match) {
	r := &s.x.rows[m.Ordinal]
	if r.thread == none {
		return
	}
	p := &s.scratch.peaks[r.thread]
	if p.found && (m.Score < p.score || m.Score == p.score && r.place < p.place) {
		return
	}
	if !s.wants(m) {
		return
	}
	if !p.found {
		s.scratch.peakThreads = append(s.scratch.peakThreads, r.thread)
	}
	*p = peak{found: true, score: m.Score, place: r.place}
}

// rank offers the candidates, reduced by their distance from the peak of their session. Few matches are kept and few
// are excluded, so rank calls wants last and recomputes the features only for kept matches.
func (s *search) rank(found *best) {
	for i, ordinal := range s.scratch.order {
		score := s.scratch.scores[i]
		if score == ineligible {
			continue
		}
		r := &s.x.rows[ordinal]
		distance := s.distance(r)
		m := Match{Scope: s.scope, Ordinal: int(ordinal), At: r.at, Score: score + s.weights[Distance]*distance}
		if !found.takes(&m) {
			continue
		}
		kept := s.match(ordinal)
		kept.Score, kept.Values[Distance] = m.Score, distance
		if s.wants(kept) {
			found.offer(kept)
		}
	}
}

// farTurns is the number of turns from which the distance counts in full.
const farTurns = 15

// distance returns the distance of r from the peak of its session, 0–1.
func (s *search) distance(r *row) float32 {
	if r.thread == none || !s.scratch.peaks[r.thread].found {
		return 0
	}
	at, peak := r.place, s.scratch.peaks[r.thread].place
	return float32(min(max(at, peak)-min(at, peak), farTurns)) / farTurns
}

// wants reports whether the query neither skips nor excludes a match.
func (s *search) wants(m Match) bool {
	if s.query.Skip != nil && s.query.Skip(m.Scope, m.Ordinal) {
		return false
	}
	if s.query.Keep == nil {
		return true
	}
	s.scratch.asked = m // Keep takes a pointer, which would move every match to the heap
	return s.query.Keep(&s.scratch.asked)
}

// search is one query over one scope.
type search struct {
	x       *Index
	bag     *bag
	scratch *scratch
	query   *Query
	weights *Weights
	scope   int
	// talk are the scopes that are parts of the same talk.
	talk       []*Index
	similarity map[uint32]float32
	told       map[uint32]float32
	// authors holds the authors of the documents scored so far.
	authors []speaker
	// topSession and topPassage are the best scores over all scopes.
	topSession, topPassage float32
}

// match scores one document on its own.
func (s *search) match(ordinal uint32) Match {
	r := &s.x.rows[ordinal]
	m := Match{Scope: s.scope, Ordinal: int(ordinal), At: r.at, Author: r.author}
	v := &m.Values
	own := &s.scratch.turn[ordinal]
	v[Turn] = own.passage
	if s.topPassage > 0 {
		v[Relative] = min(1, own.passage/s.topPassage)
	}
	v[Coverage] = s.bag.share(own.mask)
	v[Window] = s.bag.share(s.around(r, own.mask, v))
	if r.thread != none && s.topSession > 0 {
		share := s.scratch.session[r.thread] / s.topSession
		v[Session], v[BestSession] = share, share*share*share
	}
	s.setConcepts(own, v)
	s.setMeaning(r, ordinal, v)
	s.cues(ordinal, v)
	s.speakers(ordinal, v)
	for f, value := range v {
		m.Score += s.weights[f] * value
	}
	return m
}

// setMeaning sets the features of the similarity in meaning of a document and its neighbors.
func (s *search) setMeaning(r *row, ordinal uint32, v *Weights) {
	if s.similarity == nil {
		return
	}
	v[Meaning] = s.similarity[ordinal]
	if r.prev != none {
		v[MeaningBefore] = s.similarity[r.prev]
	}
	if r.flags&isOwn != 0 { // what the persona says has no vector, and is about what it answers
		v[Meaning] = v[MeaningBefore]
	}
	if r.next != none {
		v[MeaningAfter] = s.similarity[r.next]
	}
}

// around sets the features of the turns around r and returns the terms that they and r contain.
func (s *search) around(r *row, mask uint32, v *Weights) uint32 {
	rows, turns := s.x.rows, s.scratch.turn
	if p := r.prev; p != none {
		v[Before1] = turns[p].passage
		if rows[p].flags&asksSome != 0 {
			v[Answers] = turns[p].passage
		}
		mask |= turns[p].mask
		if pp := rows[p].prev; pp != none {
			v[Before2] = turns[pp].passage
			mask |= turns[pp].mask
		}
	}
	if n := r.next; n != none {
		v[After1] = turns[n].passage
		mask |= turns[n].mask
		if nn := rows[n].next; nn != none {
			mask |= turns[nn].mask
		}
	}
	return mask
}

// manyConcepts is the number of concepts in other words beyond which more do not count.
const manyConcepts = 3

// setConcepts sets the features of the concepts that a document mentions.
func (s *search) setConcepts(own *cell, v *Weights) {
	v[Concept] = own.concept
	count := 0
	for m := own.concepts; m != 0; m &= m - 1 {
		a := &s.bag.concepts[bits.TrailingZeros32(m)]
		if a.terms&own.mask == 0 {
			v[ConceptAlone] += a.idf / s.bag.conceptIDF
			count++
		}
	}
	v[ConceptCount] = float32(min(count, manyConcepts)) / manyConcepts * (1 - s.bag.share(own.best))
}

// speakers sets the features of who speaks to whom.
func (s *search) speakers(ordinal uint32, v *Weights) {
	r := &s.x.rows[ordinal]
	if r.flags&isOwn != 0 {
		switch {
		case s.bag.addressed:
			v[Addressed] = 1
		case len(s.bag.authors) > 0:
			v[Persona] = 1
		case s.bag.you:
			v[You] = 1
		}
	}
	named := slices.Contains(s.bag.authors, r.author)
	if named || len(s.bag.authors) == 0 {
		v[Told] = s.told[ordinal]
	}
	if named {
		v[Speaker], v[SpeakerPassage] = 1, v[Turn]
	}
	if full := s.fullLength(r.author); full > 0 {
		v[LengthOfSpeaker] = float32(min(1, logLength(s.x.lengths[ordinal])/full))
	}
}

// speaker is how long the turns of an author are, on a logarithmic scale.
type speaker struct {
	author int64
	full   float64
}

// fullTurns is how many turns of mean length make one whose length counts in full.
const fullTurns = 4

// fullLength returns the logarithm of the length that counts in full for an author, 0 if they said nothing.
func (s *search) fullLength(author int64) float64 {
	for i := range s.authors {
		if s.authors[i].author == author {
			return s.authors[i].full
		}
	}
	known := speaker{author: author}
	if a := s.amountOf(author); a.terms > 0 {
		known.full = math.Log1p(fullTurns * float64(a.terms) / float64(a.turns))
	}
	s.authors = append(s.authors, known)
	return known.full
}

// logLengths holds the logarithms of the lengths that most turns have.
var logLengths = func() (logs [256]float64) {
	for n := range logs {
		logs[n] = math.Log1p(float64(n))
	}
	return logs
}()

// logLength returns the logarithm of a turn's length.
func logLength(terms uint16) float64 {
	if int(terms) < len(logLengths) {
		return logLengths[terms]
	}
	return math.Log1p(float64(terms))
}

// amountOf returns the totals of an author over all parts of the talk.
func (s *search) amountOf(author int64) (total amount) {
	for _, x := range s.talk {
		if a := x.spoken[author]; a != nil {
			total.turns += a.turns
			total.terms += a.terms
		}
	}
	return total
}

// cues sets the features that do not depend on the query's terms.
func (s *search) cues(ordinal uint32, v *Weights) {
	r := &s.x.rows[ordinal]
	if s.bag.when && r.flags&namesTime != 0 {
		v[When] = 1
	}
	if s.bag.count && r.flags&namesNumber != 0 {
		v[Number] = 1
	}
	if s.bag.name {
		v[Naming] = float32(r.names) / manyNames
	}
	if r.thread != none {
		v[Early] = 1 - float32(r.thread+1)/float32(len(s.x.threads))
		if r.place == 0 {
			v[First] = 1
		}
	}
	if r.flags&hasList != 0 {
		v[List] = 1
	}
	if r.flags&asksLast != 0 {
		v[Question] = 1
	}
	for _, t := range s.query.Times {
		if s.x.isAt(ordinal, t) {
			v[Dated] = 1
		}
	}
}

// isAt reports whether the document was said within t or mentions a time that overlaps t.
func (x *Index) isAt(ordinal uint32, t TimeRange) bool {
	if t.contains(x.rows[ordinal].at) {
		return true
	}
	at, found := x.spanOf(ordinal)
	return found && t.overlaps(x.spans[at])
}

func (t TimeRange) contains(at int64) bool { return t.From <= at && at < t.Until }

func (t TimeRange) overlaps(s span) bool { return s.from < t.Until && t.From < s.until }

// share returns the share of the query's total idf that the masked terms hold, 0–1.
func (b *bag) share(mask uint32) float32 {
	if b.idf == 0 {
		return 0
	}
	var sum float32
	for m := mask; m != 0; m &= m - 1 {
		sum += b.terms[bits.TrailingZeros32(m)].idf
	}
	return sum / b.idf
}
