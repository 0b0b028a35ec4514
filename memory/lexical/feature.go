package lexical

// Feature is one ranking signal of a document, roughly 0 to 1.
type Feature int

// The features. BM25 scores are divided by the score of a perfect match.
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
	Naming
	Early
	Length
	Question
	Meaning
	Apart
	Features int = iota
)

// Weights holds a weight per feature, by which its value is multiplied in a document's score.
type Weights [Features]float32

// table is the only place that names, weights and explains the features. The weights come from a search for recall over
// annotated two-person conversations, around a maximum-likelihood fit that was validated on held-out conversations.
// They are rounded.
var table = [Features]struct {
	name   string
	weight float32
	why    string
}{
	Turn:     {"words", 0.75, "bm25 of the turn: it says what is asked"},
	Before1:  {"words before", 0.1, "bm25 of the turn before: talk answers what was just said"},
	Before2:  {"words two before", 0.3, "bm25 of the turn two before: the same speaker's thread of thought"},
	After1:   {"words after", 0.3, "bm25 of the turn after: it takes up what was said"},
	After2:   {"words two after", 0.05, "bm25 of the turn two after"},
	Answers:  {"answers", 0.6, "bm25 of the turn before when that is a question: this is its answer"},
	Session:  {"session", 0.6, "bm25 of the whole session over the best session's: the talk was about it"},
	Speaker:  {"speaker", 0.7, "the query names who said it, or means them by I"},
	Coverage: {"coverage", 0.55, "share of the query's terms in the turn, by rarity"},
	Window:   {"coverage around", 0.45, "the same share in the turn with two on either side"},
	When:     {"tells when", 0.4, "the query asks for a time and the turn holds a word of time"},
	Dated:    {"at that time", 0.85, "the query names a time, and the turn was said then or speaks of it"},
	Number:   {"tells how many", 0.4, "the query asks for a number and the turn holds one"},
	Naming:   {"names something", 0.25, "the query asks who, which or where, and the turn holds names: half for one, all for more"},
	Early:    {"early in the session", 0.1, "news is told first: 1 for the first turn of a session, 0 from the eleventh on"},
	Length:   {"length", 0.15, "longer turns hold more: logarithm of the terms over that of 150"},
	Meaning:  {"meaning", 1.0, "it means what is asked, as far as the vectors can be trusted: see Query.Near"},
	Question: {"asks itself", -0.15, "the turn ends in a question: it asks rather than tells"},
	Apart:    {"apart", -0.5, "how far it stands from the turn of its session that scores best without this: 0 for that turn, 1 from fifteen turns on"},
}

// String returns the feature's display name.
func (f Feature) String() string { return table[f].name }

// Why explains the feature.
func (f Feature) Why() string { return table[f].why }

// Standard holds the weights of table.
var Standard = func() (w Weights) {
	for f := range table {
		w[f] = table[f].weight
	}
	return w
}()
