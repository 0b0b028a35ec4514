package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/persona/card"
	"familiar/persona/mind"
)

// endSessions ends sessions in order and in one transaction. If that fails, it uses one transaction for each, so that
// one failing session does not hold up those before it. Ending a session twice changes nothing.
func (k *Manager) endSessions(ctx context.Context, sessions []model.Session, run int64) (done CloseResult, err error) {
	done.Sessions = len(sessions)
	done.Words, err = k.endTogether(ctx, sessions, run)
	if err == nil || len(sessions) == 1 && errors.Is(err, turns.ErrAlreadyDone) {
		return done, nil
	}
	done = CloseResult{}
	if len(sessions) == 1 {
		return done, err
	}
	for alone := range slices.Chunk(sessions, 1) {
		more, err := k.endSessions(ctx, alone, run)
		if err != nil {
			return done, err
		}
		done.add(more)
	}
	return done, nil
}

// endTogether ends sessions in one transaction.
func (k *Manager) endTogether(ctx context.Context, sessions []model.Session, run int64) (made lifecycle.InferResult, err error) {
	ends := make([]turns.SessionEnd, len(sessions))
	for i, s := range sessions {
		if ends[i], err = k.sessionEnd(ctx, s, run); err != nil {
			return made, fmt.Errorf("read session %d: %w", s.ID, err)
		}
	}
	return k.Store.Turns.EndSessions(ctx, ends...)
}

// sessionEnd returns how a session ends: it rates what happened, updates the relationships with those who spoke, and
// leaves a summary, moments of the persona's story, milestones, its mood, what it practised and open questions.
func (k *Manager) sessionEnd(ctx context.Context, s model.Session, run int64) (end turns.SessionEnd, err error) {
	var ending *endedSession
	err = k.Store.Snapshot(ctx, func(ctx context.Context) (err error) {
		ending, err = k.ending(ctx, s)
		return err
	})
	if err != nil {
		return end, err
	}
	end = turns.SessionEnd{
		ID: s.ID, At: s.Last, Significance: ending.meaning.Overall, Class: ending.meaning.Class, JobRun: run,
		Relate: make(map[int64]func(model.Relationship) model.Relationship, len(ending.facts)), Leave: ending.leave,
	}
	for person, f := range ending.facts {
		if ending.overheard() {
			break // being overheard does not deepen a relationship
		}
		end.Relate[person] = func(rel model.Relationship) model.Relationship {
			return mind.Ended(rel, f, s.Last.In(ending.zones[person]))
		}
	}
	return end, nil
}

// endedSession is a session that is about to end.
type endedSession struct {
	session model.Session
	talk    []talkMessage
	// direct reports that no one else was in the room.
	direct bool
	// facts count what each person contributed, total what all did; meaning is the significance of the session.
	facts   map[int64]mind.SessionFacts
	total   mind.SessionFacts
	meaning mind.Significance
	zones   map[int64]*time.Location
	// usual is the persona's baseline mood.
	usual mind.Mood
}

// talkMessage is one analyzed message of a session, with the persona's message before it. The persona's own messages
// are not analyzed.
type talkMessage struct {
	model.Message
	before   string
	analysis understand.Analysis
}

func (k *Manager) ending(ctx context.Context, s model.Session) (*endedSession, error) {
	messages, err := k.Store.Turns.SessionMessages(ctx, s.ID)
	if err != nil {
		return nil, err
	}
	tallies, err := k.Store.Turns.Tally(ctx, s)
	if err != nil {
		return nil, err
	}
	room, err := k.Store.Log.RoomByID(ctx, s.RoomID)
	if err != nil {
		return nil, err
	}
	talk := analyzeAll(messages)
	if err := k.pursued(ctx, room, talk, tallies); err != nil {
		return nil, err
	}
	end := weigh(talk, tallies)
	end.session, end.direct = s, room.Direct
	grown, err := card.Grown(ctx, k.Store, k.Card.Key)
	if err != nil {
		return nil, err
	}
	end.usual = mind.UsualMood(k.Card.Strengths(), grown)
	end.zones = make(map[int64]*time.Location, len(end.facts))
	for person := range end.facts {
		p, err := k.Store.Log.Person(ctx, person)
		if err != nil {
			return nil, err
		}
		end.zones[person] = p.Location(k.Settings.Zone)
	}
	return end, nil
}

// Meaning returns the significance of a session, part by part, from its messages and recorded counts. It is what the
// end of the session was based on, unless something was forgotten since.
func Meaning(messages []model.Message, tallies map[int64]turns.Tally) mind.Significance {
	return weigh(analyzeAll(messages), tallies).meaning
}

// Facts returns the counts of a whole session that Meaning rates.
func Facts(messages []model.Message, tallies map[int64]turns.Tally) mind.SessionFacts {
	return weigh(analyzeAll(messages), tallies).total
}

// analyzeAll analyzes the messages of a session, each with the persona's message before it.
func analyzeAll(messages []model.Message) (talk []talkMessage) {
	before := ""
	for _, m := range messages {
		h := talkMessage{Message: m, before: before}
		if before = ""; m.PersonID == 0 {
			before = m.Text
		} else {
			h.analysis = m.Stored.Or(understand.Utterance{Text: m.Text, At: m.At, Before: h.before})
		}
		talk = append(talk, h)
	}
	return talk
}

// weigh counts what each person contributed to a session.
func weigh(talk []talkMessage, tallies map[int64]turns.Tally) *endedSession {
	end := &endedSession{talk: talk, facts: make(map[int64]mind.SessionFacts)}
	for _, h := range talk {
		if h.PersonID != 0 {
			end.facts[h.PersonID] = end.facts[h.PersonID].With(h.Text, h.analysis)
		}
	}
	for _, q := range end.questions() {
		f := end.facts[q.PersonID]
		if q.answered {
			f.Answered++
		} else {
			f.Unanswered++
		}
		end.facts[q.PersonID] = f
	}
	for person, f := range end.facts {
		end.facts[person] = counted(f, tallies[person])
		end.total = end.total.Plus(f)
	}
	end.total = counted(end.total, tallies[0])
	end.meaning = mind.Weigh(end.total)
	return end
}

// counted returns the facts with the counts that the record adds to those from messages.
func counted(f mind.SessionFacts, t turns.Tally) mind.SessionFacts {
	f.NewTopics, f.Achieved, f.GoalTouched = t.NewTopics, t.Achieved, t.Goals
	f.Recalled, f.AskedAfter, f.Greeted = t.Recalled, t.AskedAfter, min(t.Greeted, 1)
	return f
}

// overheard reports whether others talked and the persona said nothing. Such a session is summarized but is not part of
// the persona's story.
func (e *endedSession) overheard() bool {
	return !e.direct && !slices.ContainsFunc(e.talk, func(h talkMessage) bool { return h.PersonID == 0 })
}

// leave returns what the session leaves, given the state inside the transaction that ends it.
func (e *endedSession) leave(standing turns.SessionContext) (left turns.SessionOutcome) {
	if summary, ok := e.summary(); ok {
		left.Words = append(left.Words, summary)
	}
	if e.overheard() {
		return left
	}
	reached := e.reached(standing)
	for _, person := range e.people() {
		for _, m := range reached[person] {
			left.Milestones = append(left.Milestones, turns.Milestone{PersonID: person, Kind: string(m)})
		}
	}
	left.Words = append(left.Words, e.moments(reached)...)
	felt := e.felt(standing.Mood)
	left.Mood = &turns.Mood{Valence: felt.Valence, Energy: felt.Energy}
	practised := mind.Practised(e.total, e.session.Last)
	for _, skill := range mind.Skills {
		if p, called := practised[skill]; called {
			left.Practice = append(left.Practice, turns.Practice{Skill: string(skill), Successes: p.Successes, Failures: p.Failures})
		}
	}
	left.Open = append(e.unanswered(), e.promised()...)
	return left
}

// people returns the people who spoke, in order of ID.
func (e *endedSession) people() []int64 { return slices.Sorted(maps.Keys(e.facts)) }

// reached returns the milestones reached with each person.
func (e *endedSession) reached(standing turns.SessionContext) map[int64][]mind.Milestone {
	reached := make(map[int64][]mind.Milestone, len(e.facts))
	for person, f := range e.facts {
		var had []mind.Milestone
		for _, kind := range standing.Reached[person] {
			had = append(had, mind.Milestone(kind))
		}
		at := e.session.Last.In(e.zones[person])
		reached[person] = mind.Reached(standing.Relationships[person], f, had, at)
	}
	return reached
}

// felt returns the persona's mood after the session.
func (e *endedSession) felt(before turns.Mood) mind.Mood {
	if before.At.IsZero() {
		return mind.Felt(e.usual, e.usual, e.total, 0)
	}
	mood := mind.Mood{Valence: before.Valence, Energy: before.Energy}
	return mind.Felt(mood, e.usual, e.total, e.session.Last.Sub(before.At))
}
