package understand

import (
	"slices"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
	"familiar/memory/understand/rel"
	"familiar/memory/understand/world"
	"familiar/memory/when"
)

const (
	// sureOfQuestion is how likely a sentence must ask for what was told to count as a question for it.
	sureOfQuestion = 0.85
	// sureIfMarked is that if it ends with a question mark.
	sureIfMarked = 0.25
	// sureOfKind is how likely a question must ask for a kind of fact for it to be answered from beliefs.
	sureOfKind = 0.6
	// sureOfWhom is how likely it must be about the persona.
	sureOfWhom = 0.5
)

// question parses a clause that asks. Of several questions the first that names a relation counts.
func (r *reading) question(c english.Clause, s english.Sentence, asked reader.Question) {
	if old := r.out.Question; old != nil && (len(old.Relations) > 0 || old.Value != "") {
		return
	}
	start, end := bounds(s)
	text := r.text(start, end)
	if asked.Recalls >= sureOfQuestion || s.Asks && asked.Recalls >= sureIfMarked {
		r.asked = append(r.asked, s)
	}
	first := english.SkipLeads(c, 0)
	q := &Question{
		Span: r.spanIn(start, end, nil), When: when.Asked(text), About: about(c),
		YesNo: english.Auxiliaries[c.Low(first)] && !asksInside(c, first+1),
	}
	q.Subject = whom(c, asked)
	for i := range c.Words {
		switch w, next := c.Low(i), c.Low(i+1); {
		case w == "where", (w == "which" || w == "what") && placeNouns[next]:
			q.Where = true
		case w == "who" || w == "whom" || w == "whose":
			q.Who = true
		case w == "how" && (next == "many" || next == "much" || next == "often" || next == "old"):
			q.HowMany = true
		case earlier[w] && (i == len(c.Words)-1 || w != "before") || (w == "used" || w == "use") && next == "to":
			q.Before = true
		}
	}
	if q.relate(c, asked); q.YesNo {
		q.Value = q.About
	}
	if len(q.Relations) == 0 {
		whoIs(c, first, q)
	}
	if m, ok := ofAsked.Find(c, first); ok && q.Subject != "you" {
		q.Relations, q.Subject, q.Value = []string{world.Key(m.Key)}, c.Value(m), ""
	}
	r.out.Question = q
}

// ofAsked matches a question about the world: "what is the capital of France".
var ofAsked = english.CompileAll("what|who|which|where is|was the {relation} of {rest}")

var placeNouns = english.Set("city town country place street neighbourhood village region")

// earlier holds the words that ask for a former value.
var earlier = english.Set("before previously formerly originally earlier")

// asksInside reports whether a yes-or-no question contains another one: "do you know what my name is?", "do you
// remember my name?".
func asksInside(c english.Clause, i int) bool {
	for ; i < len(c.Words); i++ {
		w := c.Low(i)
		if english.WordsOfQuestion[w] && w != "how" || (w == "know" || w == "remember" || w == "recall" || w == "forget" || w == "guess") && c.Low(i+1) != "about" {
			return true
		}
	}
	return false
}

// whom returns the subject of the question: "" for the speaker, "you", or a name.
func whom(c english.Clause, asked reader.Question) string {
	switch {
	case asked.OfPersona >= sureOfWhom:
		return "you"
	case asked.OfAsker >= sureOfWhom:
		return ""
	}
	low := ""
	for i := english.SkipLeads(c, 0); i < len(c.Words); i++ {
		if c.Low(i) == "my" || c.Low(i) == "our" {
			return ""
		}
		if n := english.NameRun(c, i, 3); n > 1 || n == 1 && (i > 0 || c.Low(i+1) == "'s") {
			return c.Span(i, i+n)
		}
		if strings.HasSuffix(c.Low(i), "ing") {
			continue
		}
		if before := c.Low(i - 1); low == "" && english.NameWord(c.Low(i)) && (english.Auxiliaries[before] || before == "old") {
			low = c.Span(i, i+1) // "where does eva live?"
		}
	}
	return low
}

// kinIn returns the relative or animal that the question names.
func kinIn(c english.Clause) string {
	for i := range c.Words {
		if kin, _, _ := english.KinAt(c, i); kin != "" {
			return kin
		}
	}
	return ""
}

// relate sets the relations that would answer the question.
func (q *Question) relate(c english.Clause, asked reader.Question) {
	kind, kin := asked.Likeliest(), kinIn(c)
	if naming := asked.AskedFor("name") + asked.AskedFor("person_name") + asked.AskedFor("pet_name") + asked.AskedFor("call_me"); kin != "" && naming >= sureOfKind {
		q.Relations = []string{rel.KinRelation(english.KinKey(kin), "name")}
		return
	}
	if kind == "" || asked.AskedFor(kind) < sureOfKind {
		return
	}
	animal := english.IsAnimal(english.KinKey(kin))
	switch kind {
	case "everything":
		q.All = true
		if kin != "" {
			q.Relations = []string{rel.KinRelation(kin, "name"), kin + rel.KinMark}
		}
		return
	case "person_name", "person":
		q.add("person_name", kin, !animal && (kin != "" || q.YesNo))
		q.add("has_person", "", q.YesNo || q.HowMany)
		return
	case "pet_name", "pet":
		q.add("pet_name", kin, animal)
		q.add("has_pet", "", q.YesNo || q.HowMany)
		return
	case "favourite", "fact":
		if noun := spelled(q.About); noun != "" && len(strings.Fields(noun)) <= 3 {
			q.Relations = []string{plainNoun(noun)}
		}
		return
	case "together_with":
		q.Relations = []string{"together_with", "spouse"}
		return
	}
	for _, key := range asksFor(kind) {
		q.Relations = append(q.Relations, rel.KinRelation(kin, key))
	}
}

// spelled returns words in lower case and their usual spelling.
func spelled(text string) string {
	var lows []string
	for _, w := range english.Words(text) {
		lows = append(lows, w.Low)
	}
	return strings.Join(lows, " ")
}

// add adds the relation for the name of a relative or animal of that kind, or of any if the kind does not fit.
func (q *Question) add(relation, kin string, fits bool) {
	switch {
	case kin != "" && fits:
		relation = rel.KinRelation(english.KinKey(kin), "name")
	case !fits:
		return
	}
	if !slices.Contains(q.Relations, relation) {
		q.Relations = append(q.Relations, relation)
	}
}

// asksFor returns the keys of the relations that answer a question for a kind of fact, best first. Kinds whose values say little
// without the sentence around them ("lost", "event", "habit") have none: what was said of them is quoted.
func asksFor(kind string) []string {
	switch kind {
	case "instruction", "avoid":
		return []string{rel.Wish}
	case "plan":
		return []string{rel.Planned}
	case "feels":
		return []string{"feels"}
	case "drives":
		return []string{"drives", "owns"}
	case "birth_year", "birthday":
		return []string{kind, "birthday", "birth_year"}
	case "name", "call_me", "age", "lives_in", "works_as", "works_at", "from", "born_in", "speaks", "allergic_to", "diet", "likes", "dislikes", "plays", "studies",
		"studies_at", "nationality", "marital_status":
		return []string{direct[kind]}
	}
	return nil
}

// whoIs reads "who is Rex?", which gives the value and asks for the relation.
func whoIs(c english.Clause, i int, q *Question) {
	if c.Low(i) != "who" && c.Low(i) != "what" || c.Low(i+1) != "is" && c.Low(i+1) != "was" {
		return
	}
	n := english.NameRun(c, i+2, 4)
	if n == 0 && c.Low(i) == "who" && i+3 == len(c.Words) && english.NameWord(c.Low(i+2)) {
		n = 1
	}
	if n > 0 && i+2+n == len(c.Words) {
		q.All = false
		q.Value = c.Span(i+2, i+2+n)
		q.Subject = q.Value
	}
}

// empty holds the words of a question that do not help a search.
var empty = english.Set("tell remind remember know recall guess mind mean called call name's exactly again still ever kind sort type thing things " +
	"think say said told ask asked want please")

// about returns the clause's content: what remains without question words, pronouns and auxiliaries.
func about(c english.Clause) string {
	var keep []string
	for i := range c.Words {
		w := c.Words[i]
		if english.Function[w.Low] || empty[w.Low] || english.WordsOfQuestion[w.Low] || len(w.Low) < 2 {
			continue
		}
		keep = append(keep, c.Text[w.Start:w.End])
	}
	return strings.Join(keep, " ")
}
