package lexical

import (
	"slices"
	"sync"
)

// scratch is the working room of one search in one scope: a cell per document and one per thread, so that the score of
// a neighbour is the cell beside. Only what was touched is wiped afterwards.
type scratch struct {
	turn    []cell
	session []float32
	// touched are the documents with a cell that is not zero, heard the threads.
	touched, heard []uint32
	// chosen marks candidates already taken.
	chosen []bool
	order  []uint32
	// scores are what the candidates score by themselves, in their order.
	scores []float32
	// peaks are the best of them by thread, climbed the threads that have one.
	peaks   []peak
	climbed []uint32
	// picked are the seeds when not all touched documents are.
	picked     []uint32
	topSession float32
	// asked is the match that the query is asked about.
	asked Match
}

// cell is what one document has of the query: bm25 over a perfect match's worth, and which terms.
type cell struct {
	score float32
	mask  uint32
}

// peak is the document of a thread that scores best by itself.
type peak struct {
	found bool
	score float32
	place uint16
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release wipes the scratch and gives it back.
func (s *scratch) release() {
	for _, d := range s.touched {
		s.turn[d] = cell{}
	}
	for _, t := range s.heard {
		s.session[t] = 0
	}
	for _, d := range s.order {
		s.chosen[d] = false
	}
	for _, t := range s.climbed {
		s.peaks[t] = peak{}
	}
	s.touched, s.heard, s.order, s.topSession = s.touched[:0], s.heard[:0], s.order[:0], 0
	s.scores, s.climbed = s.scores[:0], s.climbed[:0]
	scratches.Put(s)
}

// Bm25 saturation and length normalisation. Chat turns are short and their length says little: both lie low.
const (
	saturation       = 1.0
	turnByLength     = 0.4
	sessionByLength  = 0.75
	sessionSaturates = 1.2
)

// mark scores every turn and session of x that holds a term of b.
func (x *Index) mark(b *bag) *scratch {
	s := scratches.Get().(*scratch)
	if len(s.turn) < len(x.rows) {
		room := len(x.rows) + len(x.rows)/8
		s.turn, s.chosen = make([]cell, room), make([]bool, room)
	}
	if len(s.session) < len(x.threads) {
		room := len(x.threads) + len(x.threads)/8
		s.session, s.peaks = make([]float32, room), make([]peak, room)
	}
	for i, w := range b.terms {
		turns, sessions := x.postings(w.stems)
		x.markTurns(s, b, i, turns)
		x.markSessions(s, b, w.sessions, sessions)
	}
	for _, t := range s.heard {
		s.topSession = max(s.topSession, s.session[t])
	}
	return s
}

func (x *Index) markTurns(s *scratch, b *bag, term int, list []posting) {
	worth := b.terms[term].idf / b.idf * (saturation + 1)
	base, slope := float32(saturation*(1-turnByLength)), saturation*turnByLength/b.turnLength
	for _, p := range list {
		d, n := p.ordinal(), p.count()
		c := &s.turn[d]
		if c.mask == 0 {
			s.touched = append(s.touched, d)
		}
		c.mask |= 1 << term
		c.score += worth * n / (n + base + slope*float32(x.lengths[d]))
	}
}

func (x *Index) markSessions(s *scratch, b *bag, idf float32, list []posting) {
	base, slope := float32(sessionSaturates*(1-sessionByLength)), sessionSaturates*sessionByLength/b.sessionLength
	for _, p := range list {
		t, n := p.ordinal(), p.count()
		if s.session[t] == 0 {
			s.heard = append(s.heard, t)
		}
		s.session[t] += idf * n / (n + base + slope*float32(x.threads[t].length))
	}
}

// candidates are the documents worth weighing: those that hold a term, the two on either side of each, those of a time
// the query names, and those that mean what it means; where these are fewer than asked for, also what those it names
// said lately.
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
	for d := range s.near {
		k.choose(d)
	}
	for _, t := range s.query.Times {
		s.chooseFalling(t)
	}
	if len(k.touched) > 0 && len(k.order) < s.query.Limit {
		s.chooseNamed()
	}
	return k.order
}

// chooseFalling chooses the newest maxSeeds documents that were said within t, and as many that speak of it.
func (s *search) chooseFalling(t Stretch) {
	left := maxSeeds
	for d := len(s.x.rows) - 1; d >= 0 && left > 0; d-- {
		if t.holds(s.x.rows[d].at) {
			s.scratch.choose(uint32(d))
			left--
		}
	}
	left = maxSeeds
	for i := len(s.x.spans) - 1; i >= 0 && left > 0; i-- {
		if t.meets(s.x.spans[i]) {
			s.scratch.choose(s.x.spans[i].ordinal)
			left--
		}
	}
}

// chooseNamed chooses what those the query names said among the newest maxSeeds documents.
func (s *search) chooseNamed() {
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

// seeds are the touched documents, or about the best maxSeeds of them when there are more: all whose score is above
// the one that maxSeeds documents reach, counted in steps of a 256th of the top score.
func (k *scratch) seeds() []uint32 {
	if len(k.touched) <= maxSeeds {
		return k.touched
	}
	var top float32
	for _, d := range k.touched {
		top = max(top, k.turn[d].score)
	}
	const steps = 256
	step := func(score float32) int { return int(score / top * (steps - 1)) }
	var tally [steps]int
	for _, d := range k.touched {
		tally[step(k.turn[d].score)]++
	}
	floor, above := steps, 0
	for floor > 0 && above+tally[floor-1] <= maxSeeds {
		floor--
		above += tally[floor]
	}
	seeds := k.picked[:0]
	for i := len(k.touched) - 1; i >= 0; i-- {
		d := k.touched[i]
		// The step that would go over is filled from the end of the posting lists, where the newest are.
		switch at := step(k.turn[d].score); {
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
