package channels

import (
	"context"
	"strings"
)

// Question is the last chunk of a reply that asks for a yes or a no.
type Question struct {
	Outgoing
	// ID identifies the question, in at most 56 letters, digits and hyphens. It is no secret: a press counts only if the store
	// knows the question, and that its author was asked.
	ID string
	// Yes and No are what the buttons say.
	Yes, No string
}

// Asker is a Channel that can put a question with two buttons. Whoever presses one is received as a Message with a Press.
// Elsewhere the person answers the same text with a word.
type Asker interface {
	// Ask sends the chunk with its buttons. Its key and its errors mean what those of Send do; a Permanent one says that the
	// room takes no buttons, and may take the text.
	Ask(ctx context.Context, q Question) (Receipt, error)
	// EndQuestion removes the buttons from the message with the network id of. A message that is gone, or has none, is no error.
	EndQuestion(ctx context.Context, room Room, of string) error
}

// Press is a pressed button: an answer to a question of the persona's. The zero value is none.
type Press struct {
	Question string
	Yes      bool
}

// The ends of what a button carries.
const (
	pressedYes, pressedNo = "/y", "/n"
	// maxPress is how long what a button carries may be, in bytes: Telegram's limit, the smallest.
	maxPress = 64
)

// Data returns what the button carries that is pressed.
func (p Press) Data() string {
	if p.Yes {
		return p.Question + pressedYes
	}
	return p.Question + pressedNo
}

// ParsePress reads what a pressed button carries, false if it is no button of a Question.
func ParsePress(data string) (p Press, ok bool) {
	if len(data) > maxPress {
		return p, false
	}
	if p.Question, p.Yes = strings.CutSuffix(data, pressedYes); !p.Yes {
		if p.Question, ok = strings.CutSuffix(data, pressedNo); !ok {
			return Press{}, false
		}
	}
	for _, r := range p.Question {
		if r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') {
			return Press{}, false
		}
	}
	return p, p.Question != ""
}

// NotTaken is the error of an Accept that does not take a press: the question is not for whoever pressed, or is not open any
// more. It is not delivered again.
type NotTaken struct {
	// Notice says why, for the person who pressed alone.
	Notice string
}

// Error says that a press does not count.
func (*NotTaken) Error() string { return "the pressed button does not count" }
