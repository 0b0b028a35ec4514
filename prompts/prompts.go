// Package prompts builds the prompts for language models: one typed function and one template per prompt, and the
// compiler that fits messages, state and memories into a token budget.
//
// A prompt's System contains only the operator's words and the program's rules. All texts by people, their names and
// recalled memories are in the messages, between fence marks that occur in none of them, one line per entry. So nothing
// a person writes can end the quotation, start an entry for another speaker or change a rule.
package prompts

import (
	"encoding/json"
	"time"
)

// Prompt is one request to a model.
type Prompt struct {
	// Name identifies the prompt: "reply", "extract", "summary", "danger" and so on.
	Name string
	// System holds the operator's card and the program's rules; it contains no other person's words.
	System string
	// Messages alternate in role. The first and the last are from User.
	Messages []Message
	// MaxTokens is the longest requested answer in tokens, always above 0.
	MaxTokens int
	// JSON requests an answer that is one JSON object. Schema is its JSON schema where the prompt has one: every property is
	// required and no other is allowed.
	JSON   bool
	Schema json.RawMessage
	// Room is where somebody waits for the answer, 0 if nobody does: jobs wait for talk.
	Room int64
	// Work reports that the answer is read by a program or filed: it is asked for at temperature 0.
	Work bool
	// Stop are texts that end the answer when the model writes them, at most maxStops.
	Stop []string
	// Speakers are the people who speak in the prompt, as it names them, and by their first names. Rules is the part of
	// System that nobody may be told. With both it is checked whether an answer may be said.
	Speakers []string
	Rules    string
	// Fence is the word in the marks around quoted data; it occurs in none of it.
	Fence string
	// Notes are the entries that say what is known, in order: of the person, then what bears on the messages to answer.
	Notes []Note
	// Slices show how the budget was spent, in order.
	Slices []Slice
	// Tools are what the model may use while it answers; with NoCalls it may not any more, and only sees them. Rounds are
	// what it used them for so far.
	Tools   []Tool
	NoCalls bool
	Rounds  []Round
	// Images are the pictures of the messages to answer, for models that see.
	Images []Image
}

// Note is one entry that says what is known, on one line. Why says in words why it is in the prompt; no model sees it.
type Note struct {
	Text string `json:"text"`
	Why  string `json:"why,omitempty"`
	// place is where the prompt has it, told when it was told, zero for what is no fact.
	place place
	told  time.Time
}

// Role is the speaker of a prompt's message.
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

// Slice is one share of a prompt's budget. Its figures are tokens as estimated by internal/tokens.
type Slice struct {
	Name string
	// Budget is the share, plus what the shares before it left unused.
	Budget int
	// Tokens is what was spent. It exceeds Budget only because of text that may not be cut (rules, boundaries, the
	// entry about the person).
	Tokens int
	// LeftOut counts the entries that did not fit. The prompt mentions them at their place.
	LeftOut int
}

// Tokens returns the size of the whole prompt, the sum of its slices.
func (p Prompt) Tokens() int {
	var sum int
	for _, s := range p.Slices {
		sum += s.Tokens
	}
	return sum
}

// Answer is a model's answer to a prompt.
type Answer struct {
	Text string
	// TokensIn and TokensOut are the provider's counts, or an estimate if Estimated. They count against caps and are 0 if
	// the provider failed.
	TokensIn, TokensOut int
	Estimated           bool
	// CacheRead and CacheWritten are the parts of TokensIn that the provider read from its cache and wrote to it, where it
	// says so.
	CacheRead, CacheWritten int
	// Requests is how many requests were made, FailedIn and FailedOut what the provider counted for those that failed, which
	// is in nobody's cap.
	Requests            int
	FailedIn, FailedOut int
	// Stop is why the model stopped.
	Stop Stop
	// Asked are the tools that the model wants to use before it answers, nil for none. Its Results are missing.
	Asked *Round
	// Blind reports that the prompt had pictures and the model does not see.
	Blind bool
}

// After returns a with what an earlier answer to the same question cost.
func (a Answer) After(earlier Answer) Answer {
	a.TokensIn += earlier.TokensIn
	a.TokensOut += earlier.TokensOut
	a.Estimated = a.Estimated || earlier.Estimated
	a.CacheRead += earlier.CacheRead
	a.CacheWritten += earlier.CacheWritten
	a.Blind = a.Blind || earlier.Blind
	a.Requests += earlier.Requests
	a.FailedIn += earlier.FailedIn
	a.FailedOut += earlier.FailedOut
	return a
}

// Stop is why a model stopped.
type Stop string

// The reasons to stop.
const (
	StopEnd      Stop = "end"      // the answer is complete
	StopLength   Stop = "length"   // it reached MaxTokens
	StopFiltered Stop = "filtered" // the provider withheld the rest
)
