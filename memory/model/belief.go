package model

import (
	"slices"
	"time"
)

// Belief is one claim that the persona holds, with its evidence.
type Belief struct {
	ID       int64
	Persona  string
	Audience Audience
	// AuthorID is the person who made the claim. SubjectPerson is the person it is about, 0 when Subject names
	// something else.
	AuthorID      int64
	Author        string
	SubjectPerson int64
	Subject       string
	Relation      string
	Value         string
	Domain        string // person, self, world, technical, tool, project
	Status        BeliefStatus
	ValidFrom     time.Time
	ValidTo       time.Time
	SupersededBy  int64
	// ReplacedWhy is "corrected" (the value was never true) or "changed" (it was true once), empty while the belief is
	// active.
	ReplacedWhy string
	Created     time.Time
	Updated     time.Time
	Evidence    []Evidence
}

// BeliefStatus is the stage of a belief in its history.
type BeliefStatus string

// The statuses of a belief. Doubt (revised, abandoned) is computed from the evidence and not stored.
const (
	Active     BeliefStatus = "active"
	Superseded BeliefStatus = "superseded"
	Retracted  BeliefStatus = "retracted"
)

// Evidence is one quote for or against a belief.
type Evidence struct {
	MessageID int64
	AuthorID  int64
	Author    string
	Quote     string
	// Stance is +1 for and −1 against the belief.
	Stance int
	// Hearsay reports that the author is not the subject.
	Hearsay bool
	At      time.Time
	// JobRun is the run of the job that found the evidence on a second reading, 0 for evidence found when the message
	// arrived.
	JobRun int64
}

// Loop is an open topic with a person: a plan with a date, a promise, a question, a goal or a curiosity.
type Loop struct {
	ID       int64
	PersonID int64
	Audience Audience
	Kind     string // LoopPlan and so on
	Text     string
	// Own reports that the persona said it: a promise that it made, a question that it asked.
	Own bool
	// DueFrom and DueUntil bound the time it is due, zero when no time was named.
	DueFrom, DueUntil time.Time
	Status            string // open, asked, closed
	MessageID         int64
	Created           time.Time
}

// Without removes the evidence for which remove returns true and reports whether the rest still supports the belief. A
// belief that only had evidence against it keeps standing while some of that evidence remains.
func (b *Belief) Without(remove func(Evidence) bool) (stands bool) {
	supports := func(e Evidence) bool { return e.Stance > 0 }
	had := slices.ContainsFunc(b.Evidence, supports)
	b.Evidence = slices.DeleteFunc(b.Evidence, remove)
	return len(b.Evidence) > 0 && (!had || slices.ContainsFunc(b.Evidence, supports))
}

// BeliefChange is one thing that happened to the beliefs.
type BeliefChange struct {
	// Kind is "new", "confirmed", "corrected", "changed", "retracted" or "past".
	Kind string
	// Belief is the belief as it stands now; for "retracted" it is the retracted one.
	Belief Belief
	// Old is the replaced value, empty for "new" and "confirmed".
	Old string
}
