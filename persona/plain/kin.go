package plain

import (
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// Facts about the person's relatives and pets are stored in two ways: under the person ("mother/born_in") and, once a
// name is known, under that name ("Eva"). A question asked either way finds both.

// replies reports whether a belief answers a question for a relation of its subject, who may be a relative or pet known
// by name or by kinship.
func (ft factTeller) replies(b model.Belief, want string, q understand.Question) bool {
	if ft.concerns(b, q) && rel.Answers(b.Relation, want) {
		return true
	}
	if kin, of := rel.Of(want); kin != "" && q.Subject == "" {
		return b.SubjectPerson == 0 && b.Subject != "" && (of == "" || rel.Answers(b.Relation, of)) && ft.isCalled(kin, b.Subject)
	}
	if kin, of := rel.Of(b.Relation); kin != "" && q.Subject != "" && ft.ownBelief(b) {
		return rel.Answers(of, want) && ft.isCalled(kin, q.Subject)
	}
	return false
}

// isCalled reports whether the person's relative or pet of that kind has the name.
func (ft factTeller) isCalled(kin, name string) bool {
	return slices.ContainsFunc(ft.scene.Beliefs, func(b model.Belief) bool {
		return b.Status == model.Active && ft.ownBelief(b) && strings.EqualFold(b.Value, name) &&
			(rel.Answers(b.Relation, "person_name:"+kin) || rel.Answers(b.Relation, "pet_name:"+kin))
	})
}

// kinNamed returns the name of one of the person's relatives or pets in a question whose subject its words alone do not
// show: "what do you know about eva?"
func (ft factTeller) kinNamed(q understand.Question) string {
	if q.Subject != "" && q.Subject != "you" || len(q.Relations) > 0 {
		return ""
	}
	for _, b := range ft.scene.Beliefs {
		if b.Status == model.Active && ft.ownBelief(b) && rel.Kin(b.Relation) != "" && strings.EqualFold(b.Value, q.About) {
			return b.Value
		}
	}
	return ""
}

// toldOf returns some of the beliefs about a relative or pet of that name.
func (ft factTeller) toldOf(name string) []model.Belief {
	var told []model.Belief
	for _, b := range ft.scene.Beliefs {
		kin, _ := rel.Of(b.Relation)
		about := b.SubjectPerson == 0 && strings.EqualFold(b.Subject, name) || kin != "" && ft.ownBelief(b) && ft.isCalled(kin, name)
		if b.Status == model.Active && about && len(told) < overviewFactsBrief {
			told = append(told, b)
		}
	}
	return told
}
