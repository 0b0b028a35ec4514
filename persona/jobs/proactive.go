package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"familiar/channels"
	"familiar/channels/gate"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/scene"
)

// Proactive writes to people first about their plans, shortly before or after the planned time. It does not word
// anything: it leaves a pending entry in the room, on which the room's lane takes an ordinary turn.
type Proactive struct {
	Deps
	// Hears reports whether the current configuration would store a message of the person. Nil stores everything.
	Hears func(ctx context.Context, m channels.Message) bool
	// Wake tells the process that serves the rooms that something is pending. It is nil if this process serves none.
	Wake func(ctx context.Context) error
}

// ProactiveResult is the result of a run of ProactiveOnce.
type ProactiveResult struct {
	// Due counts the people with a due topic, Handed those handed to the engine.
	Due    int `json:"due"`
	Handed int `json:"handed"`
	// Withheld counts the others, by reason.
	Withheld map[gate.Reason]int `json:"withheld,omitempty"`
}

// String describes the result for the ledger.
func (s ProactiveResult) String() string {
	if s.Due == 0 {
		return "nothing due"
	}
	words := fmt.Sprintf("due with %d, speaking to %d", s.Due, s.Handed)
	for _, why := range slices.Sorted(maps.Keys(s.Withheld)) {
		words += fmt.Sprintf(", %d withheld (%s)", s.Withheld[why], why)
	}
	return words
}

// ProactiveOnce finds the people with a due topic at now and hands those whom the persona may write to first to the
// engine. It uses no model. People claimed by another run are left to the next.
func (p Proactive) ProactiveOnce(ctx context.Context, run int64, now time.Time) (done ProactiveResult, err error) {
	due, err := p.due(ctx, now)
	if err != nil {
		return done, err
	}
	approaches, err := p.approaches(ctx, due, now)
	if err != nil {
		return done, err
	}
	if err := p.handOver(ctx, run, approaches, &done); err != nil {
		return done, err
	}
	if p.Wake != nil { // also for entries that another process stored
		err = p.Wake(ctx)
	}
	return done, err
}

// dueWith holds the due topics of one person that were neither brought up nor suppressed before, in any room.
type dueWith struct {
	person   int64
	subjects []string
}

// due returns the due topics of each person. Most were brought up before; nothing more is read about those people.
func (p Proactive) due(ctx context.Context, now time.Time) (all []dueWith, err error) {
	from, until := scene.FollowUpSpan(now)
	loops, err := p.Store.Turns.DueLoops(ctx, p.Card.Key, from, until)
	if err != nil || len(loops) == 0 {
		return nil, err
	}
	ups := scene.FollowUps(loops, nil, now)
	before, err := p.Store.Turns.RaisedSubjects(ctx, p.Card.Key, string(gate.NothingToSay), subjectsOf(ups)...)
	if err != nil {
		return nil, err
	}
	by := map[int64][]string{}
	for _, f := range ups {
		if person := f.Loop.PersonID; !before[turns.RaisedSubject{PersonID: person, Subject: f.Subject}] {
			by[person] = append(by[person], f.Subject)
		}
	}
	for _, person := range slices.Sorted(maps.Keys(by)) {
		all = append(all, dueWith{person, by[person]})
	}
	return all, nil
}

// approaches returns the people with a due topic that can be brought up with them.
func (p Proactive) approaches(ctx context.Context, due []dueWith, now time.Time) (all []approach, err error) {
	for _, with := range due {
		err := p.Store.Snapshot(ctx, func(ctx context.Context) error {
			a, ok, err := p.approach(ctx, with, now)
			if ok {
				all = append(all, a)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("check proactive topics of person %d: %w", with.person, err)
		}
	}
	return all, nil
}

// handOver hands over the people that no other run has claimed, and stores why it suppresses some.
func (p Proactive) handOver(ctx context.Context, run int64, approaches []approach, done *ProactiveResult) error {
	if len(approaches) == 0 {
		return nil
	}
	people := make([]int64, len(approaches))
	for i, a := range approaches {
		people[i] = a.person.ID
	}
	claimed, err := p.Store.Jobs.TryClaim(ctx, p.Card.Key, run, people...)
	if err != nil {
		return err
	}
	done.Withheld = map[gate.Reason]int{}
	var withheld []turns.ProactiveDecision
	for _, a := range approaches {
		if !slices.Contains(claimed, a.person.ID) {
			continue
		}
		done.Due++
		why, err := p.speakTo(ctx, a, run)
		switch {
		case err != nil:
			return fmt.Errorf("hand over a proactive message to person %d: %w", a.person.ID, err)
		case why == gate.Allowed:
			done.Handed++
		default:
			done.Withheld[why]++
			withheld = append(withheld, turns.ProactiveDecision{
				PersonID: a.person.ID, Subject: a.about.Subject, Reason: string(why), JobRun: run, At: a.now,
			})
		}
	}
	return p.Store.Turns.RecordDecisions(ctx, p.Card.Key, withheld) // the end of the run releases them
}

// approach says whom to write to, where and about what.
type approach struct {
	person model.Person
	room   model.Room
	about  scene.FollowUp
	now    time.Time // in their timezone
}

// approach selects the topic to bring up with a person, false for none. It selects from what is visible in the direct
// room they used last, among those where the persona may write first.
func (p Proactive) approach(ctx context.Context, due dueWith, now time.Time) (a approach, ok bool, err error) {
	if a.person, err = p.Store.Log.Person(ctx, due.person); err != nil {
		return a, false, err
	}
	a.now = now.In(a.person.Location(p.zone()))
	rooms, err := p.Store.Turns.DirectRooms(ctx, due.person)
	if err != nil || len(rooms) == 0 {
		return a, false, err // they have no direct room, so nothing is for them alone
	}
	a.room = rooms[0]
	if i := slices.IndexFunc(rooms, p.mayBeIn); i >= 0 {
		a.room = rooms[i]
	}
	a.about, ok, err = p.first(ctx, a, due.subjects)
	return a, ok, err
}

// mayBeIn reports whether the persona may write first in a room at all.
func (p Proactive) mayBeIn(room model.Room) bool {
	_, may := p.Settings.Proactive.Channels[room.Channel]
	return may
}

// first returns the first of the subjects visible in the room.
func (p Proactive) first(ctx context.Context, a approach, subjects []string) (f scene.FollowUp, ok bool, err error) {
	hearing, err := p.Store.Log.Visibility(ctx, p.Card.Key, a.room.ID)
	if err != nil {
		return f, false, err
	}
	loops, err := p.Store.Beliefs.Loops(ctx, hearing, a.person.ID)
	if err != nil {
		return f, false, err
	}
	all := scene.FollowUps(loops, nil, a.now)
	i := slices.IndexFunc(all, func(f scene.FollowUp) bool { return slices.Contains(subjects, f.Subject) })
	if i < 0 {
		return f, false, nil
	}
	return all[i], true, nil
}

// subjectsOf returns the subjects of follow-ups.
func subjectsOf(all []scene.FollowUp) []string {
	subjects := make([]string, len(all))
	for i, f := range all {
		subjects[i] = f.Subject
	}
	return subjects
}

// speakTo hands an approach to the room, unless the gate forbids it.
func (p Proactive) speakTo(ctx context.Context, a approach, run int64) (gate.Reason, error) {
	m := a.message()
	if p.Hears != nil && !p.Hears(ctx, m) {
		return gate.ChannelNotAllowed, nil
	}
	day := scene.Day(a.now)
	st, err := p.Store.Turns.ProactiveState(ctx, p.Card.Key, a.room.ID, day)
	if err != nil {
		return "", err
	}
	if why := p.Settings.Proactive.Judge(scene.ContactState(st, a.now)); why != gate.Allowed {
		return why, nil
	}
	why := gate.Allowed
	handed, err := p.Store.Turns.QueueProactive(ctx, turns.ProactiveRequest{
		Persona: p.Card.Key, Room: a.room.ID, JobRun: run, Day: day, Message: m,
	}, func(st turns.ProactiveState) bool {
		why = p.Settings.Proactive.Judge(scene.ContactState(st, a.now))
		return why == gate.Allowed
	})
	if why == gate.Allowed && !handed {
		why = gate.Outdated // already tried today
	}
	return why, err
}

// message returns the entry on which the persona's turn runs. Its event ID is the same for all runs of a day, so that
// nothing is brought up twice.
func (a approach) message() channels.Message {
	m := channels.Message{
		ID: strings.Join([]string{"unasked", a.about.Subject, scene.Day(a.now)}, ":"), Room: a.room.Room, Direct: true,
		Author: channels.Author{Name: a.person.Name}, Arrival: true, Proactive: a.about.Subject, At: a.now,
	}
	for _, h := range a.person.Handles {
		if h.Channel == a.room.Channel {
			m.Author.Handle = h
		}
	}
	return m
}
