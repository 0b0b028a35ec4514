package jobs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/mind"
)

const curiosityJob = "curiosity"

const (
	// maxOpenTerms is how many unexplained terms of a person are tracked in a scope. openTermFor is how long an unused
	// one counts.
	maxOpenTerms = 50
	openTermFor  = 60 * 24 * time.Hour
	// longestTerm is how many words a term may have.
	longestTerm = 3
)

// CuriosityResult is the result of a run of CuriosityOnce.
type CuriosityResult struct {
	// Terms counts new terms, Heard the messages that use one, Explained the terms that were explained or are not to be
	// asked about.
	Terms     int `json:"terms"`
	Heard     int `json:"heard"`
	Explained int `json:"explained"`
}

// String describes the result for the ledger.
func (w CuriosityResult) String() string {
	if w == (CuriosityResult{}) {
		return "nothing new to wonder about"
	}
	return fmt.Sprintf("%d unexplained terms, %d used again, %d explained", w.Terms, w.Heard, w.Explained)
}

// CuriosityOnce finds names that people used since the last run without explaining them, and explanations of names
// found before. It asks nothing itself; that is left to the conversation. Everything it stores carries run.
func (n Deps) CuriosityOnce(ctx context.Context, run int64, _ time.Time) (done CuriosityResult, err error) {
	noted, err := n.forEachNews(ctx, curiosityJob, run, func(ctx context.Context, f *scopeReader, said []belief.BacklogItem) error {
		return f.findUnknownTerms(ctx, said)
	})
	return CuriosityResult{Terms: noted.Opened, Heard: noted.Added, Explained: noted.Closed}, err
}

// curiosityReader tracks the unexplained terms of one person.
type curiosityReader struct {
	*scopeReader
	terms []belief.TrackedLoop
	// told caches whether a term is explained.
	told map[string]bool
}

// findUnknownTerms reads what one person said.
func (f *scopeReader) findUnknownTerms(ctx context.Context, said []belief.BacklogItem) error {
	known, err := f.Store.Beliefs.TrackedLoopsInScope(ctx, f.Card.Key, f.audience, said[0].AuthorID, belief.LoopCuriosity)
	if err != nil {
		return err
	}
	c := curiosityReader{scopeReader: f, terms: known, told: map[string]bool{}}
	zone, err := f.zoneOf(ctx, said[0].AuthorID)
	if err != nil {
		return err
	}
	for _, m := range said {
		r := m.Analysis(zone, f.Card.WithoutFacts)
		c.explained(m, r)
		if err := c.unexplained(ctx, m, r); err != nil {
			return err
		}
	}
	return nil
}

// explained closes the terms that a message explains.
func (c *curiosityReader) explained(m belief.BacklogItem, r understand.Analysis) {
	c.terms = slices.DeleteFunc(c.terms, func(t belief.TrackedLoop) bool {
		asked := c.audience.Kind == model.Private && asksAbout(m.Before, t.Text)
		if mind.Explains(t.Text, m.Text, r, asked) == mind.Unexplained {
			return false
		}
		c.hear(t.ID, m.Sources[0], belief.MentionClosed)
		return true
	})
}

// unexplained records the terms that a message uses without explaining them.
func (c *curiosityReader) unexplained(ctx context.Context, m belief.BacklogItem, r understand.Analysis) error {
	for _, term := range r.Entities {
		if !c.isUnknownTerm(term, m, r) {
			continue
		}
		if i := slices.IndexFunc(c.terms, func(t belief.TrackedLoop) bool { return strings.EqualFold(t.Text, term) }); i >= 0 {
			c.hear(c.terms[i].ID, m.Sources[0], belief.MentionNew)
			continue
		}
		told, err := c.tells(ctx, m.AuthorID, term)
		if err != nil {
			return err
		}
		if !told && c.hasRoom(m.Created) {
			id := c.open(belief.LoopMention{Kind: belief.LoopCuriosity, Text: term, Message: m.Sources[0]})
			c.terms = append(c.terms, belief.TrackedLoop{Loop: model.Loop{ID: id, Text: term}, Last: m.Created})
		}
	}
	return nil
}

// tells reports whether someone has explained a term.
func (c *curiosityReader) tells(ctx context.Context, person int64, term string) (bool, error) {
	if told, known := c.told[term]; known {
		return told, nil
	}
	told, err := c.Store.Beliefs.IsExplained(ctx, c.Card.Key, person, term)
	c.told[term] = told
	return told, err
}

// hasRoom reports whether one more term can be tracked.
func (c *curiosityReader) hasRoom(at time.Time) bool {
	fresh := 0
	for _, t := range c.terms {
		if at.Sub(t.Last) < openTermFor {
			fresh++
		}
	}
	return fresh < maxOpenTerms
}

// isUnknownTerm reports whether a term is a name that the message does not explain and that needs explaining.
func (c *curiosityReader) isUnknownTerm(term string, m belief.BacklogItem, r understand.Analysis) bool {
	if len(strings.Fields(term)) > longestTerm || strings.ToLower(term) == term || r.Supposes || r.Question != nil || r.Forget {
		return false
	}
	for _, own := range []string{m.Author, c.Card.Name} {
		if strings.EqualFold(own, term) {
			return false
		}
	}
	return !isSelfExplanatory(term, m.Text) && mind.Explains(term, m.Text, r, false) == mind.Unexplained
}

// explainingWords are words before a name that explain enough: places ("to Bergen") and things that are generally known
// ("the Alps", "reading Dune", "use Linux").
var explainingWords = strings.Fields("in to from at near around through via towards across the use used using read reading watch watched watching " +
	"play played playing love loved like liked hate hated thank thanks oh my")

// isSelfExplanatory reports whether a text uses a term in a way that needs no explanation.
func isSelfExplanatory(term, text string) bool {
	before, _, found := strings.Cut(text, term)
	words := strings.Fields(strings.ToLower(before))
	return found && len(words) > 0 && slices.Contains(explainingWords, words[len(words)-1])
}
