package concept

import (
	"slices"

	"familiar/internal/text"
	"familiar/memory/lexical"
)

// loader builds a lexicon from the files.
type loader struct {
	*Lexicon
	// stemmed caches the stems of words, most of which occur several times.
	stemmed map[string]string
	stems   []byte
	meant   []meantBy
}

// meantBy is a node with one of its meanings: node<<32 | concept<<16 | kind.
type meantBy uint64

func (m meantBy) node() node       { return node(m >> 32) }
func (m meantBy) concept() Concept { return Concept(m >> 16) }
func (m meantBy) kind() uint16     { return uint16(m) }

func load(tag string, nth uint32) *Lexicon {
	b := loader{
		Lexicon: &Lexicon{lang: lexical.Named(tag), kinds: nth << kindBits, nodes: make([]nodeEntry, 1, slotCount/2)},
		stemmed: make(map[string]string, slotCount/4),
	}
	concepts := 0
	for l := range lines() {
		switch {
		case l.key != "":
			concepts++
		case l.name == tag:
			b.addList(Concept(concepts-1), l)
		}
	}
	b.finish()
	b.vectors = b.vectorsIn(tag)
	return b.Lexicon
}

func (b *loader) addList(c Concept, l line) {
	m := meaning{concept: c}
	for item := range items(l.items) {
		if l.kinds {
			m.kind++
		}
		b.add(item, m)
		if !text.IsASCII(item) { // many people type no accents, and the stemmer reads them
			b.add(text.Bare(unligated(item)), m)
		}
	}
}

// add adds a word or phrase with one of its meanings.
func (b *loader) add(item string, m meaning) {
	at := root
	for start, end := range text.Words(item, nil) {
		at = b.after(at, b.stem(item[start:end]))
	}
	b.meant = append(b.meant, meantBy(at)<<32|meantBy(m.concept)<<16|meantBy(m.kind))
}

func (b *loader) stem(word string) string {
	stem, known := b.stemmed[word]
	if !known {
		stem = b.Stem(word)
		b.stemmed[word] = stem
	}
	return stem
}

// after returns the node of a stem after another, and adds it if it is new.
func (b *loader) after(before node, stem string) node {
	at := slotOf(before, stem)
	for ; b.slots[at] != none; at = (at + 1) % slotCount {
		if n := b.slots[at]; b.nodes[n].after == before && string(b.stems[b.nodes[n-1].stemEnd:b.nodes[n].stemEnd]) == stem {
			return n
		}
	}
	n := node(len(b.nodes))
	b.stems = append(b.stems, stem...)
	b.nodes = append(b.nodes, nodeEntry{stemEnd: uint32(len(b.stems)), after: before})
	b.nodes[before].continues = true
	b.slots[at] = n
	bit := stemBit(stem)
	b.marks[bit/64] |= 1 << (bit % 64)
	return n
}

// finish sorts the meanings by node. Of a concept twice, as itself and as a kind of it, the first is kept: the concept.
func (b *loader) finish() {
	slices.Sort(b.meant)
	b.meant = slices.CompactFunc(b.meant, func(p, q meantBy) bool { return p>>16 == q>>16 })
	b.meanings = make([]meaning, len(b.meant))
	for i, m := range b.meant {
		b.meanings[i] = meaning{m.concept(), m.kind()}
		b.nodes[m.node()].meaningEnd = uint32(i + 1)
	}
	for n := 1; n < len(b.nodes); n++ {
		b.nodes[n].meaningEnd = max(b.nodes[n].meaningEnd, b.nodes[n-1].meaningEnd)
	}
	b.nodes = slices.Clone(b.nodes)
	b.Lexicon.stems = string(b.stems)
}
