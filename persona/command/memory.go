package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

const (
	// factsShown and memoriesShown are how many facts and memories one /memory lists.
	factsShown, memoriesShown = 12, 15
	// memoriesCounted is how far one /memory counts what it does not list.
	memoriesCounted = 500
)

// listing is what one /memory found.
type listing struct {
	facts    []model.Belief
	portrait []model.Memory
	memories []model.Memory
	// capped reports that there may be more memories than were counted.
	capped bool
}

// memoryCommand lists what is known of the person: facts, their portrait, then memories. With words it lists what these
// find. What others may not hear in the room is not listed there.
func (r Runner) memoryCommand(ctx context.Context, c call) (result, error) {
	find, title := r.remembered, c.say("memory.title")
	if c.rest != "" {
		find, title = r.rememberedOf, c.say("memory.title.about", "words", words.Cut(c.rest, zoneRunes))
	}
	found, err := find(ctx, c)
	if err != nil {
		return result{}, err
	}
	if len(found.facts)+len(found.portrait)+len(found.memories) == 0 {
		return c.told("memory.none"), nil
	}
	answer := result{}
	var b strings.Builder
	b.WriteString(title)
	for i, f := range found.facts[:min(factsShown, len(found.facts))] {
		if i == 0 {
			b.WriteString("\n" + c.say("memory.facts"))
		}
		answer.beliefs = append(answer.beliefs, f.ID)
		fmt.Fprintf(&b, "\n  %s  %s", factNumber(f.ID), attributed("", factText(f))+c.toldBy(f))
	}
	listed := slices.Concat(found.portrait, found.memories[:min(memoriesShown, len(found.memories))])
	for i, m := range listed {
		if i == 0 && len(found.facts) > 0 {
			b.WriteString("\n" + c.say("memory.memories"))
		}
		answer.memories = append(answer.memories, m.ID)
		fmt.Fprintf(&b, "\n  %d  %s  %s", m.ID, c.time("date", m.Created.In(c.person.Location(r.Zone))), attributed(m.Author, m.Text))
	}
	b.WriteString(found.rest(c.tongue))
	answer.text = b.String()
	return answer, nil
}

// rest says how much is not listed.
func (l listing) rest(in *tongue) string {
	var more []string
	if n := len(l.facts) - factsShown; n > 0 {
		more = append(more, in.count(n, "fact"))
	}
	if n := len(l.memories) - memoriesShown; n > 0 {
		counted := in.count(n, "memory")
		if l.capped {
			counted = in.say("memory.atleast", "count", counted)
		}
		more = append(more, counted)
	}
	if len(more) == 0 {
		return ""
	}
	return "\n" + in.say("memory.rest", "more", in.listed(more))
}

// remembered is what is known of the person here.
func (r Runner) remembered(ctx context.Context, c call) (l listing, err error) {
	if l.facts, err = r.factsOf(ctx, c); err != nil {
		return listing{}, err
	}
	if l.portrait, err = r.portrait(ctx, c); err != nil {
		return listing{}, err
	}
	all, err := r.Store.Recall.MemoriesFor(ctx, c.hearing, memoriesCounted)
	if err != nil {
		return listing{}, err
	}
	l.capped = len(all) == memoriesCounted
	l.memories, err = r.statements(ctx, all)
	return l, err
}

// rememberedOf is what is known of the words that the person gave.
func (r Runner) rememberedOf(ctx context.Context, c call) (l listing, err error) {
	about := words.Cut(c.rest, scene.QueryLimit)
	if l.facts, err = r.factsOf(ctx, c); err != nil {
		return listing{}, err
	}
	asked := words.Content(about)
	l.facts = slices.DeleteFunc(l.facts, func(b model.Belief) bool { return words.SharedWith(asked, factText(b)) == 0 })
	recalled, err := r.Store.Recall.Find(ctx, c.hearing, recall.Query{
		Text: about, Near: r.Engine.EmbedQuery(ctx, c.person.Name, about), Asker: c.person.ID, Now: r.Now().In(c.person.Location(r.Zone)),
		Limit: proposedAtOnce, WithoutFacts: r.Card.WithoutFacts,
	})
	if err != nil {
		return listing{}, err
	}
	for _, hit := range recalled.Hits {
		if !hit.Weak {
			l.memories = append(l.memories, hit.Memory)
		}
	}
	l.capped = len(recalled.Hits) == proposedAtOnce
	l.memories, err = r.statements(ctx, l.memories)
	return l, err
}

// statements leaves out messages that only ask something or greet: they tell nothing about anybody.
func (r Runner) statements(ctx context.Context, memories []model.Memory) ([]model.Memory, error) {
	if err := r.Store.Entries.FillAnalyses(ctx, memories, func(model.Memory) bool { return true }); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(memories, func(m model.Memory) bool {
		if m.Origin != model.OriginMessage {
			return false
		}
		read, ok := m.Stored.Current()
		asks := words.AsksOnly(m.Text) || ok && read.Question != nil && len(words.Sentences(m.Text)) == 1
		return ok && len(read.Claims) == 0 && (asks || read.Phatic) || !ok && asks
	}), nil
}

// factsOf returns what is believed about the person, and about what they spoke of, that this room may hear.
func (r Runner) factsOf(ctx context.Context, c call) ([]model.Belief, error) {
	facts, err := r.Store.Beliefs.Beliefs(ctx, c.hearing, belief.Filter{Limit: memoriesCounted})
	return slices.DeleteFunc(slices.Clone(facts), func(b model.Belief) bool {
		return b.SubjectPerson != c.person.ID && (b.SubjectPerson != 0 || b.AuthorID != c.person.ID)
	}), err
}

// factText returns a fact in words.
func factText(b model.Belief) string {
	if b.Sentence != "" {
		return b.Sentence
	}
	return rel.Describe(b.Subject, b.Relation, b.Value)
}

// toldBy says who told a fact that the person did not tell themselves, "" if they did.
func (c call) toldBy(b model.Belief) string {
	var others []string
	for _, e := range b.Evidence {
		switch {
		case e.Stance <= 0:
		case e.AuthorID == c.person.ID:
			return ""
		case !slices.Contains(others, e.Author):
			others = append(others, e.Author)
		}
	}
	if len(others) == 0 {
		return ""
	}
	return " " + c.say("memory.told", "people", c.listed(others))
}

// portrait returns the portrait of the person in a direct room: only they read it. They correct it by saying what is so,
// or forget it.
func (r Runner) portrait(ctx context.Context, c call) ([]model.Memory, error) {
	if !c.hearing.Room().Direct {
		return nil, nil
	}
	drawn, err := r.Store.Lifecycle.InferencesAbout(ctx, c.hearing, c.person.ID, model.Portrait, 1)
	return slices.DeleteFunc(drawn, func(m model.Memory) bool { return m.Audience.Kind != model.Private }), err
}

// attributed returns a remembered line with its author.
func attributed(author, text string) string {
	text = words.Cut(strings.Join(strings.Fields(text), " "), words.ShownRunes)
	if author == "" {
		return text
	}
	return fmt.Sprintf("%s: “%s”", author, text)
}
