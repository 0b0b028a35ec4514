package claim

import "sync"

// stance is what a wording does with its value.
type stance int

const (
	said stance = iota
	changed
	denied
)

// wording is one compiled pattern of one relation.
type wording struct {
	row     *relation
	pattern pattern
	stance  stance
	// value is the kind of the value slot.
	value string
	// changes says that a denial tells of a change ("I no longer live in …") and is no mere "not".
	changes bool
	// gains says that the wording tells of one more: "I got a dog called Rex" does not rename another dog.
	gains bool
}

// index holds the wordings by how they begin, so that few are tried at any word.
type index struct {
	speaker, owner, open []wording
	word                 map[string][]wording
}

// wordingTable are the wordings of the relation table: what states something, and what asks for it.
type wordingTable struct{ statements, asked index }

// table is the relation table, compiled when the first text is read.
var table = sync.OnceValue(func() *wordingTable {
	t := &wordingTable{index{word: map[string][]wording{}}, index{word: map[string][]wording{}}}
	for i := range relations {
		for _, n := range relations[i].denied { // first: "I don't like jazz anymore" is more than "I don't like jazz"
			t.statements.add(newWording(&relations[i], n, denied))
		}
	}
	for i := range relations {
		row := &relations[i]
		for kind, notations := range [][]string{said: row.said, changed: row.changed} {
			for _, n := range notations {
				t.statements.add(newWording(row, n, stance(kind)))
			}
		}
		for _, n := range row.asked {
			t.asked.add(newWording(row, n, said))
		}
	}
	return t
})

// changeWords tell that a denied value was true once.
var changeWords = set("no longer anymore any more lost fired sacked retired unemployed used quit stopped gave given left over anymore sold gone broke split moved divorced")

func newWording(row *relation, notation string, s stance) wording {
	w := wording{row: row, pattern: compile(notation), stance: s}
	for _, e := range w.pattern.elements {
		if e.kind == slot && !keySlots[e.slot] && e.slot != "topic" {
			w.value = e.slot
		}
		for _, x := range e.words {
			w.gains = w.gains || s == changed && (x == "got" || x == "adopted" || x == "bought" || x == "new")
			w.changes = w.changes || changeWords[x]
		}
	}
	return w
}

var keySlots = set("animal role noun")

// add files the wording under every word it may begin with.
func (x *index) add(w wording) {
	for _, e := range w.pattern.elements {
		switch e.kind {
		case subject:
			x.speaker = append(x.speaker, w)
		case owner:
			x.owner = append(x.owner, w)
		case literal:
			for _, word := range e.words {
				x.word[word] = append(x.word[word], w)
			}
			if e.optional {
				continue
			}
		default:
			x.open = append(x.open, w)
		}
		return
	}
}

// tellsOfKin says that the speaker's kin is named after the "my" at word i.
func tellsOfKin(c clause, i int) bool {
	kin, _, _ := kinAt(c, i+1)
	return kin != ""
}

// candidates are the wordings that may begin at word i.
func (x *index) candidates(c clause, i int) [4][]wording {
	w := c.low(i)
	var out [4][]wording
	if w == "" {
		return out
	}
	name := properNoun(c, i) && (i == 0 || !properNoun(c, i-1))
	out[0] = x.word[w]
	if w == "i" || w == "we" || name || (w == "my" || w == "our") && tellsOfKin(c, i) {
		out[1] = x.speaker
	}
	if w == "my" || w == "our" || name {
		out[2] = x.owner
	}
	if i == skipLeads(c, 0) {
		out[3] = x.open
	}
	return out
}
