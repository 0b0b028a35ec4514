package rel

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/understand/english"
)

// Describe returns a claim as a sentence without its full stop. An empty subject addresses the person ("your dog is
// called Rex"), any other is named ("Melanie's dog is called Oscar"). Pronouns in the value change to match: "my
// boss" becomes "your boss".
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

// Topic returns a phrase for a relation, addressed to its subject: "your dog's name", "where you live".
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

// Display returns a value for display: names and places typed in lower case get their capitals.
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

// Many reports whether several values of the relation hold at the same time.
func Many(relation string) bool {
	if kin, of := CutKin(relation); kin != "" {
		return Many(of) || Many(KinRelation(kin, "name")) // it is unknown which of several sisters is meant
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

// Affirmed reports whether people state values of the relation positively. If they do, a value that is told as ended
// was true before.
func Affirmed(relation string) bool {
	_, of := CutKin(relation)
	return of != DeathRelation
}

// Domain returns the domain of a relation: "person" for relations of the table, feelings and wishes, "project" for
// plans and promises, otherwise "world".
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

// Find returns the relation's row and the rest that completes its key, the zero row when the table does not have it.
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

// viewpoint is the perspective of a sentence: addressed to its subject, or about its subject.
type viewpoint struct {
	// subject is empty for the person addressed. plural reports that the subject is several.
	subject string
	plural  bool
	// theirs reports that the words came from another person than the one addressed.
	theirs bool
}

// kin returns the viewpoint on a relative or an animal of the subject.
func (v viewpoint) kin(kin string) viewpoint {
	owner := "your"
	if v.subject != "" {
		owner = v.subject + "'s"
	}
	return viewpoint{subject: owner + " " + kin, plural: english.KinKey(kin) != kin, theirs: v.theirs}
}

// topic returns a phrase for the relation.
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

// say fills a wording in the notation of english.Pattern.
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

// turns maps the words that change when a person's own words are repeated to them.
var turns = map[string]string{
	"my": "your", "mine": "yours", "me": "you", "i": "you", "i'm": "you're", "myself": "yourself", "our": "your", "am": "are",
	"your": "my", "yours": "mine", "you": "me", "yourself": "myself",
}

// turnsAbout maps the words that change when a person's words are repeated to somebody else.
var turnsAbout = map[string]string{
	"my": "their", "mine": "theirs", "me": "them", "i": "they", "i'm": "they're", "myself": "themselves", "our": "their", "am": "are",
	"your": "my", "yours": "mine", "you": "me", "yourself": "myself",
}

// turn replaces the pronouns of a value.
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

// planWording returns the wording that fits a plan: the speaker does an activity and has an event.
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

// withArticle returns a job, a role or a thing with its article: "a nurse", "the mayor".
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

// eventNouns holds events that end like an activity.
var eventNouns = english.Set("meeting wedding training evening viewing hearing reading opening fitting")

// instructionWording returns the wording for a wish to do something or not to do it.
func instructionWording(value string) string {
	if trimNot(value) != value {
		return "I asked me not to {value}"
	}
	return "I asked me to {value}"
}

// trimNot removes the negation from a wish.
func trimNot(value string) string {
	low := english.Normalize(value)
	for _, lead := range [...]string{"don't ever ", "don't ", "do not ", "dont ", "not to "} {
		if strings.HasPrefix(low, lead) && len(low) == len(value) {
			return value[len(lead):]
		}
	}
	return value
}

// NamesSomething reports whether the relation's values are names.
func NamesSomething(relation string) bool {
	row, _ := Find(relation)
	switch row.Key {
	case "pet_name:", "person_name:", "lives_in", "from", "born_in", "works_at", "together_with":
		return true
	}
	return false
}

// Relating holds the prepositions that end a relation: "founded by".
var Relating = english.Set("by in at to with for from of as on")

// Acts holds the verbs of what somebody is known to do or have done. A subject has one value of each at a time.
var Acts = english.Set("plays played speaks spoke works worked lives lived resides resided serves served studies studied practises practices follows died belongs lies")
