// Package prompts words what a language model is asked: one typed function and one template per prompt, and the
// compiler that fits talk, state and memory into a budget of tokens.
//
// A prompt's System holds the operator's words and the program's rules alone. Whatever people said, however they
// call themselves and whatever was remembered travels in the messages, between fences that occur in none of it, one
// line to an entry: nothing somebody writes can end the quotation, start another speaker's entry or change a rule.
package prompts

// Prompt is one request to a model.
type Prompt struct {
	// Name says which prompt it is: "reply", "extract", "summary", "reflect" or "dream".
	Name string
	// System is the operator's card and the program's rules; no other person's words are in it.
	System string
	// Messages alternate, beginning and ending with User.
	Messages []Message
	// MaxTokens is the longest answer asked for, in tokens, always above 0.
	MaxTokens int
	// JSON asks for an answer that is one JSON object.
	JSON bool
	// Fence is the word of the marks around quoted data, absent from all of it.
	Fence string
	// Slices show how the budget was spent, in the order it was.
	Slices []Slice
}

// Role is who speaks a message of a prompt.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one message of a prompt.
type Message struct {
	Role Role
	Text string
}

// Slice is one share of a prompt's budget. Figures are tokens as internal/tokens estimates them.
type Slice struct {
	Name string
	// Budget is the share with what the shares before it left unused.
	Budget int
	// Tokens is what was spent. Only what may never be cut (rules, boundaries, the entry of who is spoken with) can
	// make it exceed Budget.
	Tokens int
	// LeftOut counts entries that did not fit. The prompt says so where they would have stood.
	LeftOut int
}

// Tokens is what the whole prompt takes, by its slices.
func (p Prompt) Tokens() int {
	var sum int
	for _, s := range p.Slices {
		sum += s.Tokens
	}
	return sum
}

// Answer is what a model said to a prompt.
type Answer struct {
	Text string
	// TokensIn and TokensOut are what the provider counted, or an estimate where Estimated.
	TokensIn, TokensOut int
	Estimated           bool
	// Stop is why the model ended.
	Stop Stop
}

// Stop is why a model ended its answer.
type Stop string

// The reasons to end.
const (
	StopEnd      Stop = "end"      // the answer is complete
	StopLength   Stop = "length"   // it reached MaxTokens
	StopFiltered Stop = "filtered" // the provider withheld the rest
)
