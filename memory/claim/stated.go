package claim

import (
	"cmp"
	"slices"
	"strings"
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
func (r *reader) state(s sentence, cue bool) bool {
	if s.asks {
		return false
	}
	c := clause{text: r.u.Text, words: withoutTime(withoutLead(r.u.Text, s.words))}
	cue = cue || s.words[0].low == "actually" || s.words[0].low == "correction"
	if r.stateIn(c, cue) {
		return true
	}
	for i := 4; i < len(c.words); i++ {
		if w := c.words[i]; w.comma && pointing[w.low] || beyond[w.low] { // "…, I think", "… because it is big"
			c.words = c.words[:i]
			return r.stateIn(c, cue)
		}
	}
	return false
}

// stateIn reads the words of a clause as a statement, all of them.
func (r *reader) stateIn(c clause, cue bool) bool {
	if len(c.words) < 3 || len(c.words) > statedAtMost || speaksOfSpeakers(c) {
		return false
	}
	st, ok := readStated(c)
	for ok && st.subject[1]-st.subject[0] > 1 && stateAdverbs[c.words[st.subject[1]-1].low] && !c.words[st.subject[1]-1].capital {
		st.subject[1]-- // "Ann now plays …"
	}
	if !ok || st.subject[1]-st.subject[0] > nameAtMost || !nameable(c, st.subject) {
		return false
	}
	to := st.value[1]
	relation := canonical(strings.Join(st.relation, " "))
	if relation == "husband" || relation == "wife" {
		relation = "spouse"
	} else if kin, known := roles[relation]; known && !sameRelation(relation) {
		relation = kinRelation(kin.key, "name")
	}
	found := Claim{Kind: Fact, Subject: c.span(st.subject[0], st.subject[1]), Relation: relation, Many: Many(relation), Correction: cue}
	for i := st.value[0] + 1; i+1 < to; i++ {
		if c.words[i].comma && c.words[i].low == "not" { // "…, not Sydney"
			found.Corrects, found.Correction, to = c.span(i+1, to), true, i
		}
	}
	if !ends(c, st.value[0], to) {
		return false
	}
	found.Value = c.span(st.value[0], to)
	r.add(c, found, 0, len(c.words))
	return true
}

const (
	// statedAtMost is how many words a statement has at most, nameAtMost its subject and its value.
	statedAtMost = 40
	nameAtMost   = 14
)

func readStated(c clause) (stated, bool) {
	if c.words[0].low == "the" {
		if st, ok := namedBy(c); ok {
			return st, true
		}
	}
	if st, ok := ownedBy(c); ok {
		return st, true
	}
	for k := 1; k+1 < len(c.words); k++ {
		if c.words[k].capital || c.words[k].comma && !afterBracket(c, k) {
			continue
		}
		for _, shape := range [...]func(clause, int) (stated, bool){isOf, isDone, does, didIt, isWhere, isWork, hasIts} {
			if st, ok := shape(c, k); ok {
				return st, true
			}
		}
	}
	return stated{}, false
}

// afterBracket says that a bracket is closed before the word at k: "Hello (song) was performed by …".
func afterBracket(c clause, k int) bool { return strings.HasPrefix(c.text[c.words[k-1].end:], ")") }

// namedBy reads "the author of X is Y", "the university where X was educated is Y", "the company that produced X is Y".
func namedBy(c clause) (stated, bool) {
	for k := len(c.words) - 2; k > 2; k-- {
		if c.words[k].capital || c.words[k].low != "is" && c.words[k].low != "are" && c.words[k].low != "was" {
			continue
		}
		st, ok := relative(c, k)
		if !ok {
			st, ok = ofSomething(c, k)
		}
		value := k + 1
		for value < len(c.words)-1 && stateAdverbs[c.words[value].low] && !c.words[value].capital {
			value++ // "is now"
		}
		value = pastPlace(c, value)
		if ok && seats[st.relation[len(st.relation)-1]] && c.words[value].low == "in" && value+1 < len(c.words) {
			value++ // "the headquarters of X is in Y"
		}
		if !ok || goesOn(c, value) {
			continue
		}
		st.value = [2]int{value, len(c.words)}
		capital := c.words[st.value[0]].capital
		named := anyCapital(c, st.subject)
		if !capital && (!named || notValues[c.words[st.value[0]].low]) || passing[strings.Join(st.relation, " ")] {
			return stated{}, false
		}
		return st, true
	}
	return stated{}, false
}

// goesOn says that a relation of its own stands where a value should: "the Wheel of Time was written in …".
func goesOn(c clause, i int) bool {
	return i+1 < len(c.words) && !c.words[i].capital && participle(c.words[i].low) && relating[c.words[i+1].low]
}

// ofSomething reads "the {relation} of {subject}" before the copula at k; a noun after a named subject belongs to the
// relation: "the head of the Tuvalu government".
func ofSomething(c clause, k int) (stated, bool) {
	at := joint(c, k)
	if at < 0 && k > 3 && c.words[1].low == "name" && c.words[2].low == "of" {
		return stated{subject: [2]int{3, k}, relation: []string{"name"}}, true
	}
	if at < 0 {
		return stated{}, false
	}
	st := stated{subject: [2]int{at + 1, k}, relation: roleWords(c, 1, at)}
	if c.words[at+1].low == "the" && anyCapital(c, st.subject) {
		end := k
		for end > at+2 && !c.words[end-1].capital {
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
func joint(c clause, k int) int {
	of := -1
	for i := 2; i+1 < k; i++ {
		w := c.words[i]
		if w.capital || w.low != "of" && w.low != "in" && w.low != "for" && w.low != "at" {
			continue
		}
		next := c.words[i+1]
		if next.low == "name" || c.words[i-1].low == "name" {
			continue // "the name of the current head of …"
		}
		if next.capital || next.low == "the" && i+2 < k && anyCapital(c, [2]int{i + 2, k}) && !jointAfter(c, i+2, k) {
			return i
		}
		if of < 0 && w.low == "of" {
			of = i
		}
	}
	return of
}

// jointAfter says that a name after a further preposition is what is spoken of: "the head of the state of Ohio".
func jointAfter(c clause, i, k int) bool {
	for ; i+1 < k && !c.words[i].capital; i++ {
		if c.words[i].low == "of" || c.words[i].low == "in" {
			return c.words[i+1].capital
		}
	}
	return false
}

// ownedBy reads "X's author is Y" where both are names.
func ownedBy(c clause) (stated, bool) {
	for i := 1; i+3 < len(c.words) && i < nameAtMost; i++ {
		if c.words[i].low != "'s" {
			continue
		}
		for k := i + 2; k <= i+4 && k+1 < len(c.words) && !c.words[k-1].capital; k++ {
			owner, value := [2]int{0, i}, [2]int{k + 1, len(c.words)}
			if seats[c.words[k-1].low] && c.words[k+1].low == "in" && k+2 < len(c.words) {
				value[0]++
			}
			if c.words[k].low == "is" && allCapital(c, owner) && allCapital(c, value) && !passing[c.words[k-1].low] {
				return stated{subject: owner, value: value, relation: roleWords(c, i+1, k)}, true
			}
		}
	}
	return stated{}, false
}

// roleWords are the words that name a relation, without those that only lead up to it.
func roleWords(c clause, from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		w := c.words[i].low
		if w == "the" || w == "current" || w == "present" || w == "new" && i == from ||
			(w == "name" || w == "type" || w == "kind" || w == "sort") && i+1 < to && c.words[i+1].low == "of" {
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
func relative(c clause, k int) (stated, bool) {
	for i := 2; i+1 < k; i++ {
		w := c.words[i]
		if w.capital || w.low != "where" && w.low != "that" && w.low != "who" && w.low != "which" {
			continue
		}
		last, first := c.words[k-1].low, c.words[i+1]
		switch be := c.words[k-2].low; {
		case (be == "was" || be == "is") && k-2 > i+1: // where X was educated
			return stated{subject: [2]int{i + 1, k - 2}, relation: []string{last, "at"}}, w.low == "where"
		case !first.capital && (participle(first.low) || deeds[first.low] != "") && i+2 < k: // that produced X
			return stated{subject: [2]int{i + 2, k}, relation: []string{cmp.Or(deeds[first.low], first.low), "by"}}, w.low != "where"
		case acts[last] && !c.words[k-1].capital && i+1 < k-1: // that X plays
			return stated{subject: [2]int{i + 1, k - 1}, relation: roleWords(c, 1, i)}, w.low != "where"
		}
		return stated{}, false
	}
	return stated{}, false
}

// isOf reads "Y is the author of X", a relation told from its value, and "X is a citizen of Y".
func isOf(c clause, k int) (stated, bool) {
	at := pastBeing(c, k)
	if at == k || at+2 >= len(c.words) {
		return stated{}, false
	}
	article := c.words[at].low
	if article == "the" || article == "a" || article == "an" {
		at++
	} else if article = "the"; at == k+1 {
		return stated{}, false // "Ann is part of it"
	}
	of := lastOf(c, at)
	if of < 0 {
		return stated{}, false
	}
	before, after := [2]int{0, k}, [2]int{of + 1, len(c.words)}
	noun := c.words[of-1].low
	switch {
	case article == "the" && allCapital(c, before) && c.words[of+1].capital && !passing[noun] && !superlative(c, at, of):
		return stated{subject: after, value: before, relation: roleWords(c, at, of)}, true
	case article != "the" && belonging[noun] != "" && hasUpper(c, after):
		return stated{subject: before, value: after, relation: []string{belonging[noun], "of"}}, true
	}
	return stated{}, false
}

// pastBeing is the word after "is", "is now", "became", "serves as" or "took over as" at k, k when none stands there.
func pastBeing(c clause, k int) int {
	at := k + 1
	switch c.words[k].low {
	case "is", "was", "became":
		for at < len(c.words) && (stateAdverbs[c.words[at].low] || appointed[c.words[at].low]) {
			at++
		}
	case "has":
		if at+2 < len(c.words) && c.words[at].low == "been" && appointed[c.words[at+1].low] {
			return at + 2
		}
		return k
	case "replaced", "succeeded":
		for at < len(c.words)-1 && at < k+roleAtMost && c.words[at].low != "as" {
			at++
		}
		if c.words[at].low != "as" {
			return k
		}
		at++
	case "serves", "acts", "took", "works":
		if c.words[at].low == "over" {
			at++
		}
		if at >= len(c.words) || c.words[at].low != "as" {
			return k
		}
		at++
	default:
		return k
	}
	return at
}

// appointed are the words for how somebody comes to a post.
var appointed = set("appointed named elected made")

// lastOf is the "of" that parts a role, which begins at the word at, from what it is a role in: "head of state of Ohio".
func lastOf(c clause, at int) int {
	of := -1
	for i := at + 1; i < len(c.words)-1 && i <= at+roleAtMost && !c.words[i].capital; i++ {
		if c.words[i].low == "of" {
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

func superlative(c clause, from, to int) bool {
	for i := from; i < to; i++ {
		if w := c.words[i].low; w == "best" || w == "most" || w == "only" || w == "love" || w == "end" || strings.HasSuffix(w, "est") {
			return true
		}
	}
	return false
}

// isDone reads "X was founded by Y", "X is located in the continent of Y", "X is famous for Y".
func isDone(c clause, k int) (stated, bool) {
	if w := c.words[k].low; w != "is" && w != "was" && w != "are" && w != "were" {
		return stated{}, false
	}
	at := k + 1
	for at < len(c.words)-2 && stateAdverbs[c.words[at].low] {
		at++
	}
	if at+2 >= len(c.words) {
		return stated{}, false
	}
	if kind, value := kindAt(c, at+1); places[kind] && (c.words[at].low == "in" || c.words[at].low == "on") {
		st := stated{subject: [2]int{0, k}, value: [2]int{value, len(c.words)}, relation: relationOfKind([]string{"located", "in"}, kind)}
		return st, anyCapital(c, st.subject)
	}
	done, how := c.words[at].low, c.words[at+1].low
	if c.words[at].capital || !relating[how] {
		return stated{}, false
	}
	st := stated{subject: [2]int{0, k}, relation: []string{done, how}}
	kind, value := kindAt(c, at+2)
	st.value = [2]int{value, len(c.words)}
	switch {
	case kind != "" && participle(done):
		st.relation = relationOfKind(st.relation, kind)
		return st, anyCapital(c, st.subject) || value-at > 2
	case lasting[done] || made[done]:
		numbered := how == "for" && value+1 == len(c.words) && isNumber(c.words[value].low) // "famous for 1984"
		return st, (hasUpper(c, st.value) || numbered) && !goesOn(c, value)
	}
	return stated{}, false
}

// does reads "X plays the position of Y", "X worked in the city of Y", "X died in Y".
func does(c clause, k int) (stated, bool) {
	verb := c.words[k].low
	if st, ok := happened(c, k); ok {
		return st, true
	}
	if !acts[verb] {
		return stated{}, false
	}
	at := k + 1
	relation := []string{verb}
	if w := c.words[at].low; relating[w] {
		relation = append(relation, w)
		at++
	}
	st := stated{subject: [2]int{0, k}}
	kind, value := kindAt(c, at)
	st.value = [2]int{value, len(c.words)}
	switch {
	case kind != "" && (len(relation) > 1 || !places[kind]):
		st.relation = relationOfKind(relation, kind)
		return st, true
	case verb == "died" && len(relation) > 1 && value < len(c.words) && (c.words[value].capital || isYear(c.words[value].low)):
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
func happened(c clause, k int) (stated, bool) {
	for n := 2; n <= 3 && k+n < len(c.words); n++ {
		words := make([]string, n)
		for i := range words {
			words[i] = c.words[k+i].low
		}
		if relation, ok := happenings[strings.Join(words, " ")]; ok {
			_, value := kindAt(c, k+n)
			return stated{subject: [2]int{0, k}, value: [2]int{value, len(c.words)}, relation: []string{relation}}, anyCapital(c, [2]int{0, k}) && c.words[value].capital
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
func kindAt(c clause, i int) (kind string, value int) {
	if i+3 < len(c.words) && c.words[i].low == "the" && kinds[c.words[i+1].low] && c.words[i+2].low == "of" {
		return c.words[i+1].low, i + 3
	}
	return "", i
}

// pastPlace is the word after "located in the city of", i when there is none.
func pastPlace(c clause, i int) int {
	if i+2 >= len(c.words) || !situated[c.words[i].low] || c.words[i+1].low != "in" {
		return i
	}
	_, value := kindAt(c, i+2)
	return value
}
