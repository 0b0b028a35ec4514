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

// Recall returns what is remembered about the query and may be known in this notebook, best first. No result is not an
// error. Times in the query ("last week", "in May") count; "I" and "my" mean the owner.
func (n *Notebook) Recall(ctx context.Context, query string, options ...RecallOption) ([]recall.Hit, error) {
	found, asked, err := n.recall(ctx, query, options)
	if err != nil || asked.weak {
		return found.Hits, err
	}
	return slices.DeleteFunc(found.Hits, func(h recall.Hit) bool { return h.Weak }), nil
}

// Context returns what is remembered about the query as text of at most the given number of tokens, for a prompt: lines
// with time and speaker, one paragraph for lines that belong together. Outdated values are marked. The text is empty
// when nothing about the query is known and nothing is pinned.
func (n *Notebook) Context(ctx context.Context, query string, tokens int, options ...RecallOption) (string, error) {
	if tokens <= 0 {
		return "", fmt.Errorf("pack context: a budget of %d tokens is too small", tokens)
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
	if asked.embedder != nil {
		if asked.Near, err = EmbedText(ctx, asked.embedder, recall.EmbeddedQuestion(n.person.Name, query)); err != nil {
			return found, asked, fmt.Errorf("recall for %s: %w", n.owner.Persona, err)
		}
	}
	h, err := n.Visibility(ctx)
	if err == nil {
		found, err = n.store.Recall.Find(ctx, h, asked.Query)
	}
	return found, asked, err
}

// Beliefs returns the beliefs that may be known in this notebook, latest first, each with its evidence. It ignores the
// filter's Persona.
func (n *Notebook) Beliefs(ctx context.Context, f belief.Filter) ([]model.Belief, error) {
	h, err := n.Visibility(ctx)
	if err != nil {
		return nil, err
	}
	return n.store.Beliefs.Beliefs(ctx, h, f)
}

// Memories lists what may be known in this notebook, salient memories first, newest first within both groups; 20 when
// limit is 0.
func (n *Notebook) Memories(ctx context.Context, limit int) ([]model.Memory, error) {
	h, err := n.Visibility(ctx)
	if err != nil {
		return nil, err
	}
	return n.store.Recall.MemoriesFor(ctx, h, limit)
}

// Recent lists the newest memories that may be known in this notebook, newest first; 20 when limit is 0. With sectors it
// lists only these.
func (n *Notebook) Recent(ctx context.Context, limit int, sectors ...model.Sector) ([]model.Memory, error) {
	h, err := n.Visibility(ctx)
	if err != nil {
		return nil, err
	}
	return n.store.Recall.Newest(ctx, h, limit, sectors...)
}

// Forget removes a memory with its text and everything derived from it, such as beliefs without other evidence. It
// fails with ErrNotFound for a memory not written in this notebook and, in a shared one, for what others wrote.
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
