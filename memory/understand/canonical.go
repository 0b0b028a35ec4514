package understand

import (
	"strings"

	"familiar/memory/understand/rel"
)

// sameRelations are wordings of one relation that no rule brings together, by the key it is kept under.
var sameRelations = map[string]string{
	"written by": "author", "authored by": "author", "writer": "author",
	"married to": "spouse", "married by": "spouse", "born at": "born_in", "owner": "owned by", "wed to": "spouse", "partner": "spouse",
	"born in": "born_in", "birthplace": "born_in", "place of birth": "born_in", "birth place": "born_in",
	"place of death": "died in", "deathplace": "died in",
	"employed by": "works_at", "employed at": "works_at", "employer": "works_at",
	"manufactured by": "made by", "produced by": "made by", "built by": "made by", "maker": "made by",
	"citizenship": "citizen of", "nationality": "citizen of", "country of citizenship": "citizen of",
	"established by": "founded by", "established in": "founded in",
	"sung by": "performed by", "singer": "performed by", "faith": "religion", "denomination": "religion",
	"headquartered in": "headquarters", "headquarter": "headquarters", "known for": "famous for", "renowned for": "famous for",
	"situated in": "located in", "ceo": "chief executive officer",
	"invented by": "created by", "authored": "author", "recorded by": "performed by", "capital city": "capital",
	"started by": "founded by", "started in": "founded in", "acquired by": "owned by", "bought by": "owned by",
	"alma mater": "educated at", "chair": "chairperson", "chaired by": "chairperson", "coach": "head coach", "coached by": "head coach",
	"trainer": "head coach", "prime minister": "head of government", "premier": "head of government", "country of origin": origin,
	"genre": "music", "location": "located in", "lies in": "located in", "head office": "headquarters", "broadcast by": "original broadcaster",
	"profession": "field", "occupation": "field", "chairman": "chairperson", "chairwoman": "chairperson",
}

// canonical is the key a worded relation is kept under: what somebody is by making something is what it was made by,
// "the founder of X" and "X was founded by".
func canonical(relation string) string {
	if key, ok := agents[relation]; ok {
		relation = key
	}
	if key, ok := sameRelations[relation]; ok {
		return key
	}
	return relation
}

// sameRelation says that relation is a key that wordings are brought to.
func sameRelation(relation string) bool {
	row, _ := rel.Find(relation)
	return row.Key != ""
}

// agents are the nouns for who makes something, with what is made by them.
var agents = func() map[string]string {
	out := map[string]string{}
	for p := range made {
		if stem, ok := strings.CutSuffix(p, "ed"); ok {
			out[stem+"er"], out[stem+"or"] = p+" by", p+" by"
		}
	}
	return out
}()
