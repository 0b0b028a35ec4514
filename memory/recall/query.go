package recall

import (
	"time"

	"familiar/memory/lexical"
	"familiar/memory/model"
)

// Query is one recall query.
type Query struct {
	Text string
	// Asker is the person who asks, 0 when nobody in particular. "I" and "my" in the text mean them.
	Asker int64
	// Now is when the question is asked, in the asker's timezone.
	Now time.Time
	// Limit is how many memories to return, 20 when 0.
	Limit int
	// Budget is the size of the packed context in tokens, 0 for no packing.
	Budget int
	// Recent are the ids of messages already in the prompt. They are neither recalled nor packed again.
	Recent []int64
	// Talk is the text of those messages, as far as the caller has it. What they take back is marked in recalled lines.
	Talk []model.Message
	// Near is the query embedding, nil without an embedder: recall then uses words alone.
	Near *QueryEmbedding
	// Weights multiply the scores of sectors, 1 where missing.
	Weights map[model.Sector]float64
	// Own also recalls what the persona itself said in the room or to the person. It is never evidence about people.
	Own bool
	// Selection narrows the query.
	Selection
	// WithoutFacts turns off multi-hop answers over facts about the world.
	WithoutFacts bool
	// Explain fills Hit.Reasons.
	Explain bool
}

// EmbeddedQuestion returns what to embed of a question that the person called asker asks, "" for nobody in particular. A
// question about the asker names them, as the vectors of memories name who said them.
func EmbeddedQuestion(asker, question string) string {
	if asker == "" || !lexical.InFirstPerson(question) {
		return question
	}
	return asker + ": " + question
}

// QueryEmbedding is the vector of a text.
type QueryEmbedding struct {
	// Model is the model that made it. It is compared only with vectors of the same model.
	Model  string
	Vector []float32
}

// Result is the result of a query.
type Result struct {
	// Hits are the ranked memories, best first, including weak ones. Nothing reports whether none of them is about the
	// query; Weak marks those that are not.
	Hits []Hit
	// Items are the packed context in the order to show them, nil without a budget.
	Items []Item
	// Tokens is the size of Items.
	Tokens int
	// Nothing reports that nothing relevant is known. Items then hold only what surfaces for every query.
	Nothing bool
	// Style is how long the lines of the searched talk are: 0 in a messenger, 1 for an assistant's long answers. The weights
	// depend on it.
	Style float64
	// Bearing is the probability that the best hits bear on the query, 0–1. Nothing is a low Bearing.
	Bearing float64
	// Signals are what Bearing follows from, together with Style.
	Signals [Signals]float64
}

// Hit is one ranked memory.
type Hit struct {
	// Memory is the memory found. If Own is set, it is a message of the persona: it has no ID, AuthorID or kind, and the
	// message is its only source.
	Memory model.Memory
	// Own reports that the persona said it.
	Own   bool
	Score float64
	// Weak reports that it was found for the talk around it, or for a slight match, and not because it is about the
	// query.
	Weak bool
	// Reasons are the parts of the score, largest first, when the query asked for them.
	Reasons []Reason
}

// Reason is one part of a score.
type Reason struct {
	Feature string
	// Meaning describes the feature in words.
	Meaning string
	Value   float64 // the feature, roughly 0–1
	Weight  float64
}

// Item is one entry of the packed context: a memory with the turns around it.
type Item struct {
	MemoryID int64
	BeliefID int64
	Score    float64
	// Why says in words why it was packed: "matches", "pinned", "standing instruction", "linked by rex".
	Why string
	// Lines are what was said, in order, each with speaker and time. Hit marks the recalled one.
	Lines []model.SnippetLine
	// Room is the title of the room it was said in, empty for the operator's lore.
	Room string
	// Summary reports that it is the summary of a talk.
	Summary bool
	// Own reports that the recalled line is the persona's. The item then has no MemoryID.
	Own    bool
	Tokens int
	// Used reports that the answer was made from it. It is set in a recorded turn, not by recall.
	Used bool
}
