package understand

import (
	"slices"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
	"familiar/memory/understand/world"
	"familiar/memory/when"
)

// relationLimit is the maximum number of relations of a question.
const relationLimit = 4

// plansAsked are the questions about future events. They ask for plans in addition to anything else.
var plansAsked = english.CompileAll("what am|are i|we doing|planning|up", "what do|did|have i|we have|got|planned? on|planned|coming|this|tomorrow|next|scheduled|ahead",
	"what have i got", "do|have i|we have|got any|a? plans|plan|appointments|anything", "what are|is my plans|plan|schedule|agenda", "when is|are my {noun}", "when do|does|am|will|should i {thing}",
	"what is on|coming up?", "what is happening", "what will i", "what am i going to", "what is next", "when my {noun} is", "what was i going|planning to")

// wishesAsked holds the questions about standing wishes.
var wishesAsked = english.CompileAll("what did|do i ask|tell|want you to", "what should|must you always|never", "how should|do you greet me", "what are|were my instructions|rules|wishes",
	"what have i asked|told you to", "what do you always", "how do i want you to", "what did i ask you")

// promisesAsked are the questions about the speaker's promises.
var promisesAsked = english.CompileAll("what did i promise", "what have i promised", "what do i owe you", "did i promise")

// feelingsAsked holds the questions about how the speaker feels.
var feelingsAsked = english.CompileAll("how am|was|were|did|do i feel|feeling|felt", "how was i", "what am i feeling", "how have i been")

// question parses a clause that asks. Of several questions the first that names a relation counts.
func (r *reading) question(c english.Clause) {
	if old := r.out.Question; old != nil && (len(old.Relations) > 0 || old.Value != "") {
		return
	}
	c = named(unquoted(c))
	q := &Question{Span: r.spanIn(c, nil)}
	start := english.SkipLeads(c, 0)
	q.Subject = questionSubject(c)
	text := c.Span(0, len(c.Words))
	q.When = when.Asked(text)
	q.YesNo = english.Auxiliaries[c.Low(start)] && !asksInside(c, start+1)
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
	if r.overview(c, start, q); !q.All {
		r.relationsAsked(c, q)
	}
	q.About = about(c)
	if q.Value == "" && len(q.Relations) == 0 {
		whoIs(c, start, q)
	}
	r.out.Question = q
}

var placeNouns = english.Set("city town country place street neighbourhood village region")

// earlier holds the words that ask for a former value.
var earlier = english.Set("before previously formerly originally earlier")

// unquoted returns the clause without its quotation marks, so that a quoted word can be asked about.
func unquoted(c english.Clause) english.Clause {
	for i := range c.Words {
		if c.Words[i].Quoted {
			words := slices.Clone(c.Words)
			for k := range words {
				words[k].Quoted = false
			}
			c.Words = words
			break
		}
	}
	return c
}

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

// fondness holds the verbs that ask the persona for its feelings about the speaker.
var fondness = english.Set("love like hate miss trust care")

// named returns the clause with a lower-case name marked as a name where only a name can be: between an auxiliary and
// a verb ("where does eva live"), or at the end of a question for an age or an owner.
func named(c english.Clause) english.Clause {
	for i := 1; i < len(c.Words); i++ {
		w := c.Words[i]
		if w.Low == "the" && english.IsAnimal(english.KinWord(c, i+1)) {
			c.Words = slices.Clone(c.Words)
			c.Words[i].Low = "my" // "the cat" means the speaker's own
		}
		if w.Capital || !english.NameWord(w.Low) || english.Passing[w.Low] || len(w.Low) < 3 {
			continue
		}
		verb, age := c.Low(i-1) == "does" && askedOf[c.Low(i+1)], c.Low(i-1) == "is" && c.Low(i-2) == "old" && i == len(c.Words)-1
		if verb || age {
			c.Words = slices.Clone(c.Words)
			c.Words[i].Capital = true
		}
	}
	return c
}

// askedOf holds the verbs in questions about a person.
var askedOf = english.Set("live work do like love hate study play have speak eat drive come own enjoy collect")

// questionSubject returns the subject of the question: "" for the speaker, "you", or a name.
func questionSubject(c english.Clause) string {
	mentionsYou := mentions(c, 0, "yourself")
	name := ""
	start := english.SkipLeads(c, 0)
	if mentionsYou || english.Auxiliaries[c.Low(start)] && c.Low(start+1) == "you" && fondness[c.Low(start+2)] && c.Low(start+3) == "me" {
		return "you"
	}
	for i := start; i < len(c.Words); i++ {
		switch c.Low(i) {
		case "my", "i", "me", "mine", "our", "we", "am":
			return ""
		case "you", "your":
			mentionsYou = true
		}
		if n := english.NameRun(c, i, 3); n > 0 && name == "" && !companion(c, i) {
			name = c.Span(i, i+n)
		}
	}
	if name != "" {
		return name
	}
	if mentionsYou {
		return "you"
	}
	return ""
}

// companion reports whether the name at i only identifies one of the speaker's events: "the meeting with Paul".
func companion(c english.Clause, i int) bool {
	return c.Low(i-1) == "with" && english.IsEvent(c.Low(i-2))
}

// relationsAsked sets the relations that the clause asks for, in the order of the table.
func (r *reading) relationsAsked(c english.Clause, q *Question) {
	mirrored := c
	if q.Subject == "you" {
		mirrored = mirror(c)
	}
	if tableAsked(mirrored, q); len(q.Relations) == 0 && q.Before {
		tableAsked(withoutUsedTo(mirrored), q)
	}
	if q.Subject != "" {
		r.freeAsked(mirrored, q)
		return
	}
	for _, open := range [...]struct {
		key      string
		patterns *english.Patterns
	}{{"instruction", &wishesAsked}, {"promise", &promisesAsked}, {"plan", &plansAsked}, {"feels", &feelingsAsked}} {
		if m, ok := first(c, open.patterns); ok && !(open.key == "plan" && len(q.Relations) > 0) {
			q.add(open.key)
			if q.Value == "" {
				q.Value = m.Key + c.Value(m)
			}
		}
	}
	if at := strings.LastIndexByte(q.Value, ' '); generic[english.Normalize(q.Value[at+1:])] {
		q.Value = "" // "an instrument" means any
	}
	if q.asksPet() {
		q.add("has_pet")
	}
	r.freeAsked(c, q)
}

// tableAsked adds the relations of the table that the clause asks for.
func tableAsked(c english.Clause, q *Question) {
	for i := range c.Words {
		for _, bucket := range rel.Wordings().Asked.Candidates(c, i) {
			for w, k := bucket.Next(&c, 0); w != nil; w, k = bucket.Next(&c, k+1) {
				m, ok := w.Pattern.Find(c, i)
				if !ok || q.Subject != "" && q.Subject != "you" && m.Subject == "" {
					continue
				}
				key := w.Row.Key
				if strings.HasSuffix(key, ":") || strings.HasSuffix(key, " ") {
					if m.Key == "" {
						continue
					}
					key += m.Key
				}
				q.addOf(c, m, key)
				if m.Subject != "" && q.Subject != "you" {
					q.Subject = m.Subject
				}
				switch {
				case m.To <= m.From || q.Value != "":
				case !rel.Many(key) && offers(c, m.To):
					q.YesNo = false
				default:
					q.Value = c.Value(m)
				}
			}
		}
	}
}

// offers reports whether the question offers an alternative to the value that ends at i: "a vegetarian or a vegan".
// "Or not" is no alternative.
func offers(c english.Clause, i int) bool {
	next := c.Low(i + 1)
	return c.Low(i) == "or" && next != "" && !noOffer[next]
}

var noOffer = english.Set("not what so something anything am is are do does did")

// withoutUsedTo rewrites "where did I use to live?" as "where did I live?".
func withoutUsedTo(c english.Clause) english.Clause {
	for i := range c.Words {
		if w := c.Low(i); (w == "use" || w == "used") && c.Low(i+1) == "to" {
			return english.NewClause(c.Text, slices.Delete(slices.Clone(c.Words), i, i+2))
		}
	}
	return c
}

// generic holds the nouns that ask for anything of their kind.
var generic = english.Set("instrument instruments sport sports pet pets language languages game games")

// addOf adds a relation of the question's match. It adds the relation of the speaker's kin when the match names one,
// and the names of pets or relatives when the question asks whether there are any.
func (q *Question) addOf(c english.Clause, m english.Match, key string) {
	if m.Kin != "" {
		q.add(rel.KinRelation(m.Kin, key))
		return
	}
	name := ""
	for i := m.From; key == "has_pet" && i < len(c.Words); i++ {
		if animal, _, ok := english.KeyWord("animal", c.Low(i)); ok {
			name = "pet_name:" + animal
		}
	}
	for i := m.From; key == "has_person" && i < len(c.Words); i++ {
		if role, _, ok := english.KeyWord("role", c.Low(i)); ok {
			name = "person_name:" + role
		}
	}
	if name != "" && !q.HowMany {
		q.add(name)
	}
	q.add(key)
	if name != "" {
		q.add(name)
	}
}

// asksPet reports whether the question asks for a pet's name without naming the animal.
func (q *Question) asksPet() bool { return slices.Contains(q.Relations, "pet_name:pet") }

func (q *Question) add(key string) {
	if len(q.Relations) < relationLimit && !slices.Contains(q.Relations, key) {
		q.Relations = append(q.Relations, key)
	}
}

// first returns the first match of any pattern anywhere in the clause.
func first(c english.Clause, patterns *english.Patterns) (english.Match, bool) {
	for i := range c.Words {
		if m, ok := patterns.Find(c, i); ok {
			return m, true
		}
	}
	return english.Match{}, false
}

// nounAsked are the questions for a relation that the table does not have.
var nounAsked = english.CompileAll("what|who|which|where|how is|are|was MY {noun} $", "what|which {noun} is|are MY {noun} $", "know|remember|recall MY {noun} $", "what MY {noun} is|are $")

// namesAsked are the questions for the name of a thing.
var namesAsked = english.CompileAll("MY {noun} 's name", "what is|was MY {noun} called")

// ofAsked matches "what is the capital of France".
var ofAsked = english.CompileAll("what|who|which|where is|was the {noun} of {thing}")

// freeAsked adds the relation of a free noun phrase when nothing better is known.
func (r *reading) freeAsked(c english.Clause, q *Question) {
	if len(q.Relations) > 0 {
		return
	}
	if m, ok := first(c, &namesAsked); ok {
		q.add(m.Key + "'s name")
		return
	}
	if m, ok := first(c, &nounAsked); ok && !english.Passing[m.Key] && !(mentions(c, 0, "how") && strings.HasSuffix(m.Key, "ing")) {
		key, _, isRole := english.KeyWord("role", m.Key)
		if !isRole {
			key, _ = plainNoun(m.Key)
			key = singularLast(key)
		}
		q.add(key)
		if m.Subject != "" {
			q.Subject = m.Subject
		}
		return
	}
	if m, ok := first(c, &ofAsked); ok {
		q.add(world.Key(m.Key))
		q.Subject = c.Value(m)
	}
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
		q.Value = c.Span(i+2, i+2+n)
		q.Subject = q.Value
	}
}

// mirror rewrites a question to the persona into one that the table has: "what is your name" becomes "what is my
// name", asked of the persona.
func mirror(c english.Clause) english.Clause {
	words := slices.Clone(c.Words)
	for i := range words {
		switch words[i].Low {
		case "your":
			words[i].Low = "my"
		case "you":
			words[i].Low = "i"
		}
	}
	return english.NewClause(c.Text, words)
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
