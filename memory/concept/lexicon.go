package concept

import (
	"strings"
	"sync"

	"familiar/internal/text"
	"familiar/memory/lexical"
)

// Lexicon holds the words of one language. It is safe for concurrent use.
//
// It is a trie of stems in one hash table: a node is a word, or a word after another node. All stems are in one string,
// all meanings in one list.
type Lexicon struct {
	lang *lexical.Language
	// kinds distinguishes the numbers of this language's kinds from those of the others.
	kinds uint32
	// slots is an open hash table of nodes.
	slots [slotCount]node
	// marks holds a bit for the hashes of all stems.
	marks    [slotCount * stemBits / 64]uint64
	nodes    []nodeEntry
	stems    string
	meanings []meaning
	// vectors reads the vectors of words on first use, nil for English.
	vectors func() vectors
}

// node is the index of a word or phrase.
type node uint16

const (
	root node = 0
	none node = 0 // nothing leads back to the root

	// slotCount is a power of two, and more than a third above the number of nodes of any language: a test checks this.
	slotCount = 1 << 15
	// stemBits is the number of bits in marks per slot: few other stems have the hash of a marked one.
	stemBits = 4
	// kindBits are those of a kind's number within its language.
	kindBits = 16
)

type nodeEntry struct {
	stemEnd, meaningEnd uint32
	after               node
	// continues reports whether a longer phrase begins with this one.
	continues bool
}

type meaning struct {
	concept Concept
	// kind is 0 for the concept itself, else the position in the list of its kinds, from 1.
	kind uint16
}

// lexicons are the languages, each loaded on first use.
var lexicons = [...]struct {
	tag string
	get func() *Lexicon
}{
	{"en", lazily("en", 0)},
	{"de", lazily("de", 1)},
	{"es", lazily("es", 2)},
	{"fr", lazily("fr", 3)},
}

func lazily(tag string, nth uint32) func() *Lexicon {
	return sync.OnceValue(func() *Lexicon { return load(tag, nth) })
}

// For returns the lexicon of a language by its BCP 47 primary subtag, nil if there is none. The first call for a language
// loads it, which takes some milliseconds.
func For(tag string) *Lexicon {
	for _, l := range lexicons {
		if l.tag == tag {
			return l.get()
		}
	}
	return nil
}

// ligatures are written as two letters by many people, and as one by others.
var ligatures = strings.NewReplacer("œ", "oe", "æ", "ae", "Œ", "oe")

// functionMark ends the stem of a function word, so that "nicht" does not mean what "Nichte" means.
const functionMark = "-"

// Stem returns the form of a word by which texts are compared: stemmed as recall stems it in this language, without
// accents and ligatures. It sets function words apart from all other words, so that they count in phrases only. A word is a
// token of text.Tokens without joining marks.
func (l *Lexicon) Stem(word string) string {
	stem, function := l.lang.Stem(unligated(word))
	if function {
		return stem + functionMark
	}
	return stem
}

func unligated(word string) string {
	if strings.ContainsRune(word, 'œ') || strings.ContainsRune(word, 'Œ') || strings.ContainsRune(word, 'æ') {
		return ligatures.Replace(word)
	}
	return word
}

// Stems returns the stems of all words of a text, as In takes them.
func (l *Lexicon) Stems(said string) []string {
	var stems []string
	for start, end := range text.Words(said, nil) {
		stems = append(stems, l.Stem(said[start:end]))
	}
	return stems
}

// find returns the node of a stem after another node.
func (l *Lexicon) find(after node, stem string) node {
	for at := slotOf(after, stem); ; at = (at + 1) % slotCount {
		n := l.slots[at]
		if n == none || l.nodes[n].after == after && l.stemOf(n) == stem {
			return n
		}
	}
}

// MayContain reports whether a stem may be in a word or phrase of the lexicon. It is always true for those that are, and
// for few others.
func (l *Lexicon) MayContain(stem string) bool {
	at := stemBit(stem)
	return l.marks[at/64]>>(at%64)&1 != 0
}

// stemBit returns the bit of a stem in marks.
func stemBit(stem string) uint32 { return hash(root, stem) % (slotCount * stemBits) }

// slotOf returns the first slot where a node may be.
func slotOf(after node, stem string) uint32 { return hash(after, stem) % slotCount }

// hash returns the FNV-1a hash of a node.
func hash(after node, stem string) uint32 {
	const offset, prime = 2166136261, 16777619
	h := (uint32(offset) ^ uint32(after)) * prime
	for i := range len(stem) {
		h = (h ^ uint32(stem[i])) * prime
	}
	return h ^ h>>15
}

func (l *Lexicon) stemOf(n node) string {
	return l.stems[l.nodes[n-1].stemEnd:l.nodes[n].stemEnd]
}

func (l *Lexicon) meaningsOf(n node) []meaning {
	return l.meanings[l.nodes[n-1].meaningEnd:l.nodes[n].meaningEnd]
}
