package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/card"
	"familiar/persona/mind"
	"familiar/persona/session"
)

const (
	// aWeek is how far back a run looks at most.
	aWeek = 7 * 24 * time.Hour
	// practisedFor is how far back practice counts; of anything older, a thousandth is left.
	practisedFor = 140 * 24 * time.Hour
	// lessonsKept and selfNotesKept are how many of the newest lessons and self-notes are kept.
	lessonsKept, selfNotesKept = 50, 20
)

// GrowthResult is the result of a run of GrowthOnce.
type GrowthResult struct {
	// Sessions counts the sessions used. Version is the version written, 0 for none.
	Sessions int `json:"sessions"`
	Version  int `json:"version,omitempty"`
	// Changes are the differences from the version before.
	Changes []mind.Change `json:"changes,omitempty"`
	// Gone counts the lessons and notes that were dropped.
	Gone int `json:"gone,omitempty"`
}

// String describes the result for the ledger.
func (g GrowthResult) String() string {
	words := "nothing has grown"
	if g.Version > 0 {
		words = fmt.Sprintf("grew by %d sessions to version %d, %d figures changed", g.Sessions, g.Version, len(g.Changes))
	}
	if g.Gone > 0 {
		words += fmt.Sprintf("; removed %d old notes", g.Gone)
	}
	return words
}

// GrowthOnce writes a new version of the persona's growth if the sessions since the last version changed it, looking
// back a week at most. Growth is made of numbers about sessions with everyone. The job also drops the oldest lessons
// and self-notes.
func (n Deps) GrowthOnce(ctx context.Context, run int64, now time.Time) (done GrowthResult, err error) {
	version, err := n.Store.Turns.LatestGrowth(ctx, n.Card.Key)
	if err != nil {
		return done, err
	}
	before, err := card.ReadGrowth(version)
	if err != nil {
		return done, err
	}
	since := now.Add(-aWeek)
	if version.At.After(since) {
		since = version.At
	}
	week, err := n.week(ctx, since, now, before)
	if err != nil {
		return done, fmt.Errorf("summarize the week: %w", err)
	}
	done.Sessions = week.Sessions
	if next := mind.Snapshot(before, n.Card.Strengths(), week); next.Version != before.Version {
		if err := n.grow(ctx, run, before, next, &done); err != nil {
			return done, err
		}
	}
	return done, n.letGo(ctx, &done)
}

func (n Deps) grow(ctx context.Context, run int64, before, next mind.Grown, done *GrowthResult) error {
	state, err := json.Marshal(next)
	if err != nil {
		return err
	}
	err = n.Store.Turns.AddGrowth(ctx, n.Card.Key, run, before.Version, state)
	if errors.Is(err, turns.ErrGrowthConflict) {
		return nil // the operator decides
	}
	if err == nil {
		done.Version, done.Changes = next.Version, mind.Diff(before, next)
	}
	return err
}

func (n Deps) letGo(ctx context.Context, done *GrowthResult) error {
	for _, k := range []struct {
		kind model.Kind
		kept int
	}{{model.Lesson, lessonsKept}, {model.SelfNote, selfNotesKept}} {
		gone, err := n.Store.Turns.TrimInferences(ctx, n.Card.Key, k.kind, k.kept)
		if err != nil {
			return err
		}
		done.Gone += gone
	}
	return nil
}

// week summarizes the sessions with everyone that ended since a time.
func (n Deps) week(ctx context.Context, since, now time.Time, grown mind.Grown) (w mind.Week, err error) {
	sessions, err := n.Store.Turns.SessionsEndedSince(ctx, n.Card.Key, since)
	if err != nil || len(sessions) == 0 {
		return w, err
	}
	w.Sessions = len(sessions)
	all, err := parallel(ctx, sessions, n.factsOf)
	if err != nil {
		return w, err
	}
	for _, facts := range all {
		w.Facts = w.Facts.Plus(facts)
		w.Facts.NewTopics += facts.NewTopics
		w.Facts.Achieved += facts.Achieved
	}
	if w.Mood, err = n.meanMood(ctx, since, grown); err != nil {
		return w, err
	}
	practice, err := n.Store.Turns.Practice(ctx, n.Card.Key, now.Add(-practisedFor))
	if err != nil {
		return w, err
	}
	w.Skills = skilled(practice, now)
	return w, nil
}

// factsOf returns the facts of a session, unless something of it was forgotten since.
func (n Deps) factsOf(ctx context.Context, s model.Session) (facts mind.SessionFacts, err error) {
	messages, err := n.Store.Turns.SessionMessages(ctx, s.ID)
	if err != nil {
		return facts, fmt.Errorf("session %d: %w", s.ID, err)
	}
	tallies, err := n.Store.Turns.Tally(ctx, s)
	return session.Facts(messages, tallies), err
}

// meanMood returns the mean of the moods since a time, or the baseline if there was none.
func (n Deps) meanMood(ctx context.Context, since time.Time, grown mind.Grown) (mean mind.Mood, err error) {
	moods, err := n.Store.Turns.Moods(ctx, n.Card.Key, since)
	if err != nil || len(moods) == 0 {
		return mind.UsualMood(n.Card.Strengths(), grown), err
	}
	for _, m := range moods {
		mean.Valence += m.Valence / float64(len(moods))
		mean.Energy += m.Energy / float64(len(moods))
	}
	return mean, nil
}

// skilled returns the skills that the persona practised.
func skilled(practice []turns.Practice, now time.Time) map[mind.Skill]mind.Figure {
	by := map[mind.Skill][]mind.Practice{}
	for _, p := range practice {
		by[mind.Skill(p.Skill)] = append(by[mind.Skill(p.Skill)], mind.Practice{At: p.At, Successes: p.Successes, Failures: p.Failures})
	}
	figures := make(map[mind.Skill]mind.Figure, len(by))
	for s, done := range by {
		figures[s] = mind.Skilled(done, now)
	}
	return figures
}
