package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/prompts"
)

const (
	portraying = "portrait"
	// leastFacts is how many facts a portrait needs, mostFacts how many one is made from at most.
	leastFacts, mostFacts = 3, 60
	// portraitSalience is the salience of a portrait.
	portraitSalience = 0.9
	// longestPortrayed is how many characters a sentence of a portrait may have, longestPortrait the whole.
	longestPortrayed, longestPortrait = 400, 1800
)

// PortraitResult is the result of a run of PortraitOnce.
type PortraitResult struct {
	// People counts the people looked at, once for each scope.
	People int `json:"people"`
	lifecycle.InferResult
	modelUse
}

// String describes the result for the ledger.
func (r PortraitResult) String() string {
	if r.People == 0 {
		return "nobody spoke who could be portrayed"
	}
	return fmt.Sprintf("looked at %d people: %s", r.People, r.InferResult) + r.modelUse.String()
}

// PortraitOnce writes a portrait of everyone who spoke since the last run, in each scope separately: who they are, the
// people around them, what weighs on them and how they want to be treated. A model writes it from what is believed;
// each sentence names the facts it rests on, is checked against them, and depends on their messages. A new portrait
// replaces the one before. It carries run.
func (n Deps) PortraitOnce(ctx context.Context, run int64, _ time.Time) (done PortraitResult, err error) {
	llm := n.asker(&done.modelUse)
	done.People, err = n.forEachScope(ctx, portraying, run, &done.InferResult, func(ctx context.Context, s scope) (all scopeResult, err error) {
		for _, u := range s.authors {
			drawn, ok, err := n.portray(ctx, u, llm, &done)
			if err != nil {
				return all, fmt.Errorf("portray person %d: %w", u.Author, err)
			}
			all.of++
			if ok {
				all.found = append(all.found, drawn)
			}
		}
		return all, nil
	})
	return done, err
}

// portray writes the portrait of one person in one scope. ok is false if too little is known or proven.
func (n Deps) portray(ctx context.Context, u lifecycle.BacklogEntry, llm *asker, done *PortraitResult) (drawn lifecycle.Inference, ok bool, err error) {
	if llm.down {
		return drawn, false, nil
	}
	facts, err := n.Store.Beliefs.Facts(ctx, n.Card.Key, u.Audience, u.Author, 0)
	if err != nil {
		return drawn, false, err
	}
	facts = worthPortraying(facts)
	if len(facts) < leastFacts {
		return drawn, false, nil
	}
	zone, err := n.zoneOf(ctx, u.Author)
	if err != nil {
		return drawn, false, err
	}
	said := make([]model.Memory, len(facts))
	for i, b := range facts {
		said[i] = factLine(b)
	}
	p := prompts.Portrait(prompts.PortraitInput{Name: n.Card.Name, Facts: numbered(said, zone), Budget: n.Settings.Filing()})
	var found []prompts.Statement
	if !llm.ask(ctx, p, func(text string) (err error) {
		found, err = prompts.ParsePortrait(text)
		return err
	}) {
		return drawn, false, nil
	}
	text, sources, names := n.proven(ctx, llm, evidence{said: said, self: n.Card.Name, fence: p.Fence, longest: longestPortrayed}, found, zone, done)
	if text == "" {
		return drawn, false, nil
	}
	before, err := n.Store.Lifecycle.InferenceOf(ctx, n.Card.Key, u.Audience, u.Author, model.Portrait)
	return lifecycle.Inference{
		Audience: u.Audience, Kind: model.Portrait, Sector: model.Reflective, Text: text, Salience: portraitSalience, Sources: sources,
		About: []int64{u.Author}, Entities: names, Supersedes: before,
	}, true, err
}

// proven returns the sentences that the facts say, with their sources and names.
func (n Deps) proven(
	ctx context.Context, llm *asker, shown evidence, found []prompts.Statement, zone *time.Location, done *PortraitResult,
) (text string, sources []int64, names []string) {
	type sentence struct {
		text    string
		sources []int64
		names   []string
	}
	var all []sentence
	var texts []string
	for _, w := range found[:min(len(found), prompts.MaxStatements)] {
		said, from, named, why := shown.prove(w)
		if why != "" {
			done.Reject(why)
			continue
		}
		all, texts = append(all, sentence{said, from, named}), append(texts, said)
	}
	supported, ok := llm.check(ctx, numbered(shown.said, zone), texts)
	if !ok {
		return "", nil, nil
	}
	var kept []string
	length := 0
	for i, s := range all {
		if !supported[i] {
			done.Reject(rejectedUnsaid)
			continue
		}
		if length += len([]rune(s.text)) + 1; length > longestPortrait {
			break
		}
		kept = append(kept, s.text)
		sources, names = append(sources, s.sources...), append(names, s.names...)
	}
	slices.Sort(names)
	return strings.Join(kept, " "), sources, slices.Compact(names)
}

// worthPortraying selects the facts of a portrait, the most important first. What only a model read about who somebody is
// waits until it is confirmed.
func worthPortraying(facts []model.Belief) []model.Belief {
	facts = slices.DeleteFunc(facts, func(b model.Belief) bool {
		return len(b.Evidence) == 0 || b.ByModel && rel.Guarded(b.Relation)
	})
	slices.SortStableFunc(facts, func(a, b model.Belief) int { return cmp.Compare(rel.Rank(a.Relation), rel.Rank(b.Relation)) })
	return facts[:min(mostFacts, len(facts))]
}

// factLine returns a fact as a line, with the messages that prove it.
func factLine(b model.Belief) model.Memory {
	line := model.Memory{Author: b.Author, AuthorID: b.AuthorID, Created: b.Updated, Text: b.Sentence}
	if line.Text == "" {
		subject := b.Subject
		if subject == "" {
			subject = b.Author
		}
		line.Text = rel.Describe(subject, b.Relation, b.Value)
	}
	for _, e := range b.Evidence {
		if e.Stance > 0 {
			line.Sources = append(line.Sources, e.MessageID)
			line.Text += " (“" + e.Quote + "”)"
			break
		}
	}
	return line
}
