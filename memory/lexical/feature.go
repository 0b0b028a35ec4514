package lexical

// Feature is one ranking signal of a document, roughly 0 to 1.
type Feature int

// The features. BM25 scores are divided by the score of a perfect match.
const (
	Turn Feature = iota
	Relative
	Before1
	Before2
	After1
	Answers
	Session
	BestSession
	Speaker
	SpeakerPassage
	Persona
	Addressed
	You
	Coverage
	Window
	Concept
	ConceptAlone
	ConceptCount
	When
	Dated
	Number
	Naming
	Told
	First
	Early
	LengthOfSpeaker
	Question
	List
	Meaning
	MeaningBefore
	MeaningAfter
	Distance
	Features int = iota
)

// Weights holds a weight per feature, by which its value is multiplied in a document's score.
type Weights [Features]float32

// table is the only place that names, weights and explains the features.
var table = [Features]struct {
	name   string
	weight float32
	// styled is added to the weight in a talk of long lines, in proportion to its style.
	styled float32
	why    string
}{
	Turn:            {"words", 0.22, -0.36, "bm25 of the best passage of the turn, which is all of a short one"},
	Relative:        {"best words", 0.43, 0.54, "the same divided by that of the best turn"},
	Before1:         {"words before", 0.21, -0.04, "bm25 of the previous turn: a turn often answers the one before"},
	Before2:         {"words two before", 0.34, -0.28, "bm25 of the turn two before, often by the same speaker"},
	After1:          {"words after", 0.24, 0.33, "bm25 of the next turn, which often repeats words"},
	Answers:         {"answers", 0.64, -0.18, "bm25 of the previous turn if that is a question, which this turn answers"},
	Session:         {"session", 0.32, -0.07, "bm25 of the whole session, divided by that of the best session"},
	BestSession:     {"best session", 0.18, -0.19, "the third power of the same: near 1 for the best sessions only"},
	Speaker:         {"speaker", 0.5, -0.27, "the query names the speaker, or the speaker asks about themselves"},
	SpeakerPassage:  {"words of the speaker", 0.29, 0.38, "the product of the two: bm25 of the turn if the query names its speaker"},
	Persona:         {"persona", -0.07, 0.13, "the persona speaks, and the query is about somebody else"},
	Addressed:       {"persona asked", 0.23, -0.17, "the persona speaks, and the query asks what it said"},
	You:             {"about the persona", 0.53, -0.01, "the persona speaks, and the query is about it"},
	Coverage:        {"coverage", -0.02, -0.19, "share of the query's terms in the turn, weighted by rarity"},
	Window:          {"coverage around", 0.63, -0.36, "the same share in the turn and two turns on either side"},
	Concept:         {"concepts", 0.12, 0.01, "share of the query's concepts in the turn, weighted by rarity"},
	ConceptAlone:    {"concepts in other words", 0.27, -0.24, "the same share, of concepts that the turn expresses in other words"},
	ConceptCount:    {"several concepts", 0.28, -0.41, "how many concepts the turn expresses in other words, as far as its words do not match"},
	When:            {"contains a time", 0.34, -0.08, "the query asks for a time and the turn contains a time word"},
	Dated:           {"at that time", 0.79, -0.02, "the query names a time, and the turn is from that time or mentions it"},
	Number:          {"contains a number", 0.33, -0.29, "the query asks for a number and the turn contains one"},
	Naming:          {"contains names", 0.36, 0.05, "the query asks who, which or where, and the turn contains names: 0.5 for one, 1 for more"},
	Told:            {"tells what is asked", 0.5, -0.5, "how likely the query asks for a kind of fact that the turn tells, if it names nobody but the speaker"},
	First:           {"first of the session", 0.15, 0.2, "the first turn of a session"},
	Early:           {"early", 0.05, 0.6, "people introduce themselves and their plans early: 1 for the first session, 0 for the last"},
	LengthOfSpeaker: {"length for the speaker", 0.14, -1.06, "logarithm of the number of terms, 1 for four times the speaker's mean"},
	Question:        {"is a question", -0.16, 0.17, "the turn ends in a question"},
	List:            {"list", -0.19, -0.11, "the turn contains a list"},
	Meaning:         {"meaning", 0.5, 0.2, "similar in meaning to the query, as far as the vectors are reliable; what the persona says counts as what it answers"},
	MeaningBefore:   {"meaning before", 0.4, 0.4, "how similar in meaning the previous turn is"},
	MeaningAfter:    {"meaning after", 0.5, 0, "how similar in meaning the next turn is"},
	Distance:        {"distance", -0.35, 0.12, "distance from the best turn of its session: 0 for that turn, 1 from fifteen turns on"},
}

// String returns the feature's display name.
func (f Feature) String() string { return table[f].name }

// Why explains the feature.
func (f Feature) Why() string { return table[f].why }

// Standard returns the weights of table for a talk of a style; see Ranking.Style.
func Standard(style float32) (w Weights) {
	for f := range table {
		w[f] = table[f].weight + style*table[f].styled
	}
	return w
}
