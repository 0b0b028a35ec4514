package plain

import (
	"slices"
	"strings"
	"unicode"

	"familiar/persona/words"
)

// inFirstPerson turns a sentence about a person of that name into their own words: "Nell keeps a bar" becomes "I keep a
// bar". It returns false for a sentence that is not about them or cannot be converted safely.
func inFirstPerson(sentence, name string) (string, bool) {
	fields := strings.Fields(sentence)
	if len(fields) == 0 {
		return "", false
	}
	first := words.PlainWord(fields[0])
	switch {
	case first == "i" || first == "i'm" || first == "my":
		return sentence, true
	case first == "a" || first == "an" || first == "the":
		return "I'm " + strings.ToLower(sentence[:1]) + sentence[1:], true
	}
	t := turning{name: words.Tokens(name), you: first == "you" || first == "you're"}
	for i := range fields {
		if !t.word(fields, i) {
			return "", false
		}
	}
	if !t.begun {
		return "", false
	}
	said := strings.Join(t.said, " ")
	if rest, ok := strings.CutPrefix(said, "I am "); ok {
		said = "I'm " + rest
	}
	return said, true
}

// turning is a sentence being converted to the first person.
type turning struct {
	name []string // the subject, in lower case
	// you reports that the sentence addresses the person.
	you bool
	// begun reports that the person was named, verb that their verb comes next, relative that the clause is about
	// someone else.
	begun, verb, relative bool
	said                  []string
}

var (
	// laterVerbs may stand between a subject and its verb.
	laterVerbs = words.Of("never always still now often also once rarely seldom usually only just then")
	// conjunctions may be followed by another verb of the same subject.
	conjunctions = words.Of("and but or")
	relatives    = words.Of("who whom which that whose")
	// afterVerbs follow a verb but not a plural noun: "knows the", "remembers what".
	afterVerbs = words.Of("a an the his her their my your its this that these those what how where when who every each all no some any people everybody everything nothing")
)

// word converts the word at i. It returns false if the conversion is unclear.
func (t *turning) word(fields []string, i int) bool {
	w, low := fields[i], words.PlainWord(fields[i])
	next := ""
	if i+1 < len(fields) {
		next = words.PlainWord(fields[i+1])
	}
	switch {
	case slices.Contains(t.name, low) && (!t.begun || t.verb):
		if !t.begun {
			t.begin("I")
		}
		return !strings.HasSuffix(w, ",")
	case slices.Contains(t.name, low), slices.Contains(t.name, strings.TrimSuffix(low, "'s")):
		return false
	case low == "she" || low == "he" || low == "you" && t.you && (!t.begun || conjunctions.Has(before(fields, i))):
		t.begin("I")
	case low == "you're" && t.you && !t.begun:
		t.begin("I")
		t.said, t.verb = append(t.said, "am"), false
	case !t.begun:
		return false
	case t.verb && !laterVerbs.Has(low) && !strings.HasSuffix(low, "ly"):
		t.said, t.verb = append(t.said, strings.Replace(w, words.BareWord(w), ownVerb(low), 1)), false
	default:
		return t.other(fields, i, low, next)
	}
	return true
}

func (t *turning) begin(pronoun string) {
	t.said, t.begun, t.verb, t.relative = append(t.said, pronoun), true, true, false
}

// other converts a word that is neither the subject nor its verb.
func (t *turning) other(fields []string, i int, low, next string) bool {
	w := fields[i]
	joins := i > 0 && (conjunctions.Has(words.PlainWord(fields[i-1])) || strings.HasSuffix(fields[i-1], ","))
	t.relative = t.relative || relatives.Has(low)
	to := ""
	switch {
	case low == "himself" || low == "herself" || low == "yourself" && t.you:
		to = "myself"
	case low == "his" || low == "your" && t.you, low == "her" && next != "" && !danglers.Has(next) && words.BareWord(w) == w && !words.StopWords.Has(next):
		to = "my"
	case low == "him" || low == "her" || low == "you" && t.you:
		to = "me"
	case joins && !t.relative && !t.you && (low == "is" || low == "has" || low == "does"):
		to = ownVerb(low)
	case joins && !t.relative && !t.you && strings.HasSuffix(low, "s") && len(low) > 3 && !laterVerbs.Has(low) && !unicode.IsUpper([]rune(w)[0]):
		switch {
		case afterVerbs.Has(next):
			to = ownVerb(low)
		case next != "of" && next != "" && words.BareWord(w) == w && !conjunctions.Has(next):
			return false // may be another verb or a plural
		}
	}
	if to != "" {
		w = strings.Replace(words.PlainApostrophe(w), words.BareWord(w), to, 1)
	}
	t.said = append(t.said, w)
	return true
}

// before returns the word before the one at i.
func before(fields []string, i int) string {
	if i == 0 {
		return ""
	}
	return words.PlainWord(fields[i-1])
}

// ownVerb converts a verb of the second or third person to the first: "is" becomes "am", "carries" becomes "carry".
func ownVerb(verb string) string {
	switch verb {
	case "is", "are":
		return "am"
	case "was", "were":
		return "was"
	case "has":
		return "have"
	case "isn't", "aren't":
		return "am not"
	case "hasn't":
		return "haven't"
	case "doesn't":
		return "don't"
	}
	for _, ending := range []struct{ from, to string }{{"ies", "y"}, {"sses", "ss"}, {"shes", "sh"}, {"ches", "ch"}, {"xes", "x"}, {"oes", "o"}, {"ss", "ss"}, {"s", ""}} {
		if root, ok := strings.CutSuffix(verb, ending.from); ok {
			return root + ending.to
		}
	}
	return verb
}
