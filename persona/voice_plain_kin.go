package persona

import (
	"cmp"
	"slices"
	"strings"

	"familiar/memory"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// What is known of the person's own people is kept in two ways: under the person ("mother/born_in") and, once a name was
// given, under that name ("Eva"). Either answers a question put the other way.

// replies says that a belief answers a question for a relation: of whom it asks about, or of the same relative or animal
// called by the name or by the kinship.
func (sp *speaking) replies(b memory.Belief, want string, q understand.Question) bool {
	if sp.concerns(b, q) && rel.Answers(b.Relation, want) {
		return true
	}
	if kin, of := rel.Of(want); kin != "" && q.Subject == "" {
		return b.SubjectPerson == 0 && b.Subject != "" && (of == "" || rel.Answers(b.Relation, of)) && sp.isCalled(kin, b.Subject)
	}
	if kin, of := rel.Of(b.Relation); kin != "" && q.Subject != "" && sp.ownBelief(b) {
		return rel.Answers(of, want) && sp.isCalled(kin, q.Subject)
	}
	return false
}

// isCalled says that the person's relative or animal of that kind has the name.
func (sp *speaking) isCalled(kin, name string) bool {
	return slices.ContainsFunc(sp.scene.Beliefs, func(b memory.Belief) bool {
		return b.Status == memory.Active && sp.ownBelief(b) && strings.EqualFold(b.Value, name) &&
			(rel.Answers(b.Relation, "person_name:"+kin) || rel.Answers(b.Relation, "pet_name:"+kin))
	})
}

// kinNamed is the name of one of the person's own people or animals in a question whose subject could not be told from
// its words alone: "what do you know about eva?"
func (sp *speaking) kinNamed(q understand.Question) string {
	if q.Subject != "" && q.Subject != "you" || len(q.Relations) > 0 {
		return ""
	}
	for _, b := range sp.scene.Beliefs {
		if b.Status == memory.Active && sp.ownBelief(b) && rel.Kin(b.Relation) != "" && strings.EqualFold(b.Value, q.About) {
			return b.Value
		}
	}
	return ""
}

// toldOf are some of the beliefs about one of the person's own people with that name.
func (sp *speaking) toldOf(name string) []memory.Belief {
	var told []memory.Belief
	for _, b := range sp.scene.Beliefs {
		kin, _ := rel.Of(b.Relation)
		about := b.SubjectPerson == 0 && strings.EqualFold(b.Subject, name) || kin != "" && sp.ownBelief(b) && sp.isCalled(kin, name)
		if b.Status == memory.Active && about && len(told) < overviewFactsBrief {
			told = append(told, b)
		}
	}
	return told
}

// namesOfKin are the names of the people and animals that a turn's questions ask for by kinship, so that what is known
// under their names comes to mind as well: "where does my sister live?" asks about Eva.
func namesOfKin(own []memory.Belief, questions []*understand.Question) (names []string) {
	for _, q := range questions {
		for _, b := range own {
			if rel.Kin(b.Relation) != "" && b.Status == memory.Active && strings.EqualFold(b.Value, q.About) && !strings.EqualFold(q.Subject, b.Value) {
				names = append(names, b.Value)
			}
		}
		for _, want := range q.Relations {
			kin, _ := rel.Of(want)
			named := rel.Kin(want)
			if kin = cmp.Or(kin, named); kin == "" {
				continue
			}
			for _, b := range own {
				if named != "" && b.Status == memory.Active {
					continue // the name is all that is asked for
				}
				called := rel.Answers(b.Relation, "person_name:"+kin) || rel.Answers(b.Relation, "pet_name:"+kin)
				if called && !slices.Contains(names, b.Value) { // one who has died is still asked after
					names = append(names, b.Value)
				}
			}
		}
	}
	return names
}
