package plain

import (
	"strings"

	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
)

// Answers from related facts.

// ownName answers what the person is called if they never said: by their name on the network.
func (ft factTeller) ownName(_ scene.Line, q understand.Question) string {
	if q.Subject != "" || ft.scene.Address == "" || len(q.Relations) == 0 || q.Relations[0] != "name" && q.Relations[0] != rel.CallMe {
		return ""
	}
	ft.named = true
	return ft.put("answer.name", "value", ft.scene.Address)
}

// nearby are related relations: a question where someone works may be answered with their profession.
var nearby = map[string]string{"works_at": "works_as", "works_as": "works_at", "from": "born_in", "born_in": "from", "owns": "drives", "hobby": "plays"}

// fromNearby answers with the most closely related fact and says what is missing.
func (ft factTeller) fromNearby(_ scene.Line, q understand.Question) string {
	if len(q.Relations) == 0 || q.YesNo || q.Before {
		return ""
	}
	kin, of := rel.Of(q.Relations[0])
	near := nearby[of]
	if near == "" {
		return ""
	}
	if kin != "" {
		near = kin + strings.TrimPrefix(q.Relations[0], kin)[:1] + near
	}
	wanted := q
	wanted.Relations = []string{near}
	found := ft.answering(wanted, false)
	if len(found) == 0 {
		return ""
	}
	ft.useBeliefs(found[:1])
	if q.Subject != "" {
		return ft.put("answer.fact", "fact", ft.describe(found[0]))
	}
	return ft.put("answer.nearby", "topic", rel.Topic(q.Relations[0]), "fact", ft.describe(found[0]))
}
