package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/persona/known"
	"familiar/persona/words"
)

const (
	// factsShown and memoriesShown are how many facts and memories one /memory lists.
	factsShown, memoriesShown = 12, 15
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
		fmt.Fprintf(&b, "\n  %s  %s", factNumber(f.ID), attributed("", known.FactText(f))+c.toldBy(f))
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

// known reads what is known.
func (r Runner) known() known.Reader {
	return known.Reader{Store: r.Store, Engine: r.Engine, WithoutFacts: r.Card.WithoutFacts, Zone: r.Zone, Now: r.Now}
}

// asker is who gave the command, and what they may hear there.
func (c call) asker() known.Asker { return known.Asker{Person: c.person, Hearing: c.hearing} }

// remembered is what is known of the person here.
func (r Runner) remembered(ctx context.Context, c call) (l listing, err error) {
	if l.facts, err = r.known().Facts(ctx, c.asker()); err != nil {
		return listing{}, err
	}
	if l.portrait, err = r.known().Portrait(ctx, c.asker()); err != nil {
		return listing{}, err
	}
	l.memories, l.capped, err = r.known().Memories(ctx, c.asker())
	return l, err
}

// rememberedOf is what is known of the words that the person gave.
func (r Runner) rememberedOf(ctx context.Context, c call) (l listing, err error) {
	l.facts, l.memories, l.capped, err = r.known().About(ctx, c.asker(), c.rest, proposedAtOnce)
	return l, err
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

// attributed returns a remembered line with its author.
func attributed(author, text string) string {
	text = words.Cut(strings.Join(strings.Fields(text), " "), words.ShownRunes)
	if author == "" {
		return text
	}
	return fmt.Sprintf("%s: “%s”", author, text)
}
