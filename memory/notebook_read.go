package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"familiar/memory/belief"
	"familiar/memory/erase"
	"familiar/memory/internal/db"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// RecallOption changes a query of a notebook.
type RecallOption func(*recallSettings)

// recallSettings is a query about to be asked.
type recallSettings struct {
	recall.Query
	weak bool
}

// Limit is how many memories to return at most, 20 by default.
func Limit(n int) RecallOption { return func(r *recallSettings) { r.Limit = n } }

// Weights multiply the scores of sectors, 1 for those left out.
func Weights(w map[model.Sector]float64) RecallOption {
	return func(r *recallSettings) { r.Weights = w }
}

// Weak returns what came up for the talk around it, or for little, too.
func Weak() RecallOption { return func(r *recallSettings) { r.weak = true } }

// Explained fills Hit.Reasons.
func Explained() RecallOption { return func(r *recallSettings) { r.Explain = true } }

// Recall is what is remembered about the query and may be known in this notebook, best first; nothing is no error.
// Times in the query ("last week", "in May") count; "I" and "my" mean the owner.
func (n *Notebook) Recall(ctx context.Context, query string, options ...RecallOption) ([]recall.Hit, error) {
	found, asked, err := n.recall(ctx, query, options)
	if err != nil || asked.weak {
		return found.Hits, err
	}
	return slices.DeleteFunc(found.Hits, func(h recall.Hit) bool { return h.Weak }), nil
}

// Context is what is remembered about the query as text of at most so many tokens, for a model to read: lines with when
// and by whom they were said, those that belong together in one paragraph. What no longer holds is marked so. It is
// empty when nothing about the query is known and nothing is pinned.
func (n *Notebook) Context(ctx context.Context, query string, tokens int, options ...RecallOption) (string, error) {
	if tokens <= 0 {
		return "", fmt.Errorf("pack what is remembered: a budget of %d tokens holds nothing", tokens)
	}
	found, _, err := n.recall(ctx, query, append(options, func(r *recallSettings) { r.Budget = tokens }))
	if err != nil {
		return "", err
	}
	var paragraphs []string
	for _, item := range found.Items {
		var lines []string
		for _, l := range item.Lines {
			l.At = l.At.In(n.zone())
			lines = append(lines, l.String())
		}
		paragraphs = append(paragraphs, strings.Join(lines, "\n"))
	}
	return strings.Join(paragraphs, "\n\n"), nil
}

func (n *Notebook) recall(ctx context.Context, query string, options []RecallOption) (found recall.Result, asked recallSettings, err error) {
	asked.Query = recall.Query{Text: query, Asker: n.person.ID, Now: n.store.db.Now().In(n.zone())}
	for _, o := range options {
		o(&asked)
	}
	h, err := n.Visibility(ctx)
	if err == nil {
		found, err = n.store.Recall.Find(ctx, h, asked.Query)
	}
	return found, asked, err
}

// Beliefs are what was claimed and may be known in this notebook, the latest first, each with its evidence. The filter's
// Persona is not asked.
func (n *Notebook) Beliefs(ctx context.Context, f belief.Filter) ([]model.Belief, error) {
	h, err := n.Visibility(ctx)
	if err != nil {
		return nil, err
	}
	return n.store.Beliefs.Beliefs(ctx, h, f)
}

// Memories lists what may be known in this notebook, what matters before the rest and the newest first within both; 20
// when limit is 0.
func (n *Notebook) Memories(ctx context.Context, limit int) ([]model.Memory, error) {
	h, err := n.Visibility(ctx)
	if err != nil {
		return nil, err
	}
	return n.store.Recall.MemoriesFor(ctx, h, limit)
}

// Forget takes a memory away with everything that was made of it: its words, and beliefs that rest on it alone. It
// fails with ErrNotFound for what is not written in this notebook, and in a shared one for what others wrote.
func (n *Notebook) Forget(ctx context.Context, id int64) (erase.ForgetResult, error) {
	m, err := n.store.Entries.Memory(ctx, id)
	if err == nil && (m.Persona != n.owner.Persona || m.Audience != n.Audience() || m.AuthorID != n.person.ID) {
		err = fmt.Errorf("forget memory %d: %w", id, db.ErrNotFound)
	}
	if err != nil {
		return erase.ForgetResult{}, err
	}
	return n.store.Eraser.Forget(ctx, id)
}
