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
	Distance
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
	Turn:     {"words", 0.75, "bm25 of the turn"},
	Before1:  {"words before", 0.1, "bm25 of the previous turn: a turn often answers the one before"},
	Before2:  {"words two before", 0.3, "bm25 of the turn two before, often by the same speaker"},
	After1:   {"words after", 0.3, "bm25 of the next turn, which often repeats words"},
	After2:   {"words two after", 0.05, "bm25 of the turn two after"},
	Answers:  {"answers", 0.6, "bm25 of the previous turn if that is a question, which this turn answers"},
	Session:  {"session", 0.6, "bm25 of the whole session, divided by that of the best session"},
	Speaker:  {"speaker", 0.7, "the query names the speaker, or the speaker asks about themselves"},
	Coverage: {"coverage", 0.55, "share of the query's terms in the turn, weighted by rarity"},
	Window:   {"coverage around", 0.45, "the same share in the turn and two turns on either side"},
	When:     {"contains a time", 0.4, "the query asks for a time and the turn contains a time word"},
	Dated:    {"at that time", 0.85, "the query names a time, and the turn is from that time or mentions it"},
	Number:   {"contains a number", 0.4, "the query asks for a number and the turn contains one"},
	Naming:   {"contains names", 0.25, "the query asks who, which or where, and the turn contains names: 0.5 for one, 1 for more"},
	Early:    {"early in the session", 0.1, "people tell news first: 1 for the first turn of a session, 0 from the eleventh on"},
	Length:   {"length", 0.15, "longer turns say more: logarithm of the number of terms, 1 for 150 terms"},
	Meaning:  {"meaning", 1.0, "similar in meaning to the query, as far as the vectors are reliable"},
	Question: {"is a question", -0.15, "the turn ends in a question"},
	Distance: {"distance", -0.5, "distance from the best turn of its session: 0 for that turn, 1 from fifteen turns on"},
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
