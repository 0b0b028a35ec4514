// Package rel knows the relations that are claimed of people: how each is stated, asked for and said.
package rel

// Kind is what sort of thing a claim is.
type Kind string

// The kinds of claims.
const (
	// Fact is subject, relation, value: "my dog is called Rex".
	Fact Kind = "fact"
	// Taste is a like or dislike: relation "likes" or "dislikes", value what of.
	Taste Kind = "taste"
	// Plan is something ahead with a date: relation "plan", value what, Span when.
	Plan Kind = "plan"
	// Promise is something the speaker undertakes: relation "promise".
	Promise Kind = "promise"
	// Instruction is a standing wish to the persona: relation "call_me" (value the form of address) or "instruction".
	Instruction Kind = "instruction"
	// Feeling is how the speaker feels: relation "feels", value the feeling's word.
	Feeling Kind = "feeling"
)
