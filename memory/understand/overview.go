package understand

import (
	"slices"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// Questions for everything that is known about a person or a thing.

// overviews maps the nouns that ask for everything of a kind to their relations.
var overviews = map[string][]string{
	"family": family, "relatives": family,
	"pets": {"pet_name", "has_pet"}, "animals": {"pet_name", "has_pet"}, "job": {"works_as", "works_at"}, "work": {"works_as", "works_at"},
	"hobbies": {"hobby", "plays", "likes"}, "tastes": {"likes", "dislikes"},
}

// family lists the relations of the speaker's family.
var family = []string{"spouse", "person_name:partner", "person_name:child", "person_name:parent", "person_name:sibling", "person_name:grandparent", "has_person"}

// overview reads "what do you know about my sister?", which asks for everything known about her.
func (r *reading) overview(c english.Clause, start int, q *Question) {
	i := start
	for i < len(c.Words) && !(c.Low(i) == "about" && english.OverviewAsked(c, start)) {
		i++
	}
	if w := c.Low(i + 1); w != "my" && w != "our" {
		return
	}
	if relations := overviews[c.Low(i+2)]; relations != nil {
		q.All, q.Relations = true, slices.Clone(relations)
		return
	}
	if kin, _, end := english.KinAt(c, i+2); kin != "" && end == len(c.Words) {
		q.All, q.Relations = true, []string{rel.KinRelation(kin, "name"), kin + rel.KinMark}
		if english.IsAnimal(english.KinKey(kin)) {
			q.add("has_pet")
		}
	}
}
