package scene

import (
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// SpokenElsewhere are relations not told as facts: wishes, plans and feelings have their own wordings.
var SpokenElsewhere = words.Of("plan promise instruction call_me feels")

// SubjectOf returns the subject of a belief in the form of a claim: empty for the person being answered.
func (s *Scene) SubjectOf(b model.Belief) string {
	switch {
	case s.Owns(b):
		return ""
	case b.Subject == "":
		return b.Author
	}
	return b.Subject
}

// Owns reports whether a belief is about the person being answered.
func (s *Scene) Owns(b model.Belief) bool {
	if b.SubjectPerson != 0 {
		return b.SubjectPerson == s.Person.ID
	}
	return b.Subject == "" && (b.AuthorID == 0 || b.AuthorID == s.Person.ID)
}

// SecondHand reports whether a belief rests only on hearsay that did not come from the person being answered, who knows
// their own statements.
func (s *Scene) SecondHand(b model.Belief) bool {
	if b.Author == "" || b.AuthorID == s.Person.ID && b.AuthorID != 0 {
		return false
	}
	return mind.OnlyHearsay(b.Evidence) || s.Owns(b) && b.AuthorID != 0
}

// Doubtful reports whether a belief is too uncertain to be stated as a fact, as is what only a model read.
func (s *Scene) Doubtful(b model.Belief) bool {
	return b.ByModel || mind.Uncertain(mind.Confidence(b.Evidence, s.Now))
}

// answers reports whether a belief answers a question for a relation of its subject. Facts about relatives and pets are
// stored under the person ("mother/born_in") and, once a name is known, under that name ("Eva"); a question asked either way
// finds both.
func (s *Scene) answers(q understand.Question, b model.Belief, want string) bool {
	subject := s.SubjectOf(b)
	concerns := SameName(subject, q.Subject) || subject == "" && q.Subject == ""
	if concerns && rel.Answers(b.Relation, want) {
		return true
	}
	if kin, of := rel.Of(want); kin != "" && q.Subject == "" {
		return b.SubjectPerson == 0 && b.Subject != "" && (of == "" || rel.Answers(b.Relation, of)) && s.isCalled(kin, b.Subject)
	}
	if kin, of := rel.Of(b.Relation); kin != "" && q.Subject != "" && s.Owns(b) {
		return rel.Answers(of, want) && s.isCalled(kin, q.Subject)
	}
	return false
}

// isCalled reports whether the person's relative or pet of that kind has the name.
func (s *Scene) isCalled(kin, name string) bool {
	return slices.ContainsFunc(s.Beliefs, func(b model.Belief) bool {
		return b.Status == model.Active && s.Owns(b) && strings.EqualFold(b.Value, name) &&
			(rel.Answers(b.Relation, "person_name:"+kin) || rel.Answers(b.Relation, "pet_name:"+kin))
	})
}

// NamesKin reports whether a belief gives the name of one of the person's relatives or pets.
func (s *Scene) NamesKin(b model.Belief, name string) bool {
	return rel.Kin(b.Relation) != "" && s.Owns(b) && strings.EqualFold(b.Value, name)
}

// Answering returns the beliefs that answer the question, for the first of its relations that any belief answers. With
// old set it returns only replaced ones.
func (s *Scene) Answering(q understand.Question, old bool) (found []model.Belief) {
	for _, want := range q.Relations {
		for _, b := range s.Beliefs {
			known := slices.ContainsFunc(found, func(o model.Belief) bool { return o.ID == b.ID && b.ID != 0 })
			if (b.Status == model.Active) != old && !known && s.answers(q, b, want) {
				found = append(found, b)
			}
		}
		if len(found) > 0 && !q.All {
			return found
		}
	}
	return found
}

// ToldOf returns some of the beliefs about somebody of that name.
func (s *Scene) ToldOf(name string, most int) (told []model.Belief) {
	for _, b := range s.Beliefs {
		kin, _ := rel.Of(b.Relation)
		about := SameName(s.SubjectOf(b), name) || kin != "" && s.Owns(b) && s.isCalled(kin, name) || s.NamesKin(b, name)
		if b.Status == model.Active && about && len(told) < most && !SpokenElsewhere.Has(b.Relation) {
			told = append(told, b)
		}
	}
	return told
}

// SameName reports whether two names are equal, or one is the first name of the other.
func SameName(a, b string) bool {
	return a != "" && b != "" && (strings.EqualFold(a, b) || strings.EqualFold(firstName(a), b) || strings.EqualFold(a, firstName(b)))
}

func firstName(name string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(name), " ")
	return first
}
