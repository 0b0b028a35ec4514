package lexical

import (
	"slices"
	"sync"
)

// scratch holds the intermediate results of one search in one scope: a cell per document and a score per thread, so that
// the scores of neighbors are adjacent in memory. release clears only the cells that were used.
type scratch struct {
	turn    []cell
	session []float32
	// part holds the cells of passages, touchedParts those that are not zero.
	part         []partCell
	touchedParts []uint32
	// touched are the documents with a cell that is not zero, touchedThreads the threads with a score.
	touched, touchedThreads []uint32
	// chosen marks the documents in order, the list of candidates.
	chosen []bool
	order  []uint32
	// scores are the candidates' own scores, in the same order.
	scores []float32
	// peaks are the best candidates by thread, peakThreads the threads that have one.
	peaks       []peak
	peakThreads []uint32
	// picked is the buffer for seeds if not all touched documents are seeds.
	picked     []uint32
	topSession float32
	// asked is the match that the query is asked about.
	asked Match
}

// cell holds the BM25 score of a document's best passage, divided by that of a perfect match, and the share of the query's
// concepts that the document mentions, with the terms that the document and this passage contain, and the concepts.
type cell struct {
	passage, concept     float32
	mask, best, concepts uint32
}

// partCell holds the BM25 score of a passage and the terms that it contains.
type partCell struct {
	score float32
	mask  uint32
}

// touch returns the cell of a document.
func (s *scratch) touch(d uint32) *cell {
	c := &s.turn[d]
	if c.mask|c.concepts == 0 {
		s.touched = append(s.touched, d)
	}
	return c
}

// peak is the document of a thread with the best score of its own.
type peak struct {
	found bool
	score float32
	place uint16
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release clears the scratch and returns it to the pool.
func (s *scratch) release() {
	for _, d := range s.touched {
		s.turn[d] = cell{}
	}
	for _, t := range s.touchedThreads {
		s.session[t] = 0
	}
	for _, p := range s.touchedParts {
		s.part[p] = partCell{}
	}
	s.touchedParts = s.touchedParts[:0]
	for _, d := range s.order {
		s.chosen[d] = false
	}
	for _, t := range s.peakThreads {
		s.peaks[t] = peak{}
	}
	s.touched, s.touchedThreads, s.order, s.topSession = s.touched[:0], s.touchedThreads[:0], s.order[:0], 0
	s.scores, s.peakThreads = s.scores[:0], s.peakThreads[:0]
	scratches.Put(s)
}

// The BM25 parameters: k1 is the saturation, b the length normalization. Both are low for turns, because chat turns are
// short and their length says little.
const (
	turnK1    = 1.0
	turnB     = 0.4
	sessionB  = 0.75
	sessionK1 = 1.2
)

// scoreTerms scores every turn and session of x that contains a term of b.
func (x *Index) scoreTerms(b *bag) *scratch {
	s := scratches.Get().(*scratch)
	if len(s.turn) < len(x.rows) {
		room := len(x.rows) + len(x.rows)/8
		s.turn, s.chosen = make([]cell, room), make([]bool, room)
	}
	if len(s.session) < len(x.threads) {
		room := len(x.threads) + len(x.threads)/8
		s.session, s.peaks = make([]float32, room), make([]peak, room)
	}
	if len(s.part) < len(x.passages) {
		s.part = make([]partCell, len(x.passages)+len(x.passages)/8)
	}
	for i, w := range b.terms {
		turns, sessions, parts := x.postings(w.stems)
		x.scoreTurns(s, b, i, turns)
		x.scoreSessions(s, b, w.sessions, sessions)
		x.scorePassages(s, b, i, parts)
	}
	x.foldPassages(s)
	x.scoreConcepts(s, b)
	for _, t := range s.touchedThreads {
		s.topSession = max(s.topSession, s.session[t])
	}
	return s
}

func (x *Index) scoreTurns(s *scratch, b *bag, term int, list []posting) {
	worth := b.terms[term].idf / b.idf * (turnK1 + 1)
	base, slope := float32(turnK1*(1-turnB)), turnK1*turnB/b.passageLength
	for _, p := range list {
		d, n := p.ordinal(), p.count()
		c := s.touch(d)
		c.mask |= 1 << term
		if length := x.lengths[d]; length <= passageTerms {
			c.passage += worth * n / (n + base + slope*float32(length))
			c.best = c.mask
		}
	}
}

func (x *Index) scorePassages(s *scratch, b *bag, term int, list []posting) {
	worth := b.terms[term].idf / b.idf * (turnK1 + 1)
	base, slope := float32(turnK1*(1-turnB)), turnK1*turnB/b.passageLength
	for _, p := range list {
		id, n := p.ordinal(), p.count()
		c := &s.part[id]
		if c.mask == 0 {
			s.touchedParts = append(s.touchedParts, id)
		}
		c.mask |= 1 << term
		c.score += worth * n / (n + base + slope*float32(x.passages[id].length))
	}
}

// foldPassages gives each long document the score of its best passage.
func (x *Index) foldPassages(s *scratch) {
	for _, id := range s.touchedParts {
		c, part := &s.turn[x.passages[id].ordinal], &s.part[id]
		if part.score > c.passage {
			c.passage, c.best = part.score, part.mask
		}
	}
}

func (x *Index) scoreSessions(s *scratch, b *bag, idf float32, list []posting) {
	base, slope := float32(sessionK1*(1-sessionB)), sessionK1*sessionB/b.sessionLength
	for _, p := range list {
		t, n := p.ordinal(), p.count()
		if s.session[t] == 0 {
			s.touchedThreads = append(s.touchedThreads, t)
		}
		s.session[t] += idf * n / (n + base + slope*float32(x.threads[t].length))
	}
}

// fewDocuments is the number of documents up to which all are candidates: in a short talk, each line may be what is asked
// for, whatever its words.
const fewDocuments = 40

// candidates returns the documents to score in detail: those that contain a term or a concept, their two neighbors on either
// side, those at a time that the query names, those similar in meaning, and those that tell what is asked. If these are fewer than the limit, it adds
// recent documents by the people that the query names. Of a short talk, it returns all.
func (s *search) candidates() []uint32 {
	k := s.scratch
	seeds := k.seeds()
	for _, d := range seeds {
		k.choose(d)
		at := d
		for range 2 {
			if at = s.x.rows[at].prev; at == none {
				break
			}
			k.choose(at)
		}
		at = d
		for range 2 {
			if at = s.x.rows[at].next; at == none {
				break
			}
			k.choose(at)
		}
	}
	for d := range s.similarity {
		k.choose(d)
	}
	for d := range s.told {
		k.choose(d)
	}
	for _, t := range s.query.Times {
		s.chooseByTime(t)
	}
	switch {
	case len(s.x.rows) <= fewDocuments && s.bag.asks():
		for d := range s.x.rows {
			k.choose(uint32(d))
		}
	case len(k.touched) > 0 && len(k.order) < s.query.Limit:
		s.chooseByAuthor()
	}
	return k.order
}

// chooseByTime adds the newest maxSeeds documents written within t, and as many that mention a time in t.
func (s *search) chooseByTime(t TimeRange) {
	left := maxSeeds
	for d := len(s.x.rows) - 1; d >= 0 && left > 0; d-- {
		if t.contains(s.x.rows[d].at) {
			s.scratch.choose(uint32(d))
			left--
		}
	}
	left = maxSeeds
	for i := len(s.x.spans) - 1; i >= 0 && left > 0; i-- {
		if t.overlaps(s.x.spans[i]) {
			s.scratch.choose(s.x.spans[i].ordinal)
			left--
		}
	}
}

// chooseByAuthor adds those of the newest maxSeeds documents that were written by people the query names.
func (s *search) chooseByAuthor() {
	for d := max(0, len(s.x.rows)-maxSeeds); d < len(s.x.rows); d++ {
		if slices.Contains(s.bag.authors, s.x.rows[d].author) {
			s.scratch.choose(uint32(d))
		}
	}
}

func (k *scratch) choose(d uint32) {
	if !k.chosen[d] {
		k.chosen[d] = true
		k.order = append(k.order, d)
	}
}

// conceptHint is how much the share of the query's concepts counts in the choice of seeds.
const conceptHint = 0.3

// hint returns the score by which seeds are chosen.
func (c *cell) hint() float32 { return c.passage + conceptHint*c.concept }

// seeds returns the touched documents, or the best maxSeeds of them if there are more. Scores are compared in steps of a
// 256th of the top score.
func (k *scratch) seeds() []uint32 {
	if len(k.touched) <= maxSeeds {
		return k.touched
	}
	var top float32
	for _, d := range k.touched {
		top = max(top, k.turn[d].hint())
	}
	const steps = 256
	step := func(score float32) int { return int(score / top * (steps - 1)) }
	var tally [steps]int
	for _, d := range k.touched {
		tally[step(k.turn[d].hint())]++
	}
	floor, above := steps, 0
	for floor > 0 && above+tally[floor-1] <= maxSeeds {
		floor--
		above += tally[floor]
	}
	seeds := k.picked[:0]
	for i := len(k.touched) - 1; i >= 0; i-- {
		d := k.touched[i]
		// The step that exceeds the limit is filled from the end of the posting lists, where the newest documents are.
		switch at := step(k.turn[d].hint()); {
		case at >= floor:
			seeds = append(seeds, d)
		case at == floor-1 && above < maxSeeds:
			above++
			seeds = append(seeds, d)
		}
	}
	k.picked = seeds
	return seeds
}
