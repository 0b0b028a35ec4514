package evidence

import (
	"strings"
	"sync"

	"familiar/memory/concept"
)

// personKeys are the concepts of people in somebody's life.
const personKeys = `parents mother father single_parent sibling brother sister twin half_sibling step_sibling step_parent step_child
	grandparents grandmother grandfather grandchild uncle_aunt cousin nephew_niece parents_in_law siblings_in_law children_in_law
	godparent children son daughter baby partner boyfriend girlfriend husband wife ex friend old_friend neighbour flatmate classmate
	teacher boss colleague landlord tenant doctor dentist`

var personConcepts = sync.OnceValue(func() map[string]bool {
	in := map[string]bool{}
	for _, k := range strings.Fields(personKeys) {
		in[k] = true
	}
	return in
})

func isPerson(c concept.Concept) bool { return personConcepts()[c.Key()] }

// peopleIn returns the people that are mentioned.
func peopleIn(mentions []concept.Mention) map[concept.Concept]bool {
	in := map[concept.Concept]bool{}
	for _, m := range mentions {
		if isPerson(m.Concept) {
			in[m.Concept] = true
		}
	}
	return in
}
