package claim

import (
	"slices"
	"strings"
)

// Death says that a relation tells of somebody's death.
func Death(relation string) bool {
	_, of := cutKin(relation)
	return of == deathRelation
}

// deaths tell that somebody has died. Of the speaker's own they say nothing that is meant.
var deaths = compileAll("I died", "I has? passed away", "I have passed away", "I is|are dead $", "I was|were|had to be? put down|to $", "I was|were|had to be? put to sleep")

// loss reads that somebody, or an animal, has died.
func (r *reader) loss(c clause) {
	for i := range c.words {
		m, ok := at(c, i, deaths)
		if !ok || m.subject == "" && m.kin == "" || r.tellsOf(m.subject) || properNoun(c, i-1) || c.low(m.end) == "laughing" || c.low(m.end) == "of" && c.low(m.end+1) == "laughter" {
			continue
		}
		span := r.spanIn(c, nil)
		r.add(c, Claim{Kind: Fact, Subject: m.subject, Relation: kinRelation(m.kin, deathRelation), Value: "died", Span: span}, i, m.end)
		long := mentions(c, m.end, "when") || span != nil && span.Until.AddDate(0, 2, 0).Before(r.u.At)
		if own := m.kin != "" || r.namesKin(m.subject); own && !long {
			r.add(c, Claim{Kind: Feeling, Relation: "feels", Value: "sad", Many: true}, i, m.end)
		}
		return
	}
}

// tellsOf says that something else was read of the name already: "David Bowie died in 2016" is a matter of record.
func (r *reader) tellsOf(name string) bool {
	return name != "" && slices.ContainsFunc(r.out.Claims, func(c Claim) bool { return c.Subject == name })
}

// namesKin says that the utterance gives the name to one of the speaker's own.
func (r *reader) namesKin(name string) bool {
	return slices.ContainsFunc(r.out.Claims, func(c Claim) bool { return Kin(c.Relation) != "" && strings.EqualFold(c.Value, name) })
}
