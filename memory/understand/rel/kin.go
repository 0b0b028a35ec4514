package rel

import (
	"maps"
	"slices"
	"strings"

	"familiar/memory/understand/english"
)

// Statements about a relative ("my mother was born in Cork") are stored with the speaker, under the kin and the
// relation: "mother/born_in". This keeps the mothers of two people apart.

// KinMark separates the kin from the relation.
const KinMark = "/"

// KinRelation returns the relation for a statement about the speaker's kin. The name of the kin has a relation of its
// own.
func KinRelation(kin, relation string) string {
	one := english.KinKey(kin)
	switch {
	case kin == "":
		return relation
	case relation == "name" && english.IsAnimal(one):
		return "pet_name:" + one
	case relation == "name":
		return "person_name:" + one
	}
	return kin + KinMark + relation
}

// CutKin splits a relation of the speaker's kin. kin is empty for a relation of the speaker.
func CutKin(relation string) (kin, of string) {
	if kin, of, ok := strings.Cut(relation, KinMark); ok {
		return kin, of
	}
	return "", relation
}

// wider maps words for several kinds of kin to those kinds.
var wider = map[string][]string{
	"child":       {"son", "daughter", "baby"},
	"sibling":     {"brother", "sister", "twin"},
	"parent":      {"mother", "father"},
	"grandparent": {"grandmother", "grandfather"},
	"spouse":      {"husband", "wife", "partner"},
	"partner":     {"husband", "wife", "spouse", "boyfriend", "girlfriend", "fiancé", "fiancée"},
}

// couples maps the relations that name a partner to the kin whose name they give.
var couples = map[string][]string{
	"spouse":        {"husband", "wife", "spouse", "partner"},
	"together_with": {"boyfriend", "girlfriend", "partner"},
}

// partners holds the relations that a couple is stored under.
var partners = func() []string {
	all := []string{"person_name:fiancé", "person_name:fiancée"}
	for _, relation := range slices.Sorted(maps.Keys(couples)) {
		all = append(all, relation)
		for _, kin := range couples[relation] {
			all = append(all, "person_name:"+kin)
		}
	}
	return all
}()

// Partners returns all relations that may hold a partner when relation is one of them, otherwise nil.
func Partners(relation string) []string {
	if !slices.Contains(partners, relation) {
		return nil
	}
	return partners
}

// covers reports whether a question about one kin includes another: "my pet" includes a dog, "my kids" includes a
// son.
func covers(asked, kept string) bool {
	asked, kept = english.KinKey(asked), english.KinKey(kept)
	return asked == kept || asked == "pet" && english.IsAnimal(kept) || slices.Contains(wider[asked], kept)
}

// Answers reports whether a value stored under one relation answers a question for another: a dog's name answers for
// the pet's, a husband's name answers for the spouse's. A wanted relation may be a prefix: any person's name answers
// "person_name", any statement about the sister answers "sister/".
func Answers(kept, wanted string) bool {
	if kept == wanted || strings.HasPrefix(kept, wanted+":") {
		return true
	}
	keptKin, keptOf := CutKin(kept)
	wantedKin, wantedOf := CutKin(wanted)
	if wantedKin != "" || keptKin != "" {
		return wantedKin != "" && keptKin != "" && covers(wantedKin, keptKin) && (wantedOf == "" || Answers(keptOf, wantedOf))
	}
	kind, keptName, _ := strings.Cut(kept, ":")
	wantedKind, wantedName, _ := strings.Cut(wanted, ":")
	switch {
	case keptName != "" && wantedName != "":
		return kind == wantedKind && covers(wantedName, keptName)
	case keptName != "":
		return slices.Contains(couples[wanted], keptName)
	case wantedName != "":
		return slices.Contains(couples[kept], wantedName)
	}
	return false
}

// Kin returns the relative or animal whose name a relation gives ("sister" for "person_name:sister"), empty for other
// relations.
func Kin(relation string) string {
	kind, kin, _ := strings.Cut(relation, ":")
	if kind == "person_name" || kind == "pet_name" {
		return kin
	}
	return ""
}

// Of splits a relation of the speaker's kin: "mother/born_in" is "born_in" of the "mother". The kin is empty for a
// relation of the speaker.
func Of(relation string) (kin, of string) { return CutKin(relation) }

// Rank orders relations for a description of a person: identity, household, home and work, tastes, then everything
// else. Lower comes first.
func Rank(relation string) int {
	kin, of := CutKin(relation)
	rank := len(Relations)
	for i, row := range Relations {
		if row.Key == of || strings.HasSuffix(row.Key, ":") && strings.HasPrefix(of, row.Key) || strings.HasSuffix(row.Key, " ") && strings.HasPrefix(of, row.Key) {
			rank = i
			break
		}
	}
	if kin != "" {
		rank += len(Relations) + 1
	}
	return rank
}

// guarded are the relations, besides those of kin, that say who somebody is, where they live and what they work as.
var guarded = []string{
	"name", "call_me", "lives_in", "works_at", "works_as", "spouse", "together_with", "marital_status", "birthday", "age", "from", "born_in",
	"pronouns",
}

// Guarded reports whether a relation says who somebody is: their name and form of address, kin, home or work. A mistake
// about these hurts, so none is displaced by what only a model read.
func Guarded(relation string) bool {
	_, of := CutKin(relation)
	return slices.Contains(guarded, of) || Kin(of) != ""
}
