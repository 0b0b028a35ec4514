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

// RefineInput is a closed session to be filed once more, by a model.
type RefineInput struct {
	// Name is the persona's.
	Name string
	// Audience is who heard the session.
	Audience model.Audience
	// Zone is where dates are read, UTC when nil.
	Zone *time.Location
	// Budget is the size of a prompt in tokens, 0 for the default.
	Budget   int
	Messages []model.Message
}

// Refine lets a model file what people claimed in a session, and keeps of it what the record proves: a claim stands
// only when its quote is, white space aside, in a message that its author wrote, and its value is in that message too.
// The persona's own words are never a source. What is not proven is left out and counted in rejected.
//
// A long session takes several prompts, more where an answer reached its limit. When one of them fails, or its answer is
// not what was asked for (prompts.ErrInvalidExtraction), nothing at all is learned from the session.
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

// maxPartings is how often a stretch of talk is halved because its claims do not fit an answer. After three times an
// eighth of a prompt is left, some hundred tokens of talk: whoever still writes to the limit is not filing.
const maxPartings = 3

// file lets the model file a stretch of talk. An answer that was cut off by its limit is of no use: each half of the
// stretch is filed on its own.
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

// Summarize lets a model note what a session was about, in a few sentences.
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

// refinery proves the claims of one session.
type refinery struct {
	RefineInput
	// folded are the messages as names and values are compared, talk all of them, names whom a folded name means (0 when two
	// people bear it).
	folded []string
	talk   string
	names  map[string]int64
	seen   map[string]bool
}

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

// suggested are relations shown to the model: common ones of the table in package rel, the first choice first.
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

// prove makes a claim of what the model filed, or says that the record does not bear it out.
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

// subject returns whom a claim of m's author is about: the author when about is empty or their own name, else someone
// or something the talk names.
func (r *refinery) subject(about string, m model.Message) (subject string, person int64, known bool) {
	name := folded(about)
	if name == "" || name == folded(m.Name) {
		return "", m.PersonID, true
	}
	person, speaks := r.names[name]
	return spaced(about), person, speaks || strings.Contains(r.talk, name)
}

// fixed are the relations that kinds other than facts come with.
var fixed = map[rel.Kind][]string{
	rel.Taste:       {"likes", "dislikes"},
	rel.Plan:        {rel.Planned},
	rel.Promise:     {rel.Promised},
	rel.Instruction: {rel.Wish, rel.CallMe},
	rel.Feeling:     {"feels"},
}

// filed returns the relation and kind of what the model filed. A kind with relations of its own takes the first of them
// when the model named none of them; a fact takes any relation but those. Wishes and feelings are their author's own.
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

// relationRunes is the longest relation; past that it is a sentence.
const relationRunes = 40

// normalRelation returns a relation in the table's spelling: lower case, letters, digits, single spaces, "_" and ":".
// It is empty when nothing is left or too much.
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

// spaced returns a text with its white space single, and line breaks as the prompt shows them undone.
func spaced(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "⏎", " ")), " ")
}

// folded returns spaced in lower case.
func folded(text string) string { return strings.ToLower(spaced(text)) }

func key(c belief.AttributedClaim) string {
	return fmt.Sprintf("%d\x00%s\x00%s\x00%s\x00%v", c.AuthorID, folded(c.Subject), c.Relation, folded(c.Value), c.Negates)
}
