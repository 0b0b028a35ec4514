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
	dreamJob = "dream"
	// dreamWindow is how far back a dream reaches, dreamMemories how many messages it uses at most.
	dreamWindow   = 28 * 24 * time.Hour
	dreamMemories = 100
	// dreamPrompt is how many of them a model sees, the newest.
	dreamPrompt = 50
	// strengthenCount is how many memories of a recurring topic a dream strengthens.
	strengthenCount = 3
	// The salience of the results: a dream fades within weeks, a lesson lasts.
	dreamSalience   = 0.4
	insightSalience = 0.75
	lessonSalience  = 0.8
	// longestDream is how many characters a dream may have.
	longestDream = 1500
)

// DreamResult is the result of a run of DreamOnce.
type DreamResult struct {
	// Scopes counts the scopes with something new.
	Scopes int `json:"scopes"`
	lifecycle.InferResult
	modelUse
}

// String describes the result for the ledger.
func (d DreamResult) String() string {
	if d.Scopes == 0 {
		return "nothing new to dream of"
	}
	return fmt.Sprintf("dreamt of %d places: %s", d.Scopes, d.InferResult) + d.modelUse.String()
}

// DreamOnce looks over the last weeks of every scope in which something was said since the last run. Repeated
// corrections become a lesson, the strongest pattern becomes an insight, memories of recurring topics are strengthened,
// and a dream is stored as a journal entry in the persona's voice. Everything carries run and rests on messages of its
// scope alone. None of it is recalled, linked to other memories, or evidence of anything.
func (n Deps) DreamOnce(ctx context.Context, run int64, now time.Time) (done DreamResult, err error) {
	model := n.asker(&done.modelUse)
	done.Scopes, err = n.forEachScope(ctx, dreamJob, run, &done.InferResult, func(ctx context.Context, s scope) (scopeResult, error) {
		night, err := n.dreamOf(ctx, s.audience, now, model, &done)
		if err != nil {
			return night, fmt.Errorf("dream of %s %d: %w", s.audience.Kind, s.audience.Ref, err)
		}
		return night, nil
	})
	return done, err
}

// dreamOf returns the results for one scope.
func (n Deps) dreamOf(ctx context.Context, a model.Audience, now time.Time, model *asker, done *DreamResult) (night scopeResult, err error) {
	said, err := n.Store.Lifecycle.SaidSince(ctx, n.Card.Key, a, 0, now.Add(-dreamWindow), dreamMemories)
	if err != nil || len(said) == 0 {
		return night, err
	}
	night.of = 1
	returning, err := n.returning(ctx, said)
	if err != nil {
		return night, err
	}
	if night.found, err = n.lessons(ctx, a, said); err != nil {
		return night, err
	}
	worded, ok := n.dreamWith(ctx, model, a, said, done)
	if !ok {
		worded = n.dreamPlainly(a, said, returning, now)
	}
	for _, p := range returning {
		for _, s := range p.found[max(0, len(p.found)-strengthenCount):] {
			for i := range worded {
				worded[i].Reinforces = append(worded[i].Reinforces, s.ID)
			}
		}
	}
	night.found = append(night.found, worded...)
	return night, nil
}

// returning returns the strongest pattern of each person in a scope, in order of person.
func (n Deps) returning(ctx context.Context, said []model.Memory) (all []pattern, err error) {
	byAuthor, order := map[int64][]model.Memory{}, []int64{}
	for _, m := range said {
		if byAuthor[m.AuthorID] == nil {
			order = append(order, m.AuthorID)
		}
		byAuthor[m.AuthorID] = append(byAuthor[m.AuthorID], m)
	}
	slices.Sort(order)
	for _, author := range order {
		if err := n.Store.Entries.FillAnalyses(ctx, byAuthor[author], namesFeeling); err != nil {
			return nil, err
		}
		zone, err := n.zoneOf(ctx, author)
		if err != nil {
			return nil, err
		}
		found := patterns(sayings(byAuthor[author], zone, n.Card.Name))
		all = append(all, found[:min(1, len(found))]...)
	}
	return all, nil
}

// reflective returns an inference of the persona about a scope.
func reflective(a model.Audience, kind model.Kind, text string, salience float64, sources []int64, about ...int64) lifecycle.Inference {
	return lifecycle.Inference{
		Audience: a, Kind: kind, Sector: model.Reflective, Text: text, Salience: salience, Sources: sources, About: about,
	}
}

// lessons returns what the persona resolves to do differently with people who spoke recently.
func (n Deps) lessons(ctx context.Context, a model.Audience, said []model.Memory) (lessons []lifecycle.Inference, err error) {
	corrections, err := n.Store.Lifecycle.Corrections(ctx, n.Card.Key, a)
	if err != nil {
		return nil, err
	}
	for _, c := range repeatedCorrections(corrections) {
		i := slices.IndexFunc(said, func(m model.Memory) bool { return m.AuthorID == c.author })
		if i < 0 {
			continue
		}
		text := fmt.Sprintf("%s has put me right about %s more than once. Next time I ask before I take it for granted.", nameOf(said[i]), c.what)
		lessons = append(lessons, reflective(a, model.Lesson, text, lessonSalience, c.sources, c.author))
	}
	return lessons, nil
}

// authorsOf returns the authors of those messages that are in said.
func authorsOf(said []model.Memory, messages []int64) (authors []int64) {
	for _, m := range said {
		if len(m.Sources) > 0 && slices.Contains(messages, m.Sources[0]) && !slices.Contains(authors, m.AuthorID) {
			authors = append(authors, m.AuthorID)
		}
	}
	return authors
}

// dreamWith lets the model write the dream. It reports whether the result passed the check.
func (n Deps) dreamWith(ctx context.Context, llm *asker, a model.Audience, said []model.Memory, done *DreamResult) (night []lifecycle.Inference, ok bool) {
	if llm.down {
		return nil, false // no need to build the prompt
	}
	shown := said[max(0, len(said)-dreamPrompt):]
	p := prompts.Dream(prompts.DreamInput{Card: n.Card.Prompt(), Memories: numbered(shown, n.zone()), Budget: n.Settings.Filing()})
	var answer prompts.DreamResult
	if !llm.ask(ctx, p, func(text string) (err error) {
		answer, err = prompts.ParseDream(text)
		return err
	}) {
		return nil, false
	}
	told := evidence{said: shown, self: n.Card.Name, fence: p.Fence, longest: longestDream}
	words := []struct {
		kind     model.Kind
		worded   *prompts.Statement
		salience float64
	}{{model.Dream, &answer.Dream, dreamSalience}, {model.InsightMoment, answer.Insight, insightSalience}}
	for _, w := range words {
		if w.worded == nil || w.worded.Text == "" {
			continue
		}
		text, sources, _, why := told.prove(*w.worded)
		if why != "" {
			done.Reject(why)
			continue
		}
		night = append(night, reflective(a, w.kind, text, w.salience, sources, authorsOf(said, sources)...))
		ok = ok || w.kind == model.Dream
	}
	return night, ok
}

// dreamPlainly writes the dream without a model.
func (n Deps) dreamPlainly(a model.Audience, said []model.Memory, returning []pattern, now time.Time) (night []lifecycle.Inference) {
	if text, sources := n.weave(a, said, now); text != "" {
		night = append(night, reflective(a, model.Dream, text, dreamSalience, sources, authorsOf(said, sources)...))
	}
	for _, p := range returning {
		if p.form == recurring {
			continue // recurrence alone is no insight
		}
		author := p.found[len(p.found)-1]
		text := "I think I see it now: " + p.observed(nameOf(author.Memory))
		insight := reflective(a, model.InsightMoment, text, insightSalience, p.sources(), author.AuthorID)
		insight.Entities = []string{p.topic.key}
		night = append(night, insight)
	}
	return night
}
