// Package answer turns what a model returned into text that may be said, or into JSON that can be read, or into an error
// that says why it cannot be used. An answer that is still arriving goes through the same code: what a Reader shows is
// only ever added to.
//
// A text passes through stages, in this order:
//
//	wire     reasoning, channels, chat marks and the prompt's fence
//	calls    tools that the model uses in words
//	lines    names in front, entries imitated from the prompt, lines spoken for others
//	data     JSON in place of an answer, and calls that the model makes up
//	asides   stage directions about rules
//	unquote  an answer that stands in quotes as a whole
//	recital  the prompt's rules, read out
//	gate     refusals, boilerplate and reasoning without marks, sentence by sentence
//	limit    the longest answer, space at the end, open code blocks
package answer

import (
	"errors"
	"strings"
	"unicode"
)

// The reasons why an answer cannot be used. Their texts are fit for the operator and for the model.
var (
	ErrEmpty     = errors.New("the model's answer holds nothing to say")
	ErrRefused   = errors.New("the model's answer is an assistant's refusal or talk about being a model")
	ErrRecited   = errors.New("the model's answer reads out its instructions")
	ErrReasoning = errors.New("the model's answer is reasoning about the answer")
	ErrFiltered  = errors.New("the provider withheld the answer")
	ErrCut       = errors.New("the model's answer broke off")
	// ErrInvalidJSON is the error of JSON.
	ErrInvalidJSON = errors.New("the model's answer is not the requested JSON")
)

// IsUnusable reports whether err says that an answer came and cannot be used, so that another may be better.
func IsUnusable(err error) bool {
	for _, unfit := range []error{ErrEmpty, ErrRefused, ErrRecited, ErrReasoning, ErrFiltered, ErrCut, ErrInvalidJSON} {
		if errors.Is(err, unfit) {
			return true
		}
	}
	return false
}

// Options is what is known about the prompt of an answer.
type Options struct {
	// Fence is the word in the prompt's marks around quoted data, empty for none.
	Fence string
	// Name is the persona's name, Others are the names of those who speak in the prompt.
	Name   string
	Others []string
	// Rules are the instructions that nobody may be told.
	Rules string
	// Machine reports that the persona is a machine by its card and may speak of it.
	Machine bool
	// MaxTokens is the longest answer that was requested; one that is half as long again is cut. 0 means no limit.
	MaxTokens int
	// Unannounced reports that the model reasons without a mark at the start: nothing is shown before the mark at the end.
	Unannounced bool
	// Tools are the names of the tools that the model was offered: what it writes to use them is never said.
	Tools []string
}

// stage receives a text piece by piece and passes on what may be said.
type stage interface {
	write(text string)
	// close passes on what was held back: the text is complete.
	close()
	// reset forgets everything: what came so far was no part of the answer.
	reset()
}

// Reader reads one answer. Its result does not depend on how the answer is divided.
type Reader struct {
	options Options
	first   *wire
	calls   *calls
	gate    *gate
	recital *recital
	last    *limit
	// shown is what was shown last, and stays when more may not be shown.
	shown     string
	withdrawn bool
	// sure is how much of the text came before what may be reasoning.
	sure   int
	closed bool
}

// NewReader returns a reader for one answer.
func NewReader(o Options) *Reader {
	r := &Reader{options: o, last: newLimit(o.MaxTokens)}
	r.gate = &gate{next: r.last, machine: o.Machine, others: plainNames(o.Others)}
	r.gate.onWary = func() { r.sure = len(r.last.text()) }
	r.recital = newRecital(o.Rules, r.gate)
	r.calls = newCalls(o.Tools, newLines(o.Name, o.Others, &data{next: &asides{next: &unquote{next: r.recital}}}))
	r.first = newWire(o.Fence, r.calls)
	r.first.onReset = func() { r.withdrawn = r.withdrawn || r.shown != "" }
	return r
}

// Write takes the next piece of the answer.
func (r *Reader) Write(piece string) {
	if piece != "" && !r.closed {
		r.first.write(piece)
	}
}

// Shown returns the text so far that may be shown. It is the beginning of every later text, unless Withdrawn.
func (r *Reader) Shown() string {
	if !r.Hidden() && !r.withdrawn {
		r.shown = r.last.text()
	}
	return r.shown
}

// Endless reports that the answer was so long without the end of a sentence that it was cut after a word.
func (r *Reader) Endless() bool { return r.last.endless }

// Hidden reports that the text so far may be reasoning, so that no more of it is shown.
func (r *Reader) Hidden() bool {
	return r.options.Unannounced && !r.first.announced || r.gate.wary
}

// Withdrawn reports that text was shown that turned out to be reasoning: a mark that ends reasoning followed it, and none
// had begun it.
func (r *Reader) Withdrawn() bool { return r.withdrawn }

// Calls returns the tools that the model used in words, in order.
func (r *Reader) Calls() []Call { return r.calls.found }

// Unannounced reports that the answer had a mark that ends reasoning without one that begins it.
func (r *Reader) Unannounced() bool { return r.first.announced }

// Close ends the answer. It returns the text that may be said, and ErrEmpty, ErrRefused, ErrRecited or ErrReasoning if the
// answer cannot be used; the text is then what stands before the fault.
func (r *Reader) Close() (string, error) {
	if !r.closed {
		r.closed = true
		r.first.close()
	}
	text := r.last.text()
	switch {
	case r.recital.failed:
		return text, ErrRecited
	case errors.Is(r.gate.fault, ErrReasoning):
		return strings.TrimSpace(text[:min(r.sure, len(text))]), ErrReasoning
	case r.gate.fault != nil:
		return text, r.gate.fault
	case !HasContent(text):
		return text, ErrEmpty
	}
	return text, nil
}

// Clean returns what may be said of a complete answer, as Reader.Close does.
func Clean(text string, o Options) (string, error) {
	r := NewReader(o)
	r.Write(text)
	return r.Close()
}

// HasContent reports whether a text contains a letter, a number or a symbol such as an emoji.
func HasContent(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return r != unicode.ReplacementChar && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r))
	})
}
