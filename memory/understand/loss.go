package understand

import (
	"slices"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// Death reports whether a relation states a death.
func Death(relation string) bool {
	_, of := rel.CutKin(relation)
	return of == rel.DeathRelation
}

// deaths are the wordings for a death. With the speaker as subject they are not meant literally.
var deaths = english.CompileAll("I died", "I has? passed away", "I have passed away", "I is|are dead $", "I was|were|had to be? put down|to $", "I was|were|had to be? put to sleep")

// loss reads the death of a person or an animal.
func (r *reading) loss(c english.Clause) {
	for i := range c.Words {
		m, ok := deaths.Find(c, i)
		if !ok || m.Subject == "" && m.Kin == "" || r.tellsOf(m.Subject) || english.ProperNoun(c, i-1) || c.Low(m.End) == "laughing" || c.Low(m.End) == "of" && c.Low(m.End+1) == "laughter" {
			continue
		}
		span := r.spanIn(c, nil)
		r.add(c, Claim{Kind: rel.Fact, Subject: m.Subject, Relation: rel.KinRelation(m.Kin, rel.DeathRelation), Value: "died", Span: span}, i, m.End)
		long := mentions(c, m.End, "when") || span != nil && span.Until.AddDate(0, 2, 0).Before(r.u.At)
		if own := m.Kin != "" || r.namesKin(m.Subject); own && !long {
			r.add(c, Claim{Kind: rel.Feeling, Relation: "feels", Value: "sad", Many: true}, i, m.End)
		}
		return
	}
}

// tellsOf reports whether another claim about the name was read already: "David Bowie died in 2016" is general
// knowledge.
func (r *reading) tellsOf(name string) bool {
	return name != "" && slices.ContainsFunc(r.out.Claims, func(c Claim) bool { return c.Subject == name })
}

// namesKin reports whether the utterance gives the name to the speaker's kin.
func (r *reading) namesKin(name string) bool {
	return slices.ContainsFunc(r.out.Claims, func(c Claim) bool { return rel.Kin(c.Relation) != "" && strings.EqualFold(c.Value, name) })
}
