// Package concept is the lexicon of everyday concepts: which words and phrases mean the same, and which are kinds of a
// thing, in English, German, Spanish and French. "What frightens me?" and "I'm terrified of moths" share the concept fear.
//
// The words are in words/*.txt. A language is loaded when it is first asked for.
package concept

import "sync"

// Concept is one concept of the lexicon. Its number changes with the data: store its Key, never the number.
type Concept uint16

// Key returns the concept's name, an English word such as "fear".
func (c Concept) Key() string { return named().keys[c] }

// Near returns up to five concepts that people mix with this one in a story: pay is near job. The caller must not change
// the list.
func (c Concept) Near() []Concept { return named().near[c] }

// Mention is a place in a text that means a concept.
type Mention struct {
	Concept Concept
	// Kind is 0 for the concept itself, else the number of a kind of it: "guitar" is a kind of instrument. Numbers differ
	// between the kinds of a concept and between languages.
	Kind uint32
	// From is the index of the first stem, To that after the last.
	From, To int
}

// Matches reports whether two mentions share a concept and are not two different kinds of it.
func (m Mention) Matches(other Mention) bool {
	return m.Concept == other.Concept && (m.Kind == 0 || other.Kind == 0 || m.Kind == other.Kind)
}

// mentionsPerStem is more than there are in most texts.
const mentionsPerStem = 2

// In returns the concepts that a text mentions, in the order of their first words. The text comes as the stems of all its
// words, function words included; see Stem. Each single word counts, and each phrase that is not within a longer one.
func (l *Lexicon) In(stems []string) []Mention { return l.AppendIn(nil, stems) }

// AppendIn appends what In returns to found.
func (l *Lexicon) AppendIn(found []Mention, stems []string) []Mention {
	covered := 0
	for from, stem := range stems {
		n := l.find(root, stem)
		if n == none {
			continue
		}
		found = l.mention(found, n, from, from+1, len(stems))
		phrase, end := none, covered
		for to := from + 1; to < len(stems) && l.nodes[n].continues; to++ {
			if n = l.find(n, stems[to]); n == none {
				break
			}
			if to >= end && len(l.meaningsOf(n)) > 0 {
				phrase, end = n, to+1
			}
		}
		if phrase != none {
			found = l.mention(found, phrase, from, end, len(stems))
			covered = end
		}
	}
	return found
}

// mention appends the concepts that a node means, in a text of so many stems.
func (l *Lexicon) mention(found []Mention, n node, from, to, stems int) []Mention {
	meanings := l.meaningsOf(n)
	if found == nil && len(meanings) > 0 {
		found = make([]Mention, 0, mentionsPerStem*(stems-from))
	}
	for _, m := range meanings {
		kind := uint32(m.kind)
		if kind != 0 {
			kind |= l.kinds
		}
		found = append(found, Mention{Concept: m.concept, Kind: kind, From: from, To: to})
	}
	return found
}

// named returns the names and neighbours of all concepts, by number.
var named = sync.OnceValue(func() (all struct {
	keys []string
	near [][]Concept
},
) {
	var near []string
	numbers := map[string]Concept{}
	for l := range lines() {
		switch {
		case l.key != "":
			numbers[l.key] = Concept(len(all.keys))
			all.keys, near = append(all.keys, l.key), append(near, "")
		case l.name == "near":
			near[len(near)-1] = l.items
		}
	}
	all.near = make([][]Concept, len(near))
	for c, keys := range near {
		for key := range items(keys) {
			all.near[c] = append(all.near[c], numbers[key])
		}
	}
	return all
})
