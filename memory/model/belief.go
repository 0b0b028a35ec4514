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
	// Evidence are the quotes for and against it, oldest first. SetEvidence sets it.
	Evidence []Evidence
	// Sentence, ByModel and Sensitive follow from Evidence and are unset without it. Sentence is the fact in normal words
	// in the person's language, as a model filed it, "" if only the rules read it. ByModel reports that nothing but a
	// model's first reading supports the belief: neither the rules nor a second reading confirmed it, so it is no
	// certainty. Sensitive reports that it is nothing to bring up unasked.
	Sentence           string
	ByModel, Sensitive bool
}

// SetEvidence sets the belief's evidence and what follows from it.
func (b *Belief) SetEvidence(evidence []Evidence) {
	b.Evidence, b.Sentence, b.ByModel, b.Sensitive = evidence, "", false, false
	supported, confirmed := false, false
	for _, e := range evidence {
		if e.Stance <= 0 {
			continue
		}
		supported, confirmed = true, confirmed || !e.ByModel
		b.Sensitive = b.Sensitive || e.Sensitive
		if e.Sentence != "" {
			b.Sentence = e.Sentence
		}
	}
	b.ByModel = supported && !confirmed
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
	// Sentence is what the quote says, in normal words, "" if the rules read it. ByModel reports that only a model read
	// it, Sensitive that it is nothing to bring up unasked.
	Sentence           string
	ByModel, Sensitive bool
}

// FromModel reports that a model found the evidence on a second reading, whether or not that was confirmed.
func (e Evidence) FromModel() bool { return e.JobRun != 0 || e.Sentence != "" || e.ByModel }

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
	b.SetEvidence(slices.DeleteFunc(b.Evidence, remove))
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
