package channels

import (
	"context"
	"errors"
	"net/http"
)

// ErrUnauthorized reports a token that is not valid.
var ErrUnauthorized = errors.New("the token is not valid")

// Caller is what a program may do that asked with a valid token.
type Caller struct {
	// Program is its name, Persona the key of the only persona it may talk to.
	Program, Persona string
	// Account is the id of the account as which it always speaks, and Name the name of its owner. If Account is empty each
	// request names one, and Prefix stands before it, so that a program cannot speak as somebody of another one.
	Account, Name, Prefix string
	// Group is the id of the group in which it always speaks, empty for the direct rooms of accounts. AnyGroup lets it name
	// one.
	Group    string
	AnyGroup bool
	// ReadOnly reports that it may not speak. Refusal says why it may not use this channel, empty if it may.
	ReadOnly bool
	Refusal  string
}

// TalkLine is one message of a talk that a program sends whole.
type TalkLine struct {
	// Own reports that the model said it.
	Own  bool
	Text string
}

// Callers connects a channel that programs talk to over HTTP with what knows their rights. All functions are required,
// except Answer.
type Callers struct {
	// Authenticate returns the caller with that token for a channel, or ErrUnauthorized.
	Authenticate func(ctx context.Context, channel, token string) (Caller, error)
	// PersonaName returns the name of a persona that is served, "" if there is none with that key.
	PersonaName func(key string) string
	// Tokens estimates how many model tokens a text has.
	Tokens func(text string) int
	// Answer asks the persona's model without the persona: nothing is remembered. maxTokens 0 is the model's default. It
	// is nil without a model.
	Answer func(ctx context.Context, persona, system string, talk []TalkLine, maxTokens int) (string, error)
}

// Endpoint is a Channel that programs talk to over HTTP, on a listener that is not its own.
type Endpoint interface {
	Channel
	// Handler returns what answers requests below Prefix, whose bodies have at most MaxBody bytes. It may be called before
	// Run.
	Handler(c Callers) Mount
}

// Mount says where a handler answers.
type Mount struct {
	// Prefix is a pattern of http.ServeMux that ends with a slash.
	Prefix  string
	MaxBody int64
	http.Handler
}
