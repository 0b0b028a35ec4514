package lexical

import "slices"

// bulk holds the postings of documents that are added to an empty index all at once. Their posting lists are made in the
// end, one after another, which is much faster than adding to all of them in turn.
type bulk struct{ turns, passages pile }

// pile holds postings by the order of their documents.
type pile struct {
	terms    []int32
	postings []posting
}

func (b *pile) add(term int32, p posting) {
	b.terms, b.postings = append(b.terms, term), append(b.postings, p)
}

// Begin prepares an empty index for many documents. They are found after Finish.
func (x *Index) Begin() { x.bulk = new(bulk) }

// Finish makes what was added since Begin searchable and gives up the memory that was allocated for growth.
func (x *Index) Finish() {
	b := x.bulk
	x.bulk = nil
	var sessions []posting
	turns := b.turns.sort()
	x.terms.lists = make([]termLists, 0, len(turns.order))
	for term, all := range turns.lists {
		lists := x.terms.add(term)
		x.terms.store(&lists.turns, all)
		if term >= 0 {
			sessions = x.sessionsOf(sessions[:0], all)
			x.terms.store(&lists.sessions, sessions)
		}
	}
	passages := b.passages.sort()
	for term, all := range passages.lists {
		x.terms.store(&x.terms.add(term).passages, all)
	}
	x.terms.blocks = slices.Clip(slices.Clone(x.terms.blocks))
	x.rows, x.lengths = slices.Clip(slices.Clone(x.rows)), slices.Clip(slices.Clone(x.lengths))
	x.passages = slices.Clip(slices.Clone(x.passages))
}

// sortedPile holds postings by term.
type sortedPile struct {
	// order lists the terms in the order of their first documents. ends are the ends of their postings.
	order    []int32
	ends     []uint32
	postings []posting
}

// lists yields each term with its postings.
func (s *sortedPile) lists(yield func(term int32, all []posting) bool) {
	var start uint32
	for i, term := range s.order {
		if !yield(term, s.postings[start:s.ends[i]]) {
			return
		}
		start = s.ends[i]
	}
}

// sort groups the postings by term and keeps their order within each.
func (b *pile) sort() (s sortedPile) {
	if len(b.terms) == 0 {
		return s
	}
	least := slices.Min(b.terms)
	sizes := make([]uint32, slices.Max(b.terms)-least+1)
	for _, term := range b.terms {
		if sizes[term-least]++; sizes[term-least] == 1 {
			s.order = append(s.order, term)
		}
	}
	s.ends = make([]uint32, len(s.order))
	var total uint32
	for i, term := range s.order {
		s.ends[i] = total // the start until its postings are in place
		total += sizes[term-least]
		sizes[term-least] = uint32(i) // from here on, the number of the list
	}
	s.postings = make([]posting, total)
	for i, term := range b.terms {
		n := sizes[term-least]
		s.postings[s.ends[n]] = b.postings[i]
		s.ends[n]++
	}
	return s
}

// sessionsOf appends the sessions that hold some turns, with their counts.
func (x *Index) sessionsOf(sessions, turns []posting) []posting {
	for _, p := range turns {
		if thread := x.rows[p.ordinal()].thread; thread != none {
			sessions = countIn(sessions, thread, int(p.count()))
		}
	}
	return sessions
}

// countIn adds n to the entry of ordinal in a sorted list.
func countIn(list []posting, ordinal uint32, n int) []posting {
	i := len(list)
	for i > 0 && list[i-1].ordinal() > ordinal {
		i--
	}
	if i > 0 && list[i-1].ordinal() == ordinal {
		list[i-1] = newPosting(ordinal, int(list[i-1].count())+n)
		return list
	}
	return slices.Insert(list, i, newPosting(ordinal, n))
}
