package talk

import (
	"context"
	"fmt"
	"slices"

	"familiar/memory"
	"familiar/memory/recall"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// first is how many recalled memories count.
const first = 3

// recallAll reports for each question whether a told line with its answer is among the first memories recalled, nil if
// that is not asked for or no single told line holds the answer. It recalls before the first question is asked, so that
// questions do not recall each other.
func (s *stage) recallAll(ctx context.Context, parts Parts) ([]*bool, error) {
	recalled := make([]*bool, len(s.probe.Asks))
	if !parts.Recall {
		return recalled, nil
	}
	messages, asker, hearing, err := s.readTold(ctx)
	if err != nil {
		return nil, fmt.Errorf("read what was told: %w", err)
	}
	for i, a := range s.probe.Asks {
		var evidence []int64
		for n, text := range s.probe.Told {
			if found(a.rules.wanted, text) {
				evidence = append(evidence, messages[n])
			}
		}
		if len(evidence) == 0 {
			continue
		}
		gold, err := s.Store.Log.MemoriesFromMessages(ctx, evidence)
		if err != nil {
			return nil, err
		}
		among, err := s.recalls(ctx, a.Question, asker, hearing, gold)
		if err != nil {
			return nil, err
		}
		recalled[i] = &among
	}
	return recalled, nil
}

// recalls reports whether one of gold is among the first memories that a turn with the question would recall. Unlike a
// turn, it also finds what is still in the running session: how well recall reads must not depend on how long ago
// something was told.
func (s *stage) recalls(ctx context.Context, question string, asker int64, hearing memory.Visibility, gold []int64) (bool, error) {
	q := recall.Query{
		Text: words.Cut(question, scene.QueryLimit), Near: s.near(ctx, question), Asker: asker, Now: s.clock.Now(),
		Limit: s.Settings.RecallLimit, Weights: s.Card.Sectors, WithoutFacts: s.Card.WithoutFacts,
	}
	got, err := s.Store.Recall.Find(ctx, hearing, q)
	if err != nil {
		return false, err
	}
	for _, hit := range got.Hits[:min(first, len(got.Hits))] {
		if slices.Contains(gold, hit.Memory.ID) {
			return true, nil
		}
	}
	return false, nil
}

// readTold returns the stored messages of what was told, who told it, and what may be repeated to them. Every direct
// room of a person sees the same memories, so the room where it was told stands for the room of the questions, which may
// not exist yet.
func (s *stage) readTold(ctx context.Context) (messages []int64, asker int64, hearing memory.Visibility, err error) {
	for _, m := range s.told {
		stored, _, err := s.Store.Log.MessageByExternalID(ctx, s.Card.Key, m.Room, m.ID)
		if err != nil {
			return nil, 0, hearing, err
		}
		messages, asker = append(messages, stored.ID), stored.PersonID
	}
	room, err := s.Store.Log.RoomByAddress(ctx, s.told[0].Room)
	if err != nil {
		return nil, 0, hearing, err
	}
	hearing, err = s.Store.Log.Visibility(ctx, s.Card.Key, room.ID)
	return messages, asker, hearing, err
}
