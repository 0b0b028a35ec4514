package memoryapi

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/internal/tokens"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand/rel"
)

// RecallInput is a search.
type RecallInput struct {
	Query   string    `json:"query" jsonschema:"what to look for, in a few words or as a question"`
	Limit   int       `json:"limit,omitempty" jsonschema:"how many memories, 1 to 100; 10 if missing"`
	Sectors []string  `json:"sectors,omitempty" jsonschema:"only these: episodic, semantic, procedural, emotional, reflective"`
	After   time.Time `json:"after,omitzero" jsonschema:"only what was stored after this time"`
	Before  time.Time `json:"before,omitzero" jsonschema:"only what was stored before this time"`
	Session int64     `json:"session,omitempty" jsonschema:"only from this session"`
	Tag     string    `json:"tag,omitempty" jsonschema:"only with this tag"`
	Weak    bool      `json:"weak,omitempty" jsonschema:"also what matches slightly"`
	Explain bool      `json:"explain,omitempty" jsonschema:"tell why each was found"`
}

// sectors are the sectors that a search may name.
var sectors = []string{string(model.Episodic), string(model.Semantic), string(model.Procedural), string(model.Emotional), string(model.Reflective)}

// Recall returns what is remembered about a query, best first. Nothing found is not an error.
func (c *Client) Recall(ctx context.Context, in RecallInput) ([]Hit, error) {
	n, err := limit(in.Limit)
	if err != nil {
		return nil, err
	}
	for _, s := range in.Sectors {
		if !slices.Contains(sectors, s) {
			return nil, invalid("there is no sector %q: use %s", s, strings.Join(sectors, ", "))
		}
	}
	found, err := c.find(ctx, in.Query, recall.Query{Limit: n, Explain: in.Explain, Selection: recall.Selection{
		Sectors: asSectors(in.Sectors), After: in.After, Before: in.Before, Session: in.Session, Tag: in.Tag,
	}})
	if err != nil {
		return nil, err
	}
	hits := []Hit{}
	for _, h := range found.Hits {
		if !h.Own && (in.Weak || !h.Weak) {
			hits = append(hits, hitOf(h))
		}
	}
	return hits, nil
}

func asSectors(names []string) (all []model.Sector) {
	for _, name := range names {
		all = append(all, model.Sector(name))
	}
	return all
}

// find searches what the program may see.
func (c *Client) find(ctx context.Context, text string, q recall.Query) (recall.Result, error) {
	q.Text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(q.Text); n == 0 || n > maxQuery {
		return recall.Result{}, invalid("query has %d characters: use 1 to %d", n, maxQuery)
	}
	zone, err := c.zone(ctx)
	if err != nil {
		return recall.Result{}, err
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return recall.Result{}, err
	}
	q.Asker, q.Now = c.grant.PersonID, c.api.Now().In(zone)
	if c.api.EmbedQuery != nil {
		q.Near = c.api.EmbedQuery(ctx, q.Text)
	}
	return c.api.Store.Recall.Find(ctx, v, q)
}

// ContextInput asks for a context.
type ContextInput struct {
	Query  string `json:"query" jsonschema:"what the context is for: the question or the task"`
	Tokens int    `json:"tokens,omitempty" jsonschema:"the most tokens it may have, 50 to 16000; 1000 if missing"`
}

// Context is what is remembered, packed for a prompt.
type Context struct {
	Text   string `json:"text" jsonschema:"quoted lines with time and speaker; empty if nothing is known"`
	Tokens int    `json:"tokens" jsonschema:"size of the text"`
	// Nothing reports that nothing relevant is known.
	Nothing bool `json:"nothing,omitempty" jsonschema:"nothing relevant is known: say so instead of guessing"`
}

// minTokens is the smallest context that can hold a line.
const minTokens = 50

// Context returns what is remembered about a query as text of at most so many tokens. Outdated values are marked.
func (c *Client) Context(ctx context.Context, in ContextInput) (Context, error) {
	if in.Tokens == 0 {
		in.Tokens = defaultTokens
	}
	if in.Tokens < minTokens || in.Tokens > maxTokens {
		return Context{}, invalid("tokens is %d: use %d to %d", in.Tokens, minTokens, maxTokens)
	}
	found, err := c.find(ctx, in.Query, recall.Query{Budget: in.Tokens})
	if err != nil {
		return Context{}, err
	}
	zone, err := c.zone(ctx)
	if err != nil {
		return Context{}, err
	}
	var paragraphs []string
	for _, item := range found.Items {
		var lines []string
		for _, l := range item.Lines {
			l.At = l.At.In(zone)
			lines = append(lines, l.String())
		}
		paragraphs = append(paragraphs, strings.Join(lines, "\n"))
	}
	text := strings.Join(paragraphs, "\n\n")
	return Context{text, tokens.Estimate(text), found.Nothing}, nil
}

// Get returns one memory.
func (c *Client) Get(ctx context.Context, id int64) (Memory, error) {
	v, err := c.visibility(ctx)
	if err != nil {
		return Memory{}, err
	}
	m, err := c.visible(ctx, v, id)
	return memoryOf(m), err
}

// ListInput asks for memories without a query.
type ListInput struct {
	Limit int `json:"limit,omitempty" jsonschema:"how many, 1 to 100; 10 if missing"`
	// Before selects numbers below it, for the next page.
	Before int64  `json:"before,omitempty" jsonschema:"only numbers below this one, for the next page"`
	Sector string `json:"sector,omitempty" jsonschema:"only this sector"`
}

// List returns memories, newest first.
func (c *Client) List(ctx context.Context, in ListInput) ([]Memory, error) {
	n, err := limit(in.Limit)
	if err != nil {
		return nil, err
	}
	if in.Sector != "" && !slices.Contains(sectors, in.Sector) {
		return nil, invalid("there is no sector %q: use %s", in.Sector, strings.Join(sectors, ", "))
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.api.Store.Entries.Visible(ctx, v, entry.MemoryFilter{Sector: model.Sector(in.Sector), Limit: n, Before: in.Before})
	if err != nil {
		return nil, err
	}
	return each(found, memoryOf), nil
}

// BeliefsInput asks for facts.
type BeliefsInput struct {
	Subject string `json:"subject,omitempty" jsonschema:"only about this person or thing, by name"`
	History bool   `json:"history,omitempty" jsonschema:"also what does not hold any more"`
	Limit   int    `json:"limit,omitempty" jsonschema:"how many, 1 to 100; 10 if missing"`
}

// Beliefs returns the facts that hold, latest first, with their evidence.
func (c *Client) Beliefs(ctx context.Context, in BeliefsInput) ([]Belief, error) {
	n, err := limit(in.Limit)
	if err != nil {
		return nil, err
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return nil, err
	}
	found, err := c.api.Store.Beliefs.Beliefs(ctx, v, belief.Filter{Subject: in.Subject, IncludeHistory: in.History, Limit: n})
	if err != nil {
		return nil, err
	}
	return each(found, beliefOf), nil
}

func beliefOf(b model.Belief) Belief {
	fact := b.Sentence
	if fact == "" {
		fact = rel.Describe(b.Subject, b.Relation, b.Value) + "."
	}
	is := Belief{
		ID: b.ID, Fact: fact, Subject: b.Subject, Relation: b.Relation, Value: b.Value, Author: b.Author,
		FirstHand: b.AuthorID != 0 && b.AuthorID == b.SubjectPerson, Status: string(b.Status), Since: b.ValidFrom, Until: b.ValidTo,
	}
	if b.ReplacedWhy != "" {
		is.Status += ", " + b.ReplacedWhy
	}
	for _, e := range b.Evidence {
		is.Evidence = append(is.Evidence, Evidence{e.Quote, e.Stance > 0, e.At})
	}
	return is
}

// Explanation is why a memory is known.
type Explanation struct {
	Memory   Memory   `json:"memory"`
	Said     []Line   `json:"said" jsonschema:"the messages it came from, as far as they may be seen here"`
	Versions []Memory `json:"versions,omitempty" jsonschema:"its versions, oldest first, if there are several"`
	Links    []Edge   `json:"links,omitempty"`
	// Recalls and Uses count recalls and answers made from it. FadesAt is when it becomes dormant.
	Recalls    int       `json:"recalls"`
	Uses       int       `json:"uses"`
	RecalledAt time.Time `json:"recalled_at,omitzero"`
	FadesAt    time.Time `json:"fades_at,omitzero" jsonschema:"when it becomes dormant unless it is used; missing if it does not fade"`
	Strength   float64   `json:"strength" jsonschema:"factor by which its lifetime has grown"`
}

// Explain returns where a memory comes from, its versions, its links and how it fades.
func (c *Client) Explain(ctx context.Context, id int64) (Explanation, error) {
	v, err := c.visibility(ctx)
	if err != nil {
		return Explanation{}, err
	}
	m, err := c.visible(ctx, v, id)
	if err != nil {
		return Explanation{}, err
	}
	is := Explanation{Memory: memoryOf(m), Said: []Line{}, Recalls: m.Recalls, Uses: m.Uses, RecalledAt: m.RecalledAt, FadesAt: m.ForgetAt, Strength: m.Strength}
	said, err := c.api.Store.Log.Messages(ctx, m.Sources)
	if err != nil {
		return is, fmt.Errorf("read the sources of memory %d: %w", id, err)
	}
	for _, s := range said {
		is.Said = append(is.Said, Line{s.Name, s.Text, s.At})
	}
	versions, err := c.api.Store.Lifecycle.History(ctx, id)
	if err != nil {
		return is, err
	}
	if len(versions) > 1 {
		for _, o := range versions {
			if o.Persona == c.grant.Persona && v.Includes(o.Audience) {
				is.Versions = append(is.Versions, memoryOf(o))
			}
		}
	}
	is.Links, err = c.links(ctx, v, id, maxLimit)
	return is, err
}

// links returns the edges of a memory to others that the program may see.
func (c *Client) links(ctx context.Context, v memory.Visibility, id int64, n int) (links []Edge, err error) {
	edges, err := c.api.Store.Lifecycle.Edges(ctx, c.grant.Persona, id, n)
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		other := e.From + e.To - id
		if _, err := c.api.Store.Turns.MemoryFor(ctx, v, other); err == nil {
			links = append(links, edgeOf(e))
		}
	}
	return links, nil
}
