package session

import (
	"slices"
	"strings"
	"unicode"

	"familiar/memory/understand/rel"
	"familiar/prompts"
)

// fixed are the relations that belong to kinds other than facts.
var fixed = map[rel.Kind][]string{
	rel.Taste:       {"likes", "dislikes"},
	rel.Plan:        {rel.Planned},
	rel.Promise:     {rel.Promised},
	rel.Instruction: {rel.Wish, rel.CallMe},
	rel.Feeling:     {"feels"},
}

// kindOf returns the kind that a relation belongs to.
func kindOf(relation string) rel.Kind {
	for kind, relations := range fixed {
		if slices.Contains(relations, relation) {
			return kind
		}
	}
	return rel.Fact
}

// filed returns the relation and kind of an extracted statement. A kind with its own relations takes the first of them
// if the model named none. A fact takes any other relation; kinds such as work and health are facts. Wishes how to be
// treated, promises and feelings of somebody else are facts about them.
func filed(f prompts.Extracted, subject string) (relation string, kind rel.Kind, ok bool) {
	relation, kind = normalRelation(f.Relation), rel.Kind(folded(f.Kind))
	switch kind {
	case "kin", "home", "work", "health", "event":
		kind = rel.Fact
	case "wish":
		relation, kind = "wish", rel.Fact
	}
	own, special := fixed[kind]
	switch {
	case kind == rel.Fact:
		if kindOf(relation) != rel.Fact {
			return "", "", false
		}
		return relation, kind, relation != ""
	case !special, kind == rel.Taste && relation != "likes" && relation != "dislikes":
		return "", "", false
	case subject != "" && (kind == rel.Instruction || kind == rel.Feeling || kind == rel.Promise):
		return string(kind), rel.Fact, f.Sentence != "" // of somebody else it is only a fact, if it is told as one
	}
	for _, r := range own {
		if r == relation {
			return r, kind, true
		}
	}
	return own[0], kind, true
}

// free reports whether a relation is none of package rel's: the model then says what replaces what.
func free(relation string) bool {
	_, of := rel.Of(relation)
	row, _ := rel.Find(of)
	return row.Key == ""
}

// relationRunes is the longest relation; anything longer is a sentence.
const relationRunes = 40

// normalRelation normalizes a relation: lower case, letters, digits, single spaces, "_", ":" and "/". It returns "" if
// nothing is left or it is too long.
func normalRelation(relation string) string {
	relation = strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == ':' || r == '/' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		case r == '\'' || r == '’':
			return -1
		}
		return ' '
	}, relation)
	relation = strings.Join(strings.Fields(relation), " ")
	if len([]rune(relation)) > relationRunes {
		return ""
	}
	return relation
}
