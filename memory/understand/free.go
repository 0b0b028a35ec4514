package understand

import (
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
	"familiar/memory/understand/world"
	"familiar/memory/when"
)

// Free claims have a relation that is not in the table: "my car is red".

var (
	// possessive matches "my X is Y" and "Ann's X is Y".
	possessive = english.Compile("MY {noun} is|are now? {thing}")
	// nameOf matches "my car's name is Betsy" and "my car is called Betsy".
	nameOf = english.CompileAll("MY {noun} 's name is|'s {name}", "MY {noun} is|are now? called|named {name}", "MY {noun} 's called|named {name}")
	// changedTo matches "my number changed to Y".
	changedTo = english.CompileAll("MY {noun} changed|switched to {thing}", "MY {noun} has~ changed to {thing}", "I changed my {noun} to {thing}", "I have~ changed my {noun} to {thing}")
)

// unfree holds the nouns that have their own wordings in the table.
var unfree = english.Set("favourite name names age birthday")

// takenOut reports whether the value at i is the mark of a removed secret, which is not a value.
func takenOut(c english.Clause, i int) bool {
	return c.Low(i) == "redacted" && strings.HasSuffix(c.Text[:c.Words[i].Start], "[")
}

// free parses a clause that matches no relation of the table.
func (r *reading) free(c english.Clause, span *when.Span, cue bool) {
	i := english.SkipLeads(c, 0)
	if m, ok := nameOf.Find(c, i); ok {
		r.add(c, Claim{Kind: rel.Fact, Subject: m.Subject, Relation: rel.KinRelation(m.Kin, m.Key+"'s name"), Value: c.Value(m), Span: span, Correction: cue}, i, m.To)
		return
	}
	m, changed := changedTo.Find(c, i)
	ok := changed
	if !ok {
		m, ok = possessive.Find(c, i)
	}
	if !ok || english.Passing[m.Key] || takenOut(c, m.From) || english.NotValues[c.Low(m.From)] || intensities[c.Low(m.From)] > 0 || unfree[m.Key] || strings.HasSuffix(c.Low(m.From), "ing") || strings.HasSuffix(c.Low(m.From), "ly") || m.To-m.From > 6 || r.inSpan(c, m.From) {
		return
	}
	noun, renewed := plainNoun(m.Key)
	relation := rel.KinRelation(m.Kin, singularLast(noun))
	if m.Subject != "" && m.Kin == "" {
		relation = world.Key(relation)
	}
	r.add(c, Claim{Kind: rel.Fact, Subject: m.Subject, Relation: relation, Value: c.Value(m), Many: rel.Many(relation), Span: span, Correction: cue, Changed: changed || renewed}, i, m.To)
}

// plainNoun returns the key of a possession that people have one of at a time, without a word like "new", and whether
// there was such a word: "my new phone number" is the number.
func plainNoun(key string) (noun string, renewed bool) {
	first, rest, several := strings.Cut(key, " ")
	if several && (first == "new" || first == "current" || first == "latest") {
		key, renewed = rest, first == "new"
	}
	if same, ok := sameNouns[key]; ok {
		return same, renewed
	}
	return key, renewed
}

// sameNouns maps words for the same thing to its key.
var sameNouns = map[string]string{
	"number": "phone number", "mobile number": "phone number", "cell number": "phone number", "telephone number": "phone number",
	"cell phone number": "phone number", "telephone": "phone number", "email address": "email", "e-mail": "email", "mail address": "email",
	"home address": "address", "postal address": "address", "automobile": "car",
}

// add adds a claim read from words [from, to).
func (r *reading) add(c english.Clause, claim Claim, from, to int) {
	claim.Quote = c.Span(from, min(to, len(c.Words)))
	r.out.Claims = append(r.out.Claims, claim)
}

// singularLast changes words for people and animals into their keys. Other nouns do not change.
func singularLast(key string) string {
	if r, ok := english.Roles[key]; ok {
		return r.Key
	}
	if a := english.Animals[key]; a != "" {
		return a
	}
	return key
}

// inSpan reports whether the word is part of a time: "my exam is tomorrow" claims no value.
func (r *reading) inSpan(c english.Clause, i int) bool {
	for _, s := range r.spans {
		if c.Words[i].Start >= s.Start && c.Words[i].Start < s.End {
			return true
		}
	}
	return false
}
