package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/modelvoice"
	"familiar/persona/proof"
	"familiar/prompts"
	"familiar/prompts/answer"
)

// RefineInput is a session, or a part of one, for a model to read.
type RefineInput struct {
	// Name is the persona's name.
	Name string
	// Audience is the audience of the session.
	Audience model.Audience
	// Zone is the timezone in which dates are read, UTC if nil.
	Zone *time.Location
	// Budget is the size of a prompt in tokens; 0 is the default.
	Budget int
	// Messages are the messages to read, Context the ones before, which were read.
	Messages, Context []model.Message
	// Known is what is believed of the people in it, the best matching first.
	Known []model.Belief
	// Promised are the persona's open promises to them.
	Promised []model.Loop
	// Room is the title of the room, "" for none.
	Room string
}

// What became of an item that a model read, besides the states of package prompts.
const (
	// ItemUnconfirmed is an item that neither the rules nor the second reading agree with. It is kept beside what is
	// believed, or not at all if it only ends something.
	ItemUnconfirmed = "unconfirmed"
	// ItemRejected is an item that the record does not prove.
	ItemRejected = "rejected"
)

// Item is one thing that a model read in a session.
type Item struct {
	// State is new, same, changes, ends, unconfirmed or rejected.
	State string `json:"state"`
	// Reason is why it is unconfirmed or rejected.
	Reason   string `json:"reason,omitempty"`
	Message  int64  `json:"message,omitempty"`
	Subject  string `json:"subject,omitempty"`
	Relation string `json:"relation"`
	Value    string `json:"value"`
	Sentence string `json:"sentence,omitempty"`
	Quote    string `json:"quote"`
	// Claims are what it amounts to, none if it is rejected.
	Claims []belief.AttributedClaim `json:"-"`
	// Promise is what the persona promised, nil for none. Settles is the earlier promise that is no longer open, 0 for none.
	Promise *belief.LeftOpen `json:"-"`
	Settles int64            `json:"-"`
	// number is that of its message in the prompts. doubt is why it needs the second reading, "" if it does not. denies is
	// what it says to be no longer so, "" for nothing.
	number        int
	doubt, denies string
}

// Read lets a model read messages and returns what it found, item by item. An item holds only if its quote is in one
// message of its author, apart from white space, and if the names and numbers of its sentence are in that message too, or
// its value stands there word for word. The persona's own messages are never a source, except of what it promised.
//
// What the rules did not read too is put to the model once more, alone: do these lines say it? Without its agreement the item
// is unconfirmed.
//
// A long session takes several prompts, and more if an answer reaches its limit. If any prompt fails or its answer is
// invalid twice (prompts.ErrInvalidExtraction), nothing is learned.
func Read(ctx context.Context, m modelvoice.Model, in RefineInput) (items []Item, err error) {
	if in.Zone == nil {
		in.Zone = time.UTC
	}
	r := newRefining(in)
	for _, window := range r.extract().Windows() {
		filed, err := file(ctx, m, window, maxPartings)
		if err != nil {
			return nil, fmt.Errorf("refine a session of %d messages: %w", len(in.Messages), err)
		}
		var found []Item
		for _, f := range filed {
			found = append(found, r.prove(f)...)
		}
		if err := r.confirm(ctx, m, found); err != nil {
			return nil, fmt.Errorf("confirm what was read in a session of %d messages: %w", len(in.Messages), err)
		}
		items = append(items, found...)
	}
	return items, nil
}

// Refine is Read for those who want only the claims. rejected counts what the record does not prove.
func Refine(ctx context.Context, m modelvoice.Model, in RefineInput) (claims []belief.AttributedClaim, rejected int, err error) {
	items, err := Read(ctx, m, in)
	for _, item := range items {
		claims = append(claims, item.Claims...)
		if item.State == ItemRejected {
			rejected++
		}
	}
	return claims, rejected, err
}

// maxPartings is how often a part of the session is halved because its claims do not fit an answer. After three times
// an eighth of a prompt is left, some hundred tokens; a model that still reaches the limit is not extracting claims.
const maxPartings = 3

// file lets the model extract the claims of a part of the session, and repair an answer that cannot be read once. If the
// answer was cut off by its limit, each half is extracted on its own.
func file(ctx context.Context, m modelvoice.Model, talk prompts.ExtractInput, partings int) (filed []prompts.Extracted, err error) {
	half := len(talk.Messages) / 2
	heard := &stopping{Model: m}
	cut := false
	_, err = modelvoice.Ask(ctx, heard, prompts.Extract(talk), func(text string) (err error) {
		if cut = heard.stop == prompts.StopLength; cut {
			return nil // no repair makes it shorter
		}
		filed, err = prompts.ParseExtract(text)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case !cut:
		return filed, nil
	case half == 0 || partings == 0:
		return nil, prompts.ErrInvalidExtraction
	}
	first, second := talk, talk
	first.Messages, second.Messages = talk.Messages[:half], talk.Messages[half:]
	if filed, err = file(ctx, m, first, partings-1); err != nil {
		return nil, err
	}
	more, err := file(ctx, m, second, partings-1)
	return append(filed, more...), err
}

// stopping is a model that remembers why it stopped last.
type stopping struct {
	modelvoice.Model
	stop prompts.Stop
}

// Generate implements modelvoice.Model.
func (s *stopping) Generate(ctx context.Context, p prompts.Prompt, show func(string)) (prompts.Answer, error) {
	answer, err := s.Model.Generate(ctx, p, show)
	s.stop = answer.Stop
	return answer, err
}

// confirm puts the doubtful items of a prompt to the model once more. Those that the lines do not say, or about which its
// answer is of no use, become unconfirmed.
func (r *refinery) confirm(ctx context.Context, m modelvoice.Model, items []Item) error {
	var doubtful []*Item
	for i := range items {
		if items[i].doubt != "" {
			doubtful = append(doubtful, &items[i])
		}
	}
	for some := range slices.Chunk(doubtful, prompts.MaxStatements) {
		said, err := r.secondReading(ctx, m, some)
		if err != nil {
			return err
		}
		for i, item := range some {
			if said[i] {
				item.confirmed()
			}
		}
	}
	for i := range items {
		items[i].settle()
	}
	return nil
}

// confirmed clears an item's doubt: what it says is as good as what the rules read.
func (item *Item) confirmed() {
	item.doubt = ""
	for i := range item.Claims {
		item.Claims[i].ByModel = false
	}
}

// settle marks the claims of an item, and the item if it stayed in doubt.
func (item *Item) settle() {
	if item.doubt == "" {
		return
	}
	item.Reason = item.doubt
	ends := item.State == prompts.StateEnds
	item.State = ItemUnconfirmed
	item.Claims = slices.DeleteFunc(item.Claims, func(c belief.AttributedClaim) bool { return c.Negates || ends })
}

// secondReading asks the model which of the items their lines say. Each line is shown with the one before it.
func (r *refinery) secondReading(ctx context.Context, m modelvoice.Model, items []*Item) ([]bool, error) {
	in := prompts.CheckInput{Name: r.Name, Budget: r.Budget}
	shown := map[int]bool{}
	for _, item := range items {
		shown[item.number], shown[item.number-1] = true, true
		in.Statements = append(in.Statements, item.statement())
	}
	for _, n := range r.extract().Messages {
		if shown[n.Number] {
			in.Lines = append(in.Lines, n)
		}
	}
	said := make([]bool, len(items))
	_, err := modelvoice.Ask(ctx, m, prompts.Check(in), func(text string) (err error) {
		said, err = prompts.ParseCheck(text, len(items))
		return err
	})
	if errors.Is(err, prompts.ErrInvalidAnswer) {
		return make([]bool, len(items)), nil
	}
	return said, err
}

// statement returns what an item says, for the second reading.
func (item *Item) statement() string {
	if item.Sentence != "" {
		return item.Sentence
	}
	if item.denies != "" {
		return noLonger + item.denies
	}
	c := item.Claims[0]
	return rel.Describe(cmp.Or(c.Subject, c.Author), c.Relation, c.Value)
}

// noLonger stands before a note that a talk may end, in a statement to check.
const noLonger = "It is not or no longer so: "

// Summarize lets a model summarize a session in a few sentences. Sentences with names or numbers that nobody said, and
// those that a second reading does not find in the lines, are left out.
func Summarize(ctx context.Context, m modelvoice.Model, in RefineInput) (string, error) {
	if in.Zone == nil {
		in.Zone = time.UTC
	}
	p := prompts.Summary(prompts.SummaryInput{Name: in.Name, Messages: in.entries(), Budget: in.Budget})
	var text string
	_, err := modelvoice.Ask(ctx, m, p, func(said string) (err error) {
		text, err = answer.Clean(said, p.Reading(in.Name, false))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("summarise a session of %d messages: %w", len(in.Messages), err)
	}
	if text, err = newRefining(in).supported(ctx, m, text); err != nil {
		return "", fmt.Errorf("check the summary of a session of %d messages: %w", len(in.Messages), err)
	}
	if !answer.HasContent(text) {
		return "", fmt.Errorf("summarise a session of %d messages: %w", len(in.Messages), answer.ErrEmpty)
	}
	return text, nil
}

// supported returns the sentences of a summary that the session supports.
func (r *refinery) supported(ctx context.Context, m modelvoice.Model, summary string) (string, error) {
	var sentences []string
	for _, s := range proof.Sentences(summary) {
		if len(r.record.Lacks(s)) == 0 && len(sentences) < prompts.MaxStatements {
			sentences = append(sentences, s)
		}
	}
	if len(sentences) == 0 {
		return "", nil
	}
	in := prompts.CheckInput{Name: r.Name, Budget: r.Budget, Lines: r.extract().Messages, Statements: sentences}
	var said []bool
	_, err := modelvoice.Ask(ctx, m, prompts.Check(in), func(text string) (err error) {
		said, err = prompts.ParseCheck(text, len(sentences))
		return err
	})
	if errors.Is(err, prompts.ErrInvalidAnswer) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	kept := sentences[:0]
	for i, s := range sentences {
		if said[i] {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " "), nil
}
