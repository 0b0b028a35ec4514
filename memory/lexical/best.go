package lexical

import "slices"

// best keeps the top limit matches in a heap with the worst at the root.
type best struct {
	limit int
	heap  []Match
}

// maxHeapRoom is how many matches the heap has room for before it grows.
const maxHeapRoom = 256

func newBest(limit int) best {
	return best{limit: limit, heap: make([]Match, 0, min(limit, maxHeapRoom))}
}

// worse reports whether a ranks after b.
func worse(a, b *Match) bool {
	switch {
	case a.Score != b.Score:
		return a.Score < b.Score
	case a.At != b.At:
		return a.At < b.At
	case a.Scope != b.Scope:
		return a.Scope > b.Scope
	}
	return a.Ordinal > b.Ordinal
}

// takes reports whether m is among the best so far.
func (b *best) takes(m *Match) bool { return len(b.heap) < b.limit || worse(&b.heap[0], m) }

// offer adds a match for which takes returned true.
func (b *best) offer(m Match) {
	if len(b.heap) < b.limit {
		b.heap = append(b.heap, m)
		for i := len(b.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if !worse(&b.heap[i], &b.heap[parent]) {
				return
			}
			b.heap[i], b.heap[parent] = b.heap[parent], b.heap[i]
			i = parent
		}
		return
	}
	b.heap[0] = m
	b.sink()
}

func (b *best) sink() {
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(b.heap); child++ {
			if worse(&b.heap[child], &b.heap[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		b.heap[i], b.heap[least] = b.heap[least], b.heap[i]
		i = least
	}
}

func (b *best) ranked() []Match {
	slices.SortFunc(b.heap, func(p, q Match) int {
		if worse(&p, &q) {
			return 1
		}
		return -1 // matches are never equal: they differ at least in scope or ordinal
	})
	return b.heap
}
