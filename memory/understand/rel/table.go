package rel

import (
	"sync"

	"familiar/memory/understand/english"
)

// stance is how a wording treats its value.
type stance int

// The stances.
const (
	said stance = iota
	Changed
	Denied
)

// Wording is a compiled pattern of a relation.
type Wording struct {
	Row     *Relation
	Pattern english.Pattern
	Stance  stance
	// Value is the kind of the value slot.
	Value string
	// Changes reports that a denial tells of a change ("I no longer live in …") and is not only a "not".
	Changes bool
	// Gains reports that the wording adds a value: "I got a dog called Rex" does not rename another dog.
	Gains bool
}

// Bucket holds wordings with the same beginning, in order.
type Bucket struct {
	wordings []Wording
	needs    []english.Needs // of each of them
}

// Next returns the first wording from place k on that may match in the clause, and its place. It returns nil after the
// last.
func (b *Bucket) Next(c *english.Clause, k int) (*Wording, int) {
	if b == nil {
		return nil, 0
	}
	for ; k < len(b.needs); k++ {
		if c.Meets(b.needs[k]) {
			return &b.wordings[k], k
		}
	}
	return nil, k
}

func (b *Bucket) add(w Wording) {
	b.wordings, b.needs = append(b.wordings, w), append(b.needs, w.Pattern.Needs())
}

// index holds the wordings by their beginning, so that only a few are tried at each word.
type index struct {
	speaker, owner, open Bucket
	word                 map[string]*Bucket
}

// wordingTable holds the wordings of the relation table: those that state something and those that ask for it.
type wordingTable struct{ Statements, Asked index }

// Wordings returns the relation table, compiled on first use.
var Wordings = sync.OnceValue(func() *wordingTable {
	t := &wordingTable{index{word: map[string]*Bucket{}}, index{word: map[string]*Bucket{}}}
	for i := range Relations {
		for _, n := range Relations[i].denied { // first, because "I don't like jazz anymore" is longer than "I don't like jazz"
			t.Statements.add(newWording(&Relations[i], n, Denied))
		}
	}
	for i := range Relations {
		row := &Relations[i]
		for kind, notations := range [][]string{said: row.Said, Changed: row.changed} {
			for _, n := range notations {
				t.Statements.add(newWording(row, n, stance(kind)))
			}
		}
		for _, n := range row.asked {
			t.Asked.add(newWording(row, n, said))
		}
	}
	return t
})

// changeWords holds the words that show that a denied value was true before.
var changeWords = english.Set("no longer anymore any more lost fired sacked retired unemployed used quit stopped gave given left over anymore sold gone broke split moved divorced")

func newWording(row *Relation, notation string, s stance) Wording {
	w := Wording{Row: row, Pattern: english.Compile(notation), Stance: s}
	for _, e := range w.Pattern.Elements {
		if e.Kind == english.Slot && !KeySlots[e.Slot] && e.Slot != "topic" {
			w.Value = e.Slot
		}
		for _, x := range e.Words {
			w.Gains = w.Gains || s == Changed && (x == "got" || x == "adopted" || x == "bought" || x == "new")
			w.Changes = w.Changes || changeWords[x]
		}
	}
	return w
}

// KeySlots holds the slots that complete a relation's key.
var KeySlots = english.Set("animal role noun")

// add adds the wording under every word that it may begin with.
func (x *index) add(w Wording) {
	for _, e := range w.Pattern.Elements {
		switch e.Kind {
		case english.Subject:
			x.speaker.add(w)
		case english.Owner:
			x.owner.add(w)
		case english.Literal:
			for _, word := range e.Words {
				if x.word[word] == nil {
					x.word[word] = new(Bucket)
				}
				x.word[word].add(w)
			}
			if e.Optional {
				continue
			}
		default:
			x.open.add(w)
		}
		return
	}
}

// tellsOfKin reports whether the speaker's kin follows the "my" at word i.
func tellsOfKin(c english.Clause, i int) bool {
	kin, _, _ := english.KinAt(c, i+1)
	return kin != ""
}

// Candidates returns the wordings that may begin at word i.
func (x *index) Candidates(c english.Clause, i int) [4]*Bucket {
	w := c.Low(i)
	var out [4]*Bucket
	if w == "" {
		return out
	}
	name := english.ProperNoun(c, i) && (i == 0 || !english.ProperNoun(c, i-1))
	out[0] = x.word[w]
	if w == "i" || w == "we" || name || (w == "my" || w == "our") && tellsOfKin(c, i) {
		out[1] = &x.speaker
	}
	if w == "my" || w == "our" || name {
		out[2] = &x.owner
	}
	if i == english.SkipLeads(c, 0) {
		out[3] = &x.open
	}
	return out
}
