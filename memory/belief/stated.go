package belief

import (
	"cmp"

	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// Stated returns the claim that subject, or the speaker when it is empty, has relation to value. Its quote says so in a
// sentence.
func Stated(speaker, subject, relation, value string) understand.Claim {
	c := understand.Claim{
		Kind: rel.Fact, Subject: subject, Relation: relation, Value: value, Many: rel.Many(relation),
		Quote: rel.Describe(cmp.Or(subject, speaker), relation, value) + ".",
	}
	if Opposites[relation] != "" {
		c.Kind = rel.Taste
	}
	return c
}
