package lexical

// Feature is one thing that speaks for or against a document. Each is about 0 to 1.
type Feature int

// The features. Bm25 is divided by what a perfect match is worth.
const (
	Turn Feature = iota
	Before1
	Before2
	After1
	After2
	Answers
	Session
	Speaker
	Coverage
	Window
	When
	Dated
	Number
	Length
	Question
	Meaning
	Features int = iota
)

// Weights are what each feature adds to a document's score.
type Weights [Features]float32

// table is the one place where the features are named and weighed. The weights were fitted by coordinate ascent on
// recall over annotated two-person talk, checked on conversations left out of the fit, and rounded.
var table = [Features]struct {
	name   string
	weight float32
}{
	Turn:     {"words", 1.0},            // bm25 of the turn: it says what is asked
	Before1:  {"words before", 0.4},     // bm25 of the turn before: talk answers what was just said
	Before2:  {"words two before", 0.4}, // bm25 of the turn two before: the same speaker's thread of thought
	After1:   {"words after", 0.3},      // bm25 of the turn after: it takes up what was said
	After2:   {"words two after", 0.3},  // bm25 of the turn two after
	Answers:  {"answers", 0.4},          // bm25 of the turn before when that is a question: this is its answer
	Session:  {"session", 0.4},          // bm25 of the whole session over the best session's: the talk was about it
	Speaker:  {"speaker", 0.4},          // the query names who said it, or means them by I
	Coverage: {"coverage", 0.3},         // share of the query's terms in the turn, by rarity
	Window:   {"coverage around", 0.4},  // the same share in the turn with two on either side
	When:     {"tells when", 0.4},       // the query asks for a time and the turn holds a word of time
	Dated:    {"at that time", 0.5},     // the query names a time, and the turn was said then or speaks of it
	Number:   {"tells how many", 0.2},   // the query asks for a number and the turn holds one
	Length:   {"length", 0.15},          // longer turns hold more: logarithm of the terms over that of 150
	Meaning:  {"meaning", 1.0},          // it means what is asked, as far as the vectors can be trusted: see Query.Near
	Question: {"asks itself", -0.15},    // the turn ends in a question: it asks rather than tells
}

// String is the feature's name for people.
func (f Feature) String() string { return table[f].name }

// Standard are the weights of the table.
var Standard = func() (w Weights) {
	for f := range table {
		w[f] = table[f].weight
	}
	return w
}()
