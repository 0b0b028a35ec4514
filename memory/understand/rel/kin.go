package rel

import (
	"maps"
	"slices"
	"strings"

	"familiar/memory/understand/english"
)

// What the speaker tells of somebody they name by kinship ("my mother was born in Cork") is kept with the speaker, under
// the kin and the relation: "mother/born_in". So one person's mother is never another's.

// KinMark stands between the kin and what is said of them.
const KinMark = "/"

// KinRelation is the relation under which something is kept of the speaker's kin; for their name there is a relation
// of its own.
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

// CutKin takes a relation of the speaker's kin apart; kin is empty for a relation of the speaker's own.
func CutKin(relation string) (kin, of string) {
	if kin, of, ok := strings.Cut(relation, KinMark); ok {
		return kin, of
	}
	return "", relation
}

// wider are the words for several kinds of kin, with those kinds.
var wider = map[string][]string{
	"child":       {"son", "daughter", "baby"},
	"sibling":     {"brother", "sister", "twin"},
	"parent":      {"mother", "father"},
	"grandparent": {"grandmother", "grandfather"},
	"spouse":      {"husband", "wife", "partner"},
	"partner":     {"husband", "wife", "spouse", "boyfriend", "girlfriend", "fiancé", "fiancée"},
}

// couples are the relations that name a partner, with the kin whose name they give.
var couples = map[string][]string{
	"spouse":        {"husband", "wife", "spouse", "partner"},
	"together_with": {"boyfriend", "girlfriend", "partner"},
}

// partners are the relations that a couple is kept under.
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

// Partners are the relations under any of which somebody's partner may be kept, when relation is one of them; else none.
func Partners(relation string) []string {
	if !slices.Contains(partners, relation) {
		return nil
	}
	return partners
}

// covers says that who asks for a kin is also told of another: "my pet" of a dog, "my kids" of a son.
func covers(asked, kept string) bool {
	asked, kept = english.KinKey(asked), english.KinKey(kept)
	return asked == kept || asked == "pet" && english.IsAnimal(kept) || slices.Contains(wider[asked], kept)
}

// Answers says that what is kept under one relation answers a question for another: a dog's name one for the pet's, a
// husband's name one for whom somebody is married to. A wanted relation may be open at its end: "person_name" is
// answered by the name of anybody, "sister/" by anything about the sister.
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

// Kin is the relative or animal whose name a relation gives ("sister" of "person_name:sister"), empty for others.
func Kin(relation string) string {
	kind, kin, _ := strings.Cut(relation, ":")
	if kind == "person_name" || kind == "pet_name" {
		return kin
	}
	return ""
}

// Of takes apart what is kept of the speaker's kin: "mother/born_in" is "born_in" of the "mother". The kin is empty for
// what is kept of the speaker.
func Of(relation string) (kin, of string) { return CutKin(relation) }

// Rank orders relations as one tells of somebody: who they are, with whom they live, where and what they do, what they
// like, then everything else. Lower comes first.
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
