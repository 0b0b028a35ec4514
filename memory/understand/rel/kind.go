// Package rel defines the relations that people's claims use and how each is stated, asked for and described.
package rel

// Kind is the kind of a claim.
type Kind string

// The kinds of claims.
const (
	// Fact has subject, relation and value: "my dog is called Rex".
	Fact Kind = "fact"
	// Taste is a like or dislike. The relation is "likes" or "dislikes", the value is its object.
	Taste Kind = "taste"
	// Plan is a future event with a date. The relation is "plan", the value is the event, the span is its time.
	Plan Kind = "plan"
	// Promise is a commitment by the speaker. The relation is "promise".
	Promise Kind = "promise"
	// Instruction is a standing wish for the persona. The relation is "call_me", with the form of address as value,
	// or "instruction".
	Instruction Kind = "instruction"
	// Feeling is how the speaker feels. The relation is "feels", the value is the word for the feeling.
	Feeling Kind = "feeling"
)
