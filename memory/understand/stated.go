package understand

import (
	"cmp"
	"slices"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// What people state about the world: "the author of X is Y", "X was founded by Y", "X plays the position of Y". No list
// of relations is needed to read it: what stands between subject and value names the relation, and one thing at a time
// holds under it. The shapes of a statement are few; whoever fits none of them has stated nothing.

// stated is a statement being read: which words are its subject, its value and what relates them.
type stated struct {
	subject, value [2]int
	relation       []string
}

// state reads a sentence that states something in the third person. It says whether it did.
func (r *reader) state(s english.Sentence, cue bool) bool {
	if s.Asks {
		return false
	}
	c := english.Clause{Text: r.u.Text, Words: withoutTime(withoutLead(r.u.Text, s.Words))}
	cue = cue || s.Words[0].Low == "actually" || s.Words[0].Low == "correction"
	if r.stateIn(c, cue) {
		return true
	}
	for i := 4; i < len(c.Words); i++ {
		if w := c.Words[i]; w.Comma && pointing[w.Low] || beyond[w.Low] { // "…, I think", "… because it is big"
			c.Words = c.Words[:i]
			return r.stateIn(c, cue)
		}
	}
	return false
}

// stateIn reads the words of a clause as a statement, all of them.
func (r *reader) stateIn(c english.Clause, cue bool) bool {
	if len(c.Words) < 3 || len(c.Words) > statedAtMost || speaksOfSpeakers(c) {
		return false
	}
	st, ok := readStated(c)
	for ok && st.subject[1]-st.subject[0] > 1 && stateAdverbs[c.Words[st.subject[1]-1].Low] && !c.Words[st.subject[1]-1].Capital {
		st.subject[1]-- // "Ann now plays …"
	}
	if !ok || st.subject[1]-st.subject[0] > nameAtMost || !nameable(c, st.subject) {
		return false
	}
	to := st.value[1]
	relation := canonical(strings.Join(st.relation, " "))
	if relation == "husband" || relation == "wife" {
		relation = "spouse"
	} else if kin, known := english.Roles[relation]; known && !sameRelation(relation) {
		relation = rel.KinRelation(kin.Key, "name")
	}
	found := Claim{Kind: rel.Fact, Subject: c.Span(st.subject[0], st.subject[1]), Relation: relation, Many: rel.Many(relation), Correction: cue}
	for i := st.value[0] + 1; i+1 < to; i++ {
		if c.Words[i].Comma && c.Words[i].Low == "not" { // "…, not Sydney"
			found.Corrects, found.Correction, to = c.Span(i+1, to), true, i
		}
	}
	if !ends(c, st.value[0], to) {
		return false
	}
	found.Value = c.Span(st.value[0], to)
	r.add(c, found, 0, len(c.Words))
	return true
}

const (
	// statedAtMost is how many words a statement has at most, nameAtMost its subject and its value.
	statedAtMost = 40
	nameAtMost   = 14
)

func readStated(c english.Clause) (stated, bool) {
	if c.Words[0].Low == "the" {
		if st, ok := namedBy(c); ok {
			return st, true
		}
	}
	if st, ok := ownedBy(c); ok {
		return st, true
	}
	for k := 1; k+1 < len(c.Words); k++ {
		if c.Words[k].Capital || c.Words[k].Comma && !afterBracket(c, k) {
			continue
		}
		for _, shape := range [...]func(english.Clause, int) (stated, bool){isOf, isDone, does, didIt, isWhere, isWork, hasIts} {
			if st, ok := shape(c, k); ok {
				return st, true
			}
		}
	}
	return stated{}, false
}

// afterBracket says that a bracket is closed before the word at k: "Hello (song) was performed by …".
func afterBracket(c english.Clause, k int) bool {
	return strings.HasPrefix(c.Text[c.Words[k-1].End:], ")")
}

// namedBy reads "the author of X is Y", "the university where X was educated is Y", "the company that produced X is Y".
func namedBy(c english.Clause) (stated, bool) {
	for k := len(c.Words) - 2; k > 2; k-- {
		if c.Words[k].Capital || c.Words[k].Low != "is" && c.Words[k].Low != "are" && c.Words[k].Low != "was" {
			continue
		}
		st, ok := relative(c, k)
		if !ok {
			st, ok = ofSomething(c, k)
		}
		value := k + 1
		for value < len(c.Words)-1 && stateAdverbs[c.Words[value].Low] && !c.Words[value].Capital {
			value++ // "is now"
		}
		value = pastPlace(c, value)
		if ok && seats[st.relation[len(st.relation)-1]] && c.Words[value].Low == "in" && value+1 < len(c.Words) {
			value++ // "the headquarters of X is in Y"
		}
		if !ok || goesOn(c, value) {
			continue
		}
		st.value = [2]int{value, len(c.Words)}
		capital := c.Words[st.value[0]].Capital
		named := anyCapital(c, st.subject)
		if !capital && (!named || notValues[c.Words[st.value[0]].Low]) || passing[strings.Join(st.relation, " ")] {
			return stated{}, false
		}
		return st, true
	}
	return stated{}, false
}

// goesOn says that a relation of its own stands where a value should: "the Wheel of Time was written in …".
func goesOn(c english.Clause, i int) bool {
	return i+1 < len(c.Words) && !c.Words[i].Capital && participle(c.Words[i].Low) && rel.Relating[c.Words[i+1].Low]
}

// ofSomething reads "the {relation} of {subject}" before the copula at k; a noun after a named subject belongs to the
// relation: "the head of the Tuvalu government".
func ofSomething(c english.Clause, k int) (stated, bool) {
	at := joint(c, k)
	if at < 0 && k > 3 && c.Words[1].Low == "name" && c.Words[2].Low == "of" {
		return stated{subject: [2]int{3, k}, relation: []string{"name"}}, true
	}
	if at < 0 {
		return stated{}, false
	}
	st := stated{subject: [2]int{at + 1, k}, relation: roleWords(c, 1, at)}
	if c.Words[at+1].Low == "the" && anyCapital(c, st.subject) {
		end := k
		for end > at+2 && !c.Words[end-1].Capital {
			end--
		}
		if more := roleWords(c, end, k); len(more) > 0 {
			st.relation = append(append(st.relation, "of"), more...)
		}
		st.subject = [2]int{at + 2, end}
	}
	return st, len(st.relation) > 0 && len(st.relation) <= 6
}

// joint is the preposition that parts a relation from its subject: the first one before a name, else the first "of".
func joint(c english.Clause, k int) int {
	of := -1
	for i := 2; i+1 < k; i++ {
		w := c.Words[i]
		if w.Capital || w.Low != "of" && w.Low != "in" && w.Low != "for" && w.Low != "at" {
			continue
		}
		next := c.Words[i+1]
		if next.Low == "name" || c.Words[i-1].Low == "name" {
			continue // "the name of the current head of …"
		}
		if next.Capital || next.Low == "the" && i+2 < k && anyCapital(c, [2]int{i + 2, k}) && !jointAfter(c, i+2, k) {
			return i
		}
		if of < 0 && w.Low == "of" {
			of = i
		}
	}
	return of
}

// jointAfter says that a name after a further preposition is what is spoken of: "the head of the state of Ohio".
func jointAfter(c english.Clause, i, k int) bool {
	for ; i+1 < k && !c.Words[i].Capital; i++ {
		if c.Words[i].Low == "of" || c.Words[i].Low == "in" {
			return c.Words[i+1].Capital
		}
	}
	return false
}

// ownedBy reads "X's author is Y" where both are names.
func ownedBy(c english.Clause) (stated, bool) {
	for i := 1; i+3 < len(c.Words) && i < nameAtMost; i++ {
		if c.Words[i].Low != "'s" {
			continue
		}
		for k := i + 2; k <= i+4 && k+1 < len(c.Words) && !c.Words[k-1].Capital; k++ {
			owner, value := [2]int{0, i}, [2]int{k + 1, len(c.Words)}
			if seats[c.Words[k-1].Low] && c.Words[k+1].Low == "in" && k+2 < len(c.Words) {
				value[0]++
			}
			if c.Words[k].Low == "is" && allCapital(c, owner) && allCapital(c, value) && !passing[c.Words[k-1].Low] {
				return stated{subject: owner, value: value, relation: roleWords(c, i+1, k)}, true
			}
		}
	}
	return stated{}, false
}

// roleWords are the words that name a relation, without those that only lead up to it.
func roleWords(c english.Clause, from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		w := c.Words[i].Low
		if w == "the" || w == "current" || w == "present" || w == "new" && i == from ||
			(w == "name" || w == "type" || w == "kind" || w == "sort") && i+1 < to && c.Words[i+1].Low == "of" {
			continue
		}
		if w == "of" && len(out) == 0 {
			continue
		}
		out = append(out, w)
	}
	return out
}

// relative reads a relation told by a clause of its own: "where X was educated", "that produced X", "that X plays".
func relative(c english.Clause, k int) (stated, bool) {
	for i := 2; i+1 < k; i++ {
		w := c.Words[i]
		if w.Capital || w.Low != "where" && w.Low != "that" && w.Low != "who" && w.Low != "which" {
			continue
		}
		last, first := c.Words[k-1].Low, c.Words[i+1]
		switch be := c.Words[k-2].Low; {
		case (be == "was" || be == "is") && k-2 > i+1: // where X was educated
			return stated{subject: [2]int{i + 1, k - 2}, relation: []string{last, "at"}}, w.Low == "where"
		case !first.Capital && (participle(first.Low) || deeds[first.Low] != "") && i+2 < k: // that produced X
			return stated{subject: [2]int{i + 2, k}, relation: []string{cmp.Or(deeds[first.Low], first.Low), "by"}}, w.Low != "where"
		case rel.Acts[last] && !c.Words[k-1].Capital && i+1 < k-1: // that X plays
			return stated{subject: [2]int{i + 1, k - 1}, relation: roleWords(c, 1, i)}, w.Low != "where"
		}
		return stated{}, false
	}
	return stated{}, false
}

// isOf reads "Y is the author of X", a relation told from its value, and "X is a citizen of Y".
func isOf(c english.Clause, k int) (stated, bool) {
	at := pastBeing(c, k)
	if at == k || at+2 >= len(c.Words) {
		return stated{}, false
	}
	article := c.Words[at].Low
	if article == "the" || article == "a" || article == "an" {
		at++
	} else if article = "the"; at == k+1 {
		return stated{}, false // "Ann is part of it"
	}
	of := lastOf(c, at)
	if of < 0 {
		return stated{}, false
	}
	before, after := [2]int{0, k}, [2]int{of + 1, len(c.Words)}
	noun := c.Words[of-1].Low
	switch {
	case article == "the" && allCapital(c, before) && c.Words[of+1].Capital && !passing[noun] && !superlative(c, at, of):
		return stated{subject: after, value: before, relation: roleWords(c, at, of)}, true
	case article != "the" && belonging[noun] != "" && hasUpper(c, after):
		return stated{subject: before, value: after, relation: []string{belonging[noun], "of"}}, true
	}
	return stated{}, false
}

// pastBeing is the word after "is", "is now", "became", "serves as" or "took over as" at k, k when none stands there.
func pastBeing(c english.Clause, k int) int {
	at := k + 1
	switch c.Words[k].Low {
	case "is", "was", "became":
		for at < len(c.Words) && (stateAdverbs[c.Words[at].Low] || appointed[c.Words[at].Low]) {
			at++
		}
	case "has":
		if at+2 < len(c.Words) && c.Words[at].Low == "been" && appointed[c.Words[at+1].Low] {
			return at + 2
		}
		return k
	case "replaced", "succeeded":
		for at < len(c.Words)-1 && at < k+roleAtMost && c.Words[at].Low != "as" {
			at++
		}
		if c.Words[at].Low != "as" {
			return k
		}
		at++
	case "serves", "acts", "took", "works":
		if c.Words[at].Low == "over" {
			at++
		}
		if at >= len(c.Words) || c.Words[at].Low != "as" {
			return k
		}
		at++
	default:
		return k
	}
	return at
}

// appointed are the words for how somebody comes to a post.
var appointed = english.Set("appointed named elected made")

// lastOf is the "of" that parts a role, which begins at the word at, from what it is a role in: "head of state of Ohio".
func lastOf(c english.Clause, at int) int {
	of := -1
	for i := at + 1; i < len(c.Words)-1 && i <= at+roleAtMost && !c.Words[i].Capital; i++ {
		if c.Words[i].Low == "of" {
			of = i
		}
	}
	return of
}

// roleAtMost is how many words a role has at most.
const roleAtMost = 5

// belonging are the nouns of which somebody is one, by the noun it is kept under.
var belonging = map[string]string{
	"citizen": "citizen", "national": "citizen", "native": "citizen", "subject": "citizen", "resident": "citizen", "member": "member",
}

func superlative(c english.Clause, from, to int) bool {
	for i := from; i < to; i++ {
		if w := c.Words[i].Low; w == "best" || w == "most" || w == "only" || w == "love" || w == "end" || strings.HasSuffix(w, "est") {
			return true
		}
	}
	return false
}

// isDone reads "X was founded by Y", "X is located in the continent of Y", "X is famous for Y".
func isDone(c english.Clause, k int) (stated, bool) {
	if w := c.Words[k].Low; w != "is" && w != "was" && w != "are" && w != "were" {
		return stated{}, false
	}
	at := k + 1
	for at < len(c.Words)-2 && stateAdverbs[c.Words[at].Low] {
		at++
	}
	if at+2 >= len(c.Words) {
		return stated{}, false
	}
	if kind, value := kindAt(c, at+1); places[kind] && (c.Words[at].Low == "in" || c.Words[at].Low == "on") {
		st := stated{subject: [2]int{0, k}, value: [2]int{value, len(c.Words)}, relation: relationOfKind([]string{"located", "in"}, kind)}
		return st, anyCapital(c, st.subject)
	}
	done, how := c.Words[at].Low, c.Words[at+1].Low
	if c.Words[at].Capital || !rel.Relating[how] {
		return stated{}, false
	}
	st := stated{subject: [2]int{0, k}, relation: []string{done, how}}
	kind, value := kindAt(c, at+2)
	st.value = [2]int{value, len(c.Words)}
	switch {
	case kind != "" && participle(done):
		st.relation = relationOfKind(st.relation, kind)
		return st, anyCapital(c, st.subject) || value-at > 2
	case lasting[done] || made[done]:
		numbered := how == "for" && value+1 == len(c.Words) && english.IsNumber(c.Words[value].Low) // "famous for 1984"
		return st, (hasUpper(c, st.value) || numbered) && !goesOn(c, value)
	}
	return stated{}, false
}

// does reads "X plays the position of Y", "X worked in the city of Y", "X died in Y".
func does(c english.Clause, k int) (stated, bool) {
	verb := c.Words[k].Low
	if st, ok := happened(c, k); ok {
		return st, true
	}
	if !rel.Acts[verb] {
		return stated{}, false
	}
	at := k + 1
	relation := []string{verb}
	if w := c.Words[at].Low; rel.Relating[w] {
		relation = append(relation, w)
		at++
	}
	st := stated{subject: [2]int{0, k}}
	kind, value := kindAt(c, at)
	st.value = [2]int{value, len(c.Words)}
	switch {
	case kind != "" && (len(relation) > 1 || !places[kind]):
		st.relation = relationOfKind(relation, kind)
		return st, true
	case verb == "died" && len(relation) > 1 && value < len(c.Words) && (c.Words[value].Capital || english.IsYear(c.Words[value].Low)):
		st.relation = relation
		return st, true
	}
	return stated{}, false
}

// happenings are what happened to somebody or something once, by the relation it is kept under.
var happenings = map[string]string{
	"passed away in": "died in", "originated in": origin, "originated from": origin, "originates from": origin, "originates in": origin,
	"studied at": "educated at", "graduated from": "educated at", "converted to": "religion", "originally aired on": "original broadcaster",
	"first aired on": "original broadcaster",
}

const origin = "created in the country of"

// happened reads "X graduated from Y", where Y is a name.
func happened(c english.Clause, k int) (stated, bool) {
	for n := 2; n <= 3 && k+n < len(c.Words); n++ {
		words := make([]string, n)
		for i := range words {
			words[i] = c.Words[k+i].Low
		}
		if relation, ok := happenings[strings.Join(words, " ")]; ok {
			_, value := kindAt(c, k+n)
			return stated{subject: [2]int{0, k}, value: [2]int{value, len(c.Words)}, relation: []string{relation}}, anyCapital(c, [2]int{0, k}) && c.Words[value].Capital
		}
	}
	return stated{}, false
}

// relationOfKind names a relation whose value is said to be of a kind: a place is told by what happened there, anything else by
// the kind alone.
func relationOfKind(relation []string, kind string) []string {
	switch {
	case towns[kind]:
		return relation
	case !places[kind] || relation[0] == "located" || relation[0] == "situated" || relation[0] == "lies":
		return []string{kind}
	}
	return append(slices.Clone(relation), "the", kind, "of")
}

// kindAt reads "the city of" and returns the kind with the word after it.
func kindAt(c english.Clause, i int) (kind string, value int) {
	if i+3 < len(c.Words) && c.Words[i].Low == "the" && kinds[c.Words[i+1].Low] && c.Words[i+2].Low == "of" {
		return c.Words[i+1].Low, i + 3
	}
	return "", i
}

// pastPlace is the word after "located in the city of", i when there is none.
func pastPlace(c english.Clause, i int) int {
	if i+2 >= len(c.Words) || !situated[c.Words[i].Low] || c.Words[i+1].Low != "in" {
		return i
	}
	_, value := kindAt(c, i+2)
	return value
}
