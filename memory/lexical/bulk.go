package lexical

import "slices"

// bulk holds the terms of documents that are added to an empty index all at once. Their posting lists are made in the
// end, one after another, which is much faster than adding to all of them in turn.
type bulk struct {
	terms    []int32
	postings []posting
}

func (b *bulk) add(term int32, p posting) {
	b.terms, b.postings = append(b.terms, term), append(b.postings, p)
}

// Begin prepares an empty index for many documents. They are found after Finish.
func (x *Index) Begin() { x.bulk = new(bulk) }

// Finish makes what was added since Begin searchable and gives up the memory that was allocated for growth.
func (x *Index) Finish() {
	b := x.bulk
	x.bulk = nil
	order, sizes := b.count()
	x.terms.lists = make([]termLists, 0, len(order))
	starts := make([]uint32, len(order))
	var total uint32
	for i, term := range order {
		x.terms.add(term)
		starts[i] = total
		total += sizes[term]
		sizes[term] = uint32(i) // from here on, the number of the list
	}
	sorted := make([]posting, total)
	ends := slices.Clone(starts)
	for i, term := range b.terms {
		n := sizes[term]
		sorted[ends[n]] = b.postings[i]
		ends[n]++
	}
	var sessions []posting
	for i := range order {
		turns := sorted[starts[i]:ends[i]]
		sessions = x.sessionsOf(sessions[:0], turns)
		lists := &x.terms.lists[i]
		x.terms.store(&lists.turns, turns)
		x.terms.store(&lists.sessions, sessions)
	}
	x.terms.blocks = slices.Clip(slices.Clone(x.terms.blocks))
	x.rows, x.lengths = slices.Clip(slices.Clone(x.rows)), slices.Clip(slices.Clone(x.lengths))
}

// count returns the terms in the order of their first documents, and by term the number of its documents.
func (b *bulk) count() (order []int32, sizes []uint32) {
	if len(b.terms) == 0 {
		return nil, nil
	}
	sizes = make([]uint32, slices.Max(b.terms)+1)
	for _, term := range b.terms {
		if sizes[term]++; sizes[term] == 1 {
			order = append(order, term)
		}
	}
	return order, sizes
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
