package session

import (
	"cmp"
	"context"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/mind"
	"familiar/persona/scene"
)

// pursued adds to a session's tallies what was said about goals. The goals job reads it only later.
func (k *Manager) pursued(ctx context.Context, room model.Room, talk []talkMessage, tallies map[int64]turns.Tally) error {
	words := make(map[int64][]talkMessage)
	for _, h := range talk {
		if h.PersonID != 0 {
			words[h.PersonID] = append(words[h.PersonID], h)
		}
	}
	for person, said := range words {
		known, err := k.Store.Beliefs.TrackedLoopsInScope(ctx, k.Card.Key, room.Audience(), person, belief.LoopGoal)
		if err != nil {
			return err
		}
		touched, reached := goalsIn(said, known)
		more := max(touched-tallies[person].Goals, 0) // later than the job has read
		for _, whose := range []int64{person, 0} {
			t := tallies[whose]
			t.Goals, t.Achieved = t.Goals+more, t.Achieved+reached
			tallies[whose] = t
		}
	}
	return nil
}

// goalsIn counts the goals that someone's messages mention, including new ones, and how many of them the messages
// report as finished.
func goalsIn(said []talkMessage, known []belief.TrackedLoop) (touched, reached int) {
	var goals []mind.Goal
	for _, g := range known {
		goals = append(goals, scene.GoalOf(g))
	}
	progress := make(map[int]mind.Progress)
	for _, h := range said {
		stated := h.analysis.Goals
		for _, g := range stated {
			i := slices.IndexFunc(goals, func(k mind.Goal) bool { return mind.SameGoal(k.Text, g.Text) })
			if i < 0 {
				i, goals = len(goals), append(goals, mind.Goal{Text: g.Text, Touched: h.At})
			}
			progress[i] = cmp.Or(progress[i], mind.GoalAgain)
		}
		if len(stated) > 0 {
			continue
		}
		i, how := mind.Toward(goals, h.Text, h.analysis, mind.AskedAbout(goals, h.before))
		if i >= 0 && progress[i] != mind.GoalReached {
			progress[i] = how
		}
	}
	for _, how := range progress {
		if how == mind.GoalReached {
			reached++
		}
	}
	return len(progress), reached
}
