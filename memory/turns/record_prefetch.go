package turns

import (
	"maps"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
)

// prefetch has what the steps read before anything is written sent together, and what they read afterwards as far as that can be told
// now: if a guess is wrong, they ask again.
func (r *TurnWriter) prefetch() error {
	t := r.Turn
	reads := []func() error{r.check, r.readStored, r.readQueue, r.checkMoved}
	if t.SessionID != 0 {
		reads = append(reads, r.openSession)
	}
	reads = append(reads, r.readTold, r.asBefore(r.readConcerned))
	if slices.ContainsFunc(t.Heard, mentions) {
		reads = append(reads, r.asBefore(r.readNames))
	}
	for _, person := range slices.Sorted(maps.Keys(t.Relate)) {
		reads = append(reads, func() error { _, err := relationship(r.Tx, t.Persona, person); return err })
	}
	reads = append(reads, func() error { _, err := r.sourcesOfReplies(ownLines(r.contextRows())); return err })
	return r.Prefetch(reads...)
}

// tells reports whether a message claims something or names anybody.
func tells(h model.AnnotatedMessage) bool {
	return !h.Own && !h.Annotation.SkipMemory && len(h.Annotation.Analysis.Claims)+len(h.Annotation.Analysis.Entities) > 0
}

// asBefore returns read for the case that the same may be repeated in the room as when the turn's visibility was read.
func (r *TurnWriter) asBefore(read func() error) func() error {
	return func() error {
		if r.Turn.Visibility.Room().ID != r.Turn.Room.ID {
			return nil
		}
		r.hears = &r.Turn.Visibility
		defer func() { r.hears = nil }()
		return read()
	}
}

// mentions reports whether a message names anybody.
func mentions(h model.AnnotatedMessage) bool {
	return tells(h) && (len(h.Annotation.Analysis.Entities) > 0 ||
		slices.ContainsFunc(h.Annotation.Analysis.Claims, func(c understand.Claim) bool { return c.Subject != "" }))
}

// readConcerned reads the beliefs that the messages may affect.
func (r *TurnWriter) readConcerned() error {
	if len(r.Turn.Filed)+len(r.Turn.ClosedLoops) > 0 {
		return nil // these affect others, too
	}
	var all []belief.AttributedClaim
	for _, h := range r.Turn.Heard {
		if !tells(h) {
			continue
		}
		claims, err := r.attribute(h, 0, h.Message.At)
		if err != nil {
			return err
		}
		all = append(all, claims...)
	}
	if len(all) == 0 {
		return nil
	}
	_, err := belief.Concerned(r.Tx, *r.hears, all)
	return err
}
