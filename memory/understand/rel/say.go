package rel

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/understand/english"
)

// Describe says a claim in a sentence without its full stop. An empty subject is the person spoken to ("your dog is
// called Rex"), anything else is named ("Melanie's dog is called Oscar"). Words of the value that point at people are
// turned the same way: what was said as "my boss" is said back as "your boss".
func Describe(subject, relation, value string) string {
	kin, relation := CutKin(relation)
	value = strings.TrimSpace(value)
	v := viewpoint{subject: subject, theirs: subject != ""}
	value = Display(relation, value)
	if kin != "" {
		v = v.kin(kin)
	}
	turned := v.turn(value)
	switch relation {
	case "plan":
		return v.say(planWording(value), "", turned)
	case "promise":
		return v.say("I promised to {value}", "", turned)
	case "instruction":
		return v.say(instructionWording(value), "", v.turn(strings.TrimPrefix(trimNot(value), "to ")))
	case "feels":
		return v.say("I felt {value}", "", value)
	case "remember":
		return v.say("I asked me to remember that {value}", "", turned)
	}
	row, key := Find(relation)
	switch {
	case key != "" && strings.Contains(value, " and ") && (row.Key == "person_name:" || row.Key == "pet_name:"):
		return v.say("MY {key} are called {value}", english.SeveralOf(key), turned)
	case row.says != "":
		return v.say(row.says, key, turned)
	case Acts[firstWord(relation)]:
		return strings.Join([]string{v.name(), relation, turned}, " ")
	case Relating[english.LastWord(relation)]:
		return strings.Join([]string{v.name(), v.be(), relation, turned}, " ")
	}
	return v.say("MY {key} is {value}", relation, turned)
}

func firstWord(phrase string) string {
	first, _, _ := strings.Cut(phrase, " ")
	return first
}

// Topic names what a relation is about, towards the person it is about: "your dog's name", "where you live".
func Topic(relation string) string {
	if kin, of := CutKin(relation); kin != "" {
		return viewpoint{}.kin(kin).topic(of)
	}
	switch relation {
	case "plan":
		return "your plans"
	case "promise":
		return "what you promised"
	case "instruction":
		return "what you asked me to do"
	case "feels":
		return "how you feel"
	case "remember":
		return "what you asked me to remember"
	}
	return viewpoint{}.topic(relation)
}

// Display is a value as it is said: names and places typed in lower case get their capitals.
func Display(relation, value string) string {
	_, of := CutKin(relation)
	row, _ := Find(of)
	if row.Key != "name" && row.Key != "call_me" && row.Key != "birthday" && row.Key != "spouse" && !NamesSomething(of) || english.Normalize(value) != value {
		return value
	}
	words := strings.Fields(value)
	for i, w := range words {
		if !english.NameParticles[w] && w != "and" {
			r, size := utf8.DecodeRuneInString(w)
			words[i] = string(unicode.ToUpper(r)) + w[size:]
		}
	}
	return strings.Join(words, " ")
}

// Many says whether several values of the relation hold side by side.
func Many(relation string) bool {
	if kin, of := CutKin(relation); kin != "" {
		return Many(of) || Many(KinRelation(kin, "name")) // which of several sisters is meant nobody said
	}
	switch relation {
	case "plan", "promise", "instruction", "feels", "remember":
		return true
	}
	row, key := Find(relation)
	if row.Key == "person_name:" {
		for _, r := range english.Roles {
			if r.Key == key {
				return r.Many
			}
		}
	}
	_, isRole := english.Roles[relation]
	return row.Many || row.Key == "" && (isRole || english.Animals[relation] != "")
}

// Affirmed says that people tell what holds under a relation, so that what is told as ended held once.
func Affirmed(relation string) bool {
	_, of := CutKin(relation)
	row, _ := Find(of)
	return row.Key == "" || len(row.Said)+len(row.changed) > 0
}

// Domain is the domain of a relation: "person" for what the table knows of people, "project" for plans, else "world".
func Domain(relation string) string {
	if kin, _ := CutKin(relation); kin != "" {
		return personDomain
	}
	switch relation {
	case "plan", "promise":
		return projectDomain
	case "instruction", "feels", "remember":
		return personDomain
	}
	if row, _ := Find(relation); row.Key != "" {
		return personDomain
	}
	return worldDomain
}

// Find finds the relation's row, the zero row when the table does not know it, and what completes its key.
func Find(key string) (row Relation, rest string) {
	for _, r := range Relations {
		if r.Key == key {
			return r, ""
		}
		if open := r.Key[len(r.Key)-1]; open == ':' || open == ' ' {
			if rest, ok := strings.CutPrefix(key, r.Key); ok && rest != "" {
				return r, rest
			}
		}
	}
	return Relation{}, ""
}

// viewpoint is from where a claim is said: towards its subject, or about them.
type viewpoint struct {
	// subject is empty for the person spoken to; plural says that it is several.
	subject string
	plural  bool
	// theirs says that the words were not those of the person spoken to.
	theirs bool
}

// kin is the viewpoint on a relative or an animal of the subject.
func (v viewpoint) kin(kin string) viewpoint {
	owner := "your"
	if v.subject != "" {
		owner = v.subject + "'s"
	}
	return viewpoint{subject: owner + " " + kin, plural: english.KinKey(kin) != kin, theirs: v.theirs}
}

// topic names what a relation is about.
func (v viewpoint) topic(relation string) string {
	row, key := Find(relation)
	switch {
	case row.topic != "":
		return v.say(row.topic, key, "")
	case v.subject != "":
		return v.subject + "'s " + relation
	}
	return "your " + relation
}

func (v viewpoint) name() string {
	if v.subject == "" {
		return "you"
	}
	return v.subject
}

func (v viewpoint) be() string {
	if v.subject == "" || v.plural {
		return "are"
	}
	return "is"
}

// say fills a wording in pattern's notation.
func (v viewpoint) say(wording, key, value string) string {
	words := strings.Fields(wording)
	for i, w := range words {
		w = strings.Replace(w, "{a-value}", withArticle(value), 1)
		base, verb := strings.CutSuffix(w, "~")
		switch {
		case w == "I":
			words[i] = v.name()
		case w == "MY":
			words[i] = "your"
			if v.subject != "" {
				words[i] = v.subject + "'s"
			}
		case w == "{ME}":
			words[i] = v.name()
		case w == "was" && (v.subject == "" || v.plural) && i > 0 && words[i-1] == v.name():
			words[i] = "were"
		case verb && base == "am":
			words[i] = v.be()
		case verb && v.subject != "" && !v.plural:
			words[i] = english.Third(base)
		case verb:
			words[i] = base
		default:
			words[i] = strings.Replace(strings.Replace(w, "{key}", key, 1), "{value}", value, 1)
		}
	}
	return strings.Join(words, " ")
}

// turns are the words that change when a person's own words are said back to them.
var turns = map[string]string{
	"my": "your", "mine": "yours", "me": "you", "i": "you", "i'm": "you're", "myself": "yourself", "our": "your", "am": "are",
	"your": "my", "yours": "mine", "you": "me", "yourself": "myself",
}

// turnsAbout are the same when they are told to somebody else.
var turnsAbout = map[string]string{
	"my": "their", "mine": "theirs", "me": "them", "i": "they", "i'm": "they're", "myself": "themselves", "our": "their", "am": "are",
	"your": "my", "yours": "mine", "you": "me", "yourself": "myself",
}

// turn turns the pronouns of a value.
func (v viewpoint) turn(value string) string {
	table := turns
	if v.theirs {
		table = turnsAbout
	}
	words := strings.Fields(value)
	changed := false
	for i, w := range words {
		bare := strings.TrimRight(w, ",.!")
		if to, ok := table[english.Normalize(bare)]; ok && !(i > 0 && bare[0] >= 'A' && bare[0] <= 'Z' && bare != "I" && bare != "I'm") {
			words[i], changed = to+w[len(bare):], true
		}
	}
	if !changed {
		return value
	}
	return strings.Join(words, " ")
}

// planWording fits the sentence to the plan: an activity is done, an event is had.
func planWording(value string) string {
	first, _, _ := strings.Cut(value, " ")
	first = english.Normalize(first)
	switch {
	case strings.HasSuffix(first, "ing") && len(first) > 4 && !eventNouns[first]:
		return "I am~ {value}"
	case english.Determiners[first] || strings.HasSuffix(english.Normalize(value), "s") && !strings.HasSuffix(value, "ss"):
		return "I have~ {value}"
	case strings.ContainsRune("aeiou", rune((first + "x")[0])):
		return "I have~ an {value}"
	}
	return "I have~ a {value}"
}

// withArticle is a job, a role or a thing as one says it: "a nurse", "the mayor".
func withArticle(value string) string {
	first, _, _ := strings.Cut(english.Normalize(value), " ")
	switch {
	case first == "" || english.Determiners[first] || strings.HasSuffix(first, "ing"):
		return value
	case strings.ContainsRune("aeio", rune(first[0])):
		return "an " + value
	}
	return "a " + value
}

// eventNouns end like an activity and are events.
var eventNouns = english.Set("meeting wedding training evening viewing hearing reading opening fitting")

// instructionWording fits the sentence to a wish: done, or not done.
func instructionWording(value string) string {
	if trimNot(value) != value {
		return "I asked me not to {value}"
	}
	return "I asked me to {value}"
}

// trimNot takes the refusal off a wish.
func trimNot(value string) string {
	low := english.Normalize(value)
	for _, lead := range [...]string{"don't ever ", "don't ", "do not ", "dont ", "not to "} {
		if strings.HasPrefix(low, lead) && len(low) == len(value) {
			return value[len(lead):]
		}
	}
	return value
}

// NamesSomething says that the relation's values are names.
func NamesSomething(relation string) bool {
	row, _ := Find(relation)
	switch row.Key {
	case "pet_name:", "person_name:", "lives_in", "from", "born_in", "works_at", "together_with":
		return true
	}
	return false
}

// Relating are the prepositions that end a relation: "founded by".
var Relating = english.Set("by in at to with for from of as on")

// Acts are the verbs of what somebody does or did that they are known by: one of each at a time.
var Acts = english.Set("plays played speaks spoke works worked lives lived resides resided serves served studies studied practises practices follows died belongs lies")
