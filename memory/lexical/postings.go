package lexical

import (
	"math/bits"
	"slices"
)

// postings holds the posting lists of an index. A scope uses few of the words of its vocabulary, most of them once or
// twice, so a list costs no more than it holds: one posting is kept in place, a few are kept in blocks of one array, and
// only a long list is a slice of its own.
type postings struct {
	// table finds the lists of a term: the number of its entry in lists plus 1, 0 for none. Its length is a power of two.
	table []uint32
	lists []termLists
	// blocks holds short lists in blocks whose sizes are powers of two. free holds the unused blocks by the logarithm of
	// their size.
	blocks []posting
	free   [maxBlock + 1][]uint32
	// long holds the lists that are longer than the largest block, unused their free places.
	long   [][]posting
	unused []uint32
	// longBytes is the size of the long lists.
	longBytes int64
}

// termLists are the lists of a term: the turns, the sessions and the passages of long turns that contain it. Those of a
// concept are in the same table under a number below 0; see conceptTerm.
type termLists struct {
	term                      int32
	turns, sessions, passages list
}

// list is one posting list, in order of the ordinals.
type list struct {
	n uint32
	// at is the only posting of a list of one, the position in blocks of a short list and the number in long of a long one.
	at [1]posting
}

func listOf(n, at uint32) list { return list{n, [1]posting{posting(at)}} }

const (
	// maxBlock is the logarithm of the largest block's size.
	maxBlock = 5
	maxShort = 1 << maxBlock
	// minTable is the smallest length of the table.
	minTable = 64
	// The sizes in bytes of an entry of lists with its place in the table, and of a long list's slice.
	listsBytes = 36
	longBytes  = 24
	// longSlack is the share of a long list that is allocated for its growth, as a divisor.
	longSlack = 4
)

// slot returns the position of term in the table, or the free one at which it belongs.
func (p *postings) slot(term int32) uint32 {
	mask := uint32(len(p.table) - 1)
	at := uint32(term) * 0x9E3779B1 >> (32 - bits.Len32(mask))
	for {
		n := p.table[at]
		if n == 0 || p.lists[n-1].term == term {
			return at
		}
		at = (at + 1) & mask
	}
}

// of returns the lists of term, nil for none. They are valid until a term is added.
func (p *postings) of(term int32) *termLists {
	if len(p.table) == 0 {
		return nil
	}
	if n := p.table[p.slot(term)]; n != 0 {
		return &p.lists[n-1]
	}
	return nil
}

// add returns the lists of term, which are empty for a new one.
func (p *postings) add(term int32) *termLists {
	if 4*(len(p.lists)+1) > 3*len(p.table) {
		p.table = make([]uint32, max(minTable, 2*len(p.table)))
		for i := range p.lists {
			p.table[p.slot(p.lists[i].term)] = uint32(i + 1)
		}
	}
	at := p.slot(term)
	if p.table[at] == 0 {
		p.lists = append(p.lists, termLists{term: term})
		p.table[at] = uint32(len(p.lists))
	}
	return &p.lists[p.table[at]-1]
}

// all returns the postings of l, which must not be changed and are valid until l changes.
func (p *postings) all(l *list) []posting {
	switch {
	case l.n == 0:
		return nil
	case l.n == 1:
		return l.at[:]
	case l.n <= maxShort:
		return p.blocks[l.at[0]:][:l.n:l.n]
	}
	return p.long[l.at[0]]
}

// count adds n to the entry of ordinal in l. It is near the end but not always last, because threads of several rooms
// grow at the same time.
func (p *postings) count(l *list, ordinal uint32, n int) {
	all := p.all(l)
	i := len(all)
	for i > 0 && all[i-1].ordinal() > ordinal {
		i--
	}
	if i > 0 && all[i-1].ordinal() == ordinal {
		all[i-1] = newPosting(ordinal, int(all[i-1].count())+n)
		return
	}
	p.insert(l, i, newPosting(ordinal, n))
}

// insert puts one posting at position i of l.
func (p *postings) insert(l *list, i int, one posting) {
	if l.n == 0 {
		*l = listOf(1, uint32(one))
		return
	}
	p.grow(l)
	l.n++
	all := p.all(l)
	copy(all[i+1:], all[i:])
	all[i] = one
}

// grow makes room for one more posting after the last one of l.
func (p *postings) grow(l *list) {
	switch {
	case l.n == 1:
		at := p.block(1)
		p.blocks[at] = l.at[0]
		*l = listOf(1, at)
	case l.n < maxShort && l.n&(l.n-1) == 0:
		size := bits.Len32(l.n)
		at := p.block(size)
		copy(p.blocks[at:], p.all(l))
		p.release(l)
		*l = listOf(l.n, at)
	case l.n == maxShort:
		long := append(make([]posting, 0, 2*maxShort), p.all(l)...)
		p.release(l)
		*l = listOf(l.n, p.addLong(long[:l.n+1]))
	case l.n > maxShort:
		long := p.long[l.at[0]]
		if len(long) == cap(long) {
			p.longBytes -= 4 * int64(cap(long))
			long = append(make([]posting, 0, len(long)+len(long)/longSlack+1), long...)
			p.longBytes += 4 * int64(cap(long))
		}
		p.long[l.at[0]] = long[:l.n+1]
	}
}

// addLong keeps a long list and returns its number.
func (p *postings) addLong(long []posting) uint32 {
	p.longBytes += longBytes + 4*int64(cap(long))
	if last := len(p.unused) - 1; last >= 0 {
		at := p.unused[last]
		p.unused = p.unused[:last]
		p.long[at] = long
		return at
	}
	p.long = append(p.long, long)
	return uint32(len(p.long) - 1)
}

// block returns the position of an unused block of 1<<size postings.
func (p *postings) block(size int) uint32 {
	if free := p.free[size]; len(free) > 0 {
		p.free[size] = free[:len(free)-1]
		return free[len(free)-1]
	}
	at := len(p.blocks)
	p.blocks = append(p.blocks, make([]posting, 1<<size)...)
	return uint32(at)
}

// release gives up the storage of l.
func (p *postings) release(l *list) {
	switch {
	case l.n > maxShort:
		p.longBytes -= longBytes + 4*int64(cap(p.long[l.at[0]]))
		p.long[l.at[0]] = nil
		p.unused = append(p.unused, uint32(l.at[0]))
	case l.n > 1:
		size := bits.Len32(l.n - 1)
		p.free[size] = append(p.free[size], uint32(l.at[0]))
	}
}

// replace makes l hold the given postings, which may be a part of l.
func (p *postings) replace(l *list, with []posting) {
	if len(with) == int(l.n) {
		return
	}
	with = slices.Clone(with)
	p.release(l)
	p.store(l, with)
}

// store makes l, which holds nothing, hold a copy of the given postings.
func (p *postings) store(l *list, all []posting) {
	switch n := uint32(len(all)); {
	case n == 0:
		*l = list{}
	case n == 1:
		*l = listOf(1, uint32(all[0]))
	case n <= maxShort:
		*l = listOf(n, p.block(bits.Len32(n-1)))
		copy(p.blocks[l.at[0]:], all)
	default:
		*l = listOf(n, p.addLong(slices.Clone(all)))
	}
}

// deleteFrom deletes the postings of l for which removed returns true; none of them is below first.
func (p *postings) deleteFrom(l *list, first posting, removed func(posting) bool) {
	if all := p.all(l); len(all) > 0 && all[len(all)-1] >= first {
		p.replace(l, slices.DeleteFunc(slices.Clone(all), removed))
	}
}

// clear removes all postings but keeps the memory for others.
func (p *postings) clear() {
	clear(p.table)
	clear(p.long)
	for size := range p.free {
		p.free[size] = p.free[size][:0]
	}
	p.lists, p.blocks, p.long, p.unused, p.longBytes = p.lists[:0], p.blocks[:0], p.long[:0], p.unused[:0], 0
}

// bytes returns the size of all lists.
func (p *postings) bytes() int64 {
	return int64(len(p.lists))*listsBytes + int64(cap(p.blocks))*4 + p.longBytes
}
