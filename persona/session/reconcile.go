package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"familiar/internal/text"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// reconcile finds out what somebody said in a group that ends what they told in private. The notes of the group do not have
// it, so nobody reading them could say so. The model sees one person's words and private notes at a time, and what it finds
// stays private. Who somebody is never ends this way.
func (k *Manager) reconcile(ctx context.Context, in RefineInput, items []Item) (all []turns.PrivateClaims, err error) {
	if in.Audience.Kind != model.InRoom {
		return nil, nil
	}
	said := map[int64][]Item{}
	for _, item := range items {
		if len(item.Claims) > 0 {
			author := item.Claims[0].AuthorID
			said[author] = append(said[author], item)
		}
	}
	for _, person := range sortedKeys(said) {
		notes, err := k.privateNotes(ctx, person, said[person])
		if err != nil {
			return nil, err
		}
		if len(notes) == 0 {
			continue
		}
		claims, err := ended(ctx, k.Model, in, said[person], notes)
		if err != nil {
			return nil, fmt.Errorf("compare what person %d said in a group with private notes: %w", person, err)
		}
		if len(claims) > 0 {
			all = append(all, turns.PrivateClaims{PersonID: person, Claims: claims})
		}
	}
	return all, nil
}

func sortedKeys(m map[int64][]Item) (keys []int64) {
	for id := range m {
		keys = append(keys, id)
	}
	slices.Sort(keys)
	return keys
}

// privateNotes returns what a person told of their own in private that shares a word with what they said, the latest first.
func (k *Manager) privateNotes(ctx context.Context, person int64, said []Item) ([]model.Belief, error) {
	h, err := k.Store.Log.VisibilityIn(ctx, k.Card.Key, model.Room{Direct: true, PersonID: person})
	if err != nil {
		return nil, err
	}
	notes, err := k.Store.Beliefs.Beliefs(ctx, h, belief.Filter{AuthorID: person, Limit: knownFacts})
	if err != nil {
		return nil, err
	}
	heard := map[string]bool{}
	for _, item := range said {
		for word := range text.PlainWords(item.Sentence + " " + item.Quote) {
			heard[word] = true
		}
	}
	notes = slices.DeleteFunc(notes, func(b model.Belief) bool {
		return b.Audience.Kind != model.Private || rel.Guarded(b.Relation) || matching(b, heard) < sharedWords
	})
	return notes[:min(len(notes), prompts.MaxStatements)], nil
}

// sharedWords is how many words a private note shares at least with what was said in a group.
const sharedWords = 2

// ended asks the model which notes are over by what somebody said, and returns the claims that end them.
func ended(ctx context.Context, m modelvoice.Model, in RefineInput, said []Item, notes []model.Belief) (claims []belief.AttributedClaim, err error) {
	check := prompts.CheckInput{Name: in.Name, Budget: in.Budget}
	last := said[0]
	for _, item := range said {
		check.Lines = append(check.Lines, prompts.Numbered{Number: item.number, Entry: in.entry(in.Messages[item.number-1])})
		if item.number > last.number {
			last = item
		}
	}
	for _, b := range notes {
		check.Statements = append(check.Statements, noLonger+sentenceOf(b))
	}
	over := make([]bool, len(notes))
	_, err = modelvoice.Ask(ctx, m, prompts.Check(check), func(text string) (err error) {
		over, err = prompts.ParseCheck(text, len(notes))
		return err
	})
	if err != nil && !errors.Is(err, prompts.ErrInvalidAnswer) {
		return nil, err
	}
	by := last.Claims[0]
	for i, b := range notes {
		if !over[i] {
			continue
		}
		c := belief.AttributedClaim{
			AuthorID: by.AuthorID, Author: by.Author, MessageID: by.MessageID, At: by.At, SubjectPerson: b.SubjectPerson,
			Claim: understand.Claim{
				Kind: kindOf(b.Relation), Relation: b.Relation, Subject: b.Subject, Value: b.Value, Quote: last.Quote, Negates: true, Changed: true,
			},
		}
		if c.SubjectPerson == c.AuthorID {
			c.Subject = ""
		}
		claims = append(claims, c)
	}
	return claims, nil
}
