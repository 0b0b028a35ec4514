package recall

import (
	"time"

	"familiar/memory/model"
)

// Query is one act of recall.
type Query struct {
	Text string
	// Asker is who asks, 0 when nobody in particular: "I" and "my" in the text mean them.
	Asker int64
	// Now is when it is asked, in the asker's timezone.
	Now time.Time
	// Limit is how many memories to return, 20 when 0.
	Limit int
	// Budget is how many tokens the packed context may take, 0 for no packing.
	Budget int
	// Recent are messages already in front of the voice: they are neither recalled nor packed again.
	Recent []int64
	// Talk is what was said in them, as far as it is given: what it takes back is marked where it is recalled.
	Talk []model.Message
	// Near is what the text means, nil where no embedder is asked: recall then goes by words alone.
	Near *QueryEmbedding
	// Weights multiply a sector's score, 1 where missing.
	Weights map[model.Sector]float64
	// Tag narrows it to the memories that have the tag, "" for all.
	Tag string
	// WithoutFacts says that no question is followed over facts.
	WithoutFacts bool
	// Explain fills Hit.Reasons.
	Explain bool
}

// Near is a text as a vector.
type QueryEmbedding struct {
	// Model is the model it was made with: only vectors of the same one are compared with it.
	Model  string
	Vector []float32
}

// Result is what a query brought back.
type Result struct {
	// Hits are the ranked memories, best first, however weak: Nothing says whether any of them is about the query, Weak
	// which are not.
	Hits []Hit
	// Items are the packed context in the order to be shown; nil when no budget was given.
	Items []Item
	// Tokens is what Items take.
	Tokens int
	// Nothing says that nothing relevant is known: Items then hold only what surfaces whatever is asked.
	Nothing bool
}

// Hit is one ranked memory.
type Hit struct {
	Memory model.Memory
	Score  float64
	// Weak says that it came up for what was said around it, or for little, rather than for being about the query itself.
	Weak bool
	// Reasons are the parts of the score, largest first, only when asked for.
	Reasons []Reason
}

// Reason is one part of a score.
type Reason struct {
	Feature string
	// Meaning says what the feature stands for.
	Meaning string
	Value   float64 // the feature, about 0–1
	Weight  float64
}

// Item is one packed entry: a memory with the turns around it.
type Item struct {
	MemoryID int64
	BeliefID int64
	Score    float64
	// Why says in words what brought it up: "matches", "pinned", "standing instruction", "linked by rex".
	Why string
	// Lines are what was said, in order, each with who and when; Hit marks the recalled one.
	Lines []model.SnippetLine
	// Room is where it was said, empty for the operator's lore.
	Room   string
	Tokens int
	// Used says that the answer was made from it: set in a recorded turn, not by recall.
	Used bool
}
