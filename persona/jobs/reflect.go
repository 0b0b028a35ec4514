package jobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/prompts"
)

const (
	reflecting = "reflect"
	// reflectOver is how many of a person's last messages are considered, mostObserved how many observations a run
	// makes of them at most.
	reflectOver  = 50
	mostObserved = 3
	// leastSalience is the minimum salience of an observation.
	leastSalience = 0.7
	// longestObserved is how many characters an observation may have.
	longestObserved = 400
)

// ReflectResult is the result of a run of ReflectOnce.
type ReflectResult struct {
	// People counts the people considered, once for each scope.
	People int `json:"people"`
	lifecycle.InferResult
	modelUse
}

// String describes the result for the ledger.
func (r ReflectResult) String() string {
	if r.People == 0 {
		return "nothing new to reflect on"
	}
	return fmt.Sprintf("reflected on %d: %s", r.People, r.InferResult) + r.modelUse.String()
}

// String reports the model's faults, "" if there were none.
func (w modelUse) String() string {
	if w.Faults == 0 {
		return ""
	}
	return fmt.Sprintf("; in %d of %d the model gave no answer of use", w.Faults, w.Calls)
}

// ReflectOnce looks for patterns in the last messages of everyone who spoke since the last run, in each scope
// separately, and stores them as observations that carry run. A model writes them; if it fails, templates do.
func (n Deps) ReflectOnce(ctx context.Context, run int64, _ time.Time) (done ReflectResult, err error) {
	model := n.asker(&done.modelUse)
	done.People, err = n.forEachScope(ctx, reflecting, run, &done.InferResult, func(ctx context.Context, s scope) (all scopeResult, err error) {
		for _, u := range s.authors {
			some, err := n.reflectOn(ctx, u, model, &done)
			if err != nil {
				return all, fmt.Errorf("reflect on person %d: %w", u.Author, err)
			}
			all.found, all.of = append(all.found, some.found...), all.of+some.of
		}
		return all, nil
	})
	return done, err
}

// reflectOn returns the observations about one person in one scope.
func (n Deps) reflectOn(ctx context.Context, u lifecycle.BacklogEntry, model *asker, done *ReflectResult) (seen scopeResult, err error) {
	said, err := n.Store.Lifecycle.SaidSince(ctx, n.Card.Key, u.Audience, u.Author, time.Time{}, reflectOver)
	if err != nil || len(said) == 0 {
		return seen, err
	}
	seen.of = 1
	zone, err := n.zoneOf(ctx, u.Author)
	if err != nil {
		return seen, err
	}
	var ok bool
	if seen.found, ok = n.observeWith(ctx, model, u, said, zone, done); !ok {
		seen.found, err = n.observe(ctx, u, said, zone)
	}
	return seen, err
}

// observation returns an observation about u's author.
func observation(u lifecycle.BacklogEntry, text string, salience float64, sources []int64, entities ...string) lifecycle.Inference {
	return lifecycle.Inference{
		Audience: u.Audience, Kind: model.Observation, Sector: model.Reflective, Text: text, Salience: min(max(salience, leastSalience), 1),
		Sources: sources, About: []int64{u.Author}, Entities: entities,
	}
}

// observeWith lets the model find patterns. It reports whether the model answered, even if it found none.
func (n Deps) observeWith(
	ctx context.Context, model *asker, u lifecycle.BacklogEntry, said []model.Memory, zone *time.Location, done *ReflectResult,
) (seen []lifecycle.Inference, ok bool) {
	if model.down {
		return nil, false // no need to build the prompt
	}
	p := prompts.Reflect(prompts.ReflectInput{
		Name: n.Card.Name, Memories: numbered(said, zone), Most: mostObserved, Budget: n.Settings.Filing(),
	})
	var found []prompts.Statement
	ok = model.ask(ctx, p, func(text string) (err error) {
		found, err = prompts.ParseReflect(text)
		return err
	})
	shown := evidence{said: said, self: n.Card.Name, fence: p.Fence, longest: longestObserved}
	var texts []string
	for _, w := range found[:min(mostObserved, len(found))] {
		text, sources, names, why := shown.prove(w)
		if why != "" {
			done.Reject(why)
			continue
		}
		seen, texts = append(seen, observation(u, text, w.Salience, sources, names...)), append(texts, text)
	}
	if !ok {
		return seen, false
	}
	supported, ok := model.check(ctx, numbered(said, zone), texts)
	if !ok {
		return nil, false
	}
	kept := seen[:0]
	for i, o := range seen {
		if supported[i] {
			kept = append(kept, o)
		} else {
			done.Reject(rejectedUnsaid)
		}
	}
	return kept, true
}

// observe finds patterns by counting: the most significant ones not observed before.
func (n Deps) observe(ctx context.Context, u lifecycle.BacklogEntry, said []model.Memory, zone *time.Location) (seen []lifecycle.Inference, err error) {
	before, err := n.Store.Lifecycle.InferredTexts(ctx, n.Card.Key, model.Observation, u.Audience)
	if err != nil {
		return nil, err
	}
	add := func(o lifecycle.Inference) {
		if len(seen) < mostObserved && !slices.Contains(before, o.Text) {
			seen = append(seen, o)
		}
	}
	corrections, err := n.Store.Lifecycle.Corrections(ctx, n.Card.Key, u.Audience)
	if err != nil {
		return nil, err
	}
	name := nameOf(said[len(said)-1])
	for _, c := range repeatedCorrections(corrections) {
		if c.author == u.Author {
			add(observation(u, fmt.Sprintf("%s has had to put right %s more than once.", name, c.what), leastSalience, c.sources))
		}
	}
	if err := n.Store.Entries.FillAnalyses(ctx, said, namesFeeling); err != nil {
		return nil, err
	}
	for _, p := range patterns(sayings(said, zone, n.Card.Name)) {
		add(observation(u, p.observed(name), leastSalience+(1-leastSalience)*p.weight, p.sources(), p.topic.key))
	}
	return seen, nil
}

// nameOf returns how to refer to the author of a memory.
func nameOf(m model.Memory) string {
	if name := model.CleanName(m.Author); name != "" {
		return name
	}
	return "Somebody"
}

// observed words a pattern. The same pattern always yields the same sentence, however often it occurred, so that it is
// stored once.
func (p pattern) observed(name string) string {
	what := p.topic.of("their")
	switch p.form {
	case felt:
		return fmt.Sprintf("%s tends to talk about %s when feeling %s.", name, what, p.detail)
	case habitual:
		return fmt.Sprintf("%s tends to talk about %s %s.", name, what, p.detail)
	case begun:
		return fmt.Sprintf("%s has lately begun to talk about %s.", name, what)
	case ended:
		return fmt.Sprintf("%s used to talk about %s, and no longer does.", name, what)
	}
	return fmt.Sprintf("%s comes back to %s again and again.", name, what)
}
