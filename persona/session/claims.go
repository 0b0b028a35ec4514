package session

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// RefineInput is an ended session for a model to read again.
type RefineInput struct {
	// Name is the persona's name.
	Name string
	// Audience is the audience of the session.
	Audience model.Audience
	// Zone is the timezone in which dates are read, UTC if nil.
	Zone *time.Location
	// Budget is the size of a prompt in tokens; 0 is the default.
	Budget   int
	Messages []model.Message
}

// Refine lets a model extract what people claimed in a session and keeps what the record proves. A claim holds only if
// its quote, apart from white space, and its value are in one message of its author. The persona's own messages are
// never a source. Unproven claims are dropped and counted in rejected. A long session takes several prompts, and more
// if an answer reaches its limit. If any prompt fails or its answer is invalid (prompts.ErrInvalidExtraction), nothing
// is learned from the session.
func Refine(ctx context.Context, m modelvoice.Model, in RefineInput) (claims []belief.AttributedClaim, rejected int, err error) {
	if in.Zone == nil {
		in.Zone = time.UTC
	}
	r := newRefining(in)
	for _, window := range r.extract().Windows() {
		filed, err := file(ctx, m, window, maxPartings)
		if err != nil {
			return nil, 0, fmt.Errorf("refine a session of %d messages: %w", len(in.Messages), err)
		}
		for _, f := range filed {
			c, ok := r.prove(f)
			switch {
			case !ok:
				rejected++
			case !r.seen[key(c)]:
				r.seen[key(c)] = true
				claims = append(claims, c)
			}
		}
	}
	return claims, rejected, nil
}

// maxPartings is how often a part of the session is halved because its claims do not fit an answer. After three times
// an eighth of a prompt is left, some hundred tokens; a model that still reaches the limit is not extracting claims.
const maxPartings = 3

// file lets the model extract the claims of a part of the session. If the answer was cut off by its limit, each half is
// extracted on its own.
func file(ctx context.Context, m modelvoice.Model, talk prompts.ExtractInput, partings int) ([]prompts.Extracted, error) {
	answer, err := m.Generate(ctx, prompts.Extract(talk), nil)
	if err != nil {
		return nil, err
	}
	half := len(talk.Messages) / 2
	if answer.Stop != prompts.StopLength || half == 0 || partings == 0 {
		return prompts.ParseExtract(answer.Text)
	}
	first, second := talk, talk
	first.Messages, second.Messages = talk.Messages[:half], talk.Messages[half:]
	filed, err := file(ctx, m, first, partings-1)
	if err != nil {
		return nil, err
	}
	more, err := file(ctx, m, second, partings-1)
	return append(filed, more...), err
}

// Summarize lets a model summarize a session in a few sentences.
func Summarize(ctx context.Context, m modelvoice.Model, in RefineInput) (string, error) {
	if in.Zone == nil {
		in.Zone = time.UTC
	}
	p := prompts.Summary(prompts.SummaryInput{Name: in.Name, Messages: in.entries(), Budget: in.Budget})
	answer, err := m.Generate(ctx, p, nil)
	if err != nil {
		return "", fmt.Errorf("summarise a session of %d messages: %w", len(in.Messages), err)
	}
	text := prompts.CleanReply(answer.Text, p.Fence, in.Name)
	if !modelvoice.HasContent(text) {
		return "", fmt.Errorf("summarise a session of %d messages: %w", len(in.Messages), modelvoice.ErrEmptyReply)
	}
	return text, nil
}

func (in RefineInput) entries() []prompts.Entry {
	out := make([]prompts.Entry, len(in.Messages))
	for i, m := range in.Messages {
		out[i] = prompts.Entry{Name: m.Name, Self: m.PersonID == 0, Text: m.Text, At: m.At.In(in.Zone)}
	}
	return out
}

// refinery checks the claims of one session against its messages.
type refinery struct {
	RefineInput
	// folded are the normalized texts of the messages, talk all of them together. names maps a normalized name to its
	// person, 0 if two people share it.
	folded []string
	talk   string
	names  map[string]int64
	seen   map[string]bool
}

// newRefining prepares the check of a session's claims.
func newRefining(in RefineInput) *refinery {
	r := &refinery{RefineInput: in, names: make(map[string]int64), seen: make(map[string]bool)}
	for _, m := range in.Messages {
		r.folded = append(r.folded, folded(m.Text))
		if name := folded(m.Name); m.PersonID != 0 && name != "" {
			if known, ok := r.names[name]; ok && known != m.PersonID {
				r.names[name] = 0
			} else {
				r.names[name] = m.PersonID
			}
		}
	}
	r.talk = strings.Join(r.folded, "\n")
	return r
}

// suggested are the relations shown to the model: common ones from package rel, the preferred one first.
var suggested = []string{
	"name", "age", "birthday", "from", "lives_in", "works_at", "works_as", "studies", "hobby", "speaks", "diet",
	"allergic_to", "owns", "has_pet", "has_person", "marital_status", "likes", "dislikes", rel.Planned, rel.Promised, rel.CallMe,
	rel.Wish, "feels",
}

func (r *refinery) extract() prompts.ExtractInput {
	in := prompts.ExtractInput{Name: r.Name, Relations: suggested, Budget: r.Budget}
	for i, e := range r.entries() {
		in.Messages = append(in.Messages, prompts.Numbered{Number: i + 1, Entry: e})
	}
	return in
}

// prove turns an extracted statement into a claim, or returns why the record does not support it.
func (r *refinery) prove(f prompts.Extracted) (belief.AttributedClaim, bool) {
	if f.Message < 1 || f.Message > len(r.Messages) {
		return belief.AttributedClaim{}, false
	}
	m := r.Messages[f.Message-1]
	quote, value := spaced(f.Quote), spaced(f.Value)
	quoted := quote != "" && strings.Contains(spaced(m.Text), quote)
	valued := value != "" && strings.Contains(r.folded[f.Message-1], folded(value))
	if m.PersonID == 0 || !quoted || !valued {
		return belief.AttributedClaim{}, false
	}
	subject, about, known := r.subject(f.About, m)
	relation, kind, fits := filed(f, subject)
	if !known || !fits || strings.HasSuffix(quote, "?") {
		return belief.AttributedClaim{}, false
	}
	c := understand.Claim{
		Kind: kind, Subject: subject, Relation: relation, Value: value, Quote: quote, Many: rel.Many(relation),
		Negates: f.Denied,
	}
	if spans := when.Find(c.Quote, m.At.In(r.Zone)); len(spans) > 0 {
		c.Span = &spans[0]
	}
	return belief.AttributedClaim{
		Claim: c, AuthorID: m.PersonID, Author: m.Name, SubjectPerson: about, MessageID: m.ID, At: m.At,
		Audience: r.Audience,
	}, true
}

// subject returns whom a claim in message m is about: the author if about is empty or their own name, else someone or
// something that the session names.
func (r *refinery) subject(about string, m model.Message) (subject string, person int64, known bool) {
	name := folded(about)
	if name == "" || name == folded(m.Name) {
		return "", m.PersonID, true
	}
	person, speaks := r.names[name]
	return spaced(about), person, speaks || strings.Contains(r.talk, name)
}

// fixed are the relations that belong to kinds other than facts.
var fixed = map[rel.Kind][]string{
	rel.Taste:       {"likes", "dislikes"},
	rel.Plan:        {rel.Planned},
	rel.Promise:     {rel.Promised},
	rel.Instruction: {rel.Wish, rel.CallMe},
	rel.Feeling:     {"feels"},
}

// filed returns the relation and kind of an extracted statement. A kind with its own relations takes the first of them
// if the model named none. A fact takes any other relation. Wishes and feelings are always about their author.
func filed(f prompts.Extracted, subject string) (relation string, kind rel.Kind, ok bool) {
	relation, kind = normalRelation(f.Relation), rel.Kind(f.Kind)
	own, special := fixed[kind]
	switch {
	case kind == rel.Fact:
		for _, others := range fixed {
			for _, r := range others {
				if r == relation {
					return "", "", false
				}
			}
		}
		return relation, kind, relation != ""
	case !special, kind == rel.Taste && relation != "likes" && relation != "dislikes":
		return "", "", false
	case subject != "" && (kind == rel.Instruction || kind == rel.Feeling || kind == rel.Promise):
		return "", "", false
	}
	for _, r := range own {
		if r == relation {
			return r, kind, true
		}
	}
	return own[0], kind, true
}

// relationRunes is the longest relation; anything longer is a sentence.
const relationRunes = 40

// normalRelation normalizes a relation: lower case, letters, digits, single spaces, "_" and ":". It returns "" if
// nothing is left or it is too long.
func normalRelation(relation string) string {
	relation = strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == ':' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		case r == '\'' || r == '’':
			return -1
		}
		return ' '
	}, relation)
	relation = strings.Join(strings.Fields(relation), " ")
	if len([]rune(relation)) > relationRunes {
		return ""
	}
	return relation
}

// spaced returns a text with single spaces and with the prompt's encoding of line breaks undone.
func spaced(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "⏎", " ")), " ")
}

// folded returns spaced in lower case.
func folded(text string) string { return strings.ToLower(spaced(text)) }

func key(c belief.AttributedClaim) string {
	return fmt.Sprintf("%d\x00%s\x00%s\x00%s\x00%v", c.AuthorID, folded(c.Subject), c.Relation, folded(c.Value), c.Negates)
}
