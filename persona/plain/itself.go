package plain

import (
	"regexp"
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// A card is written about its persona, and people ask it with "you". The rules that read what people say of themselves read
// the card too, once it is turned round: "she has a parrot" becomes "I have a parrot", "do you have pets?" "do I have pets?".

// fromFacts answers a question to the persona with the sentence of its story from which the rules read such a fact, "" if there
// is none: "how old are you?", "do you have any pets?" It reads English.
func (ch character) fromFacts(text string) string {
	asked, ok := askedOfOneself(text)
	if ch.tongue.tag != factTongue || !ok {
		return ""
	}
	q := understand.Analyze(understand.Utterance{Text: asked, At: ch.scene.Now}).Question
	if q == nil || q.Subject != "" || len(q.Relations) == 0 {
		return ""
	}
	own := scene.Scene{Now: ch.scene.Now}
	told := newNarrator(ch.scene.Card.Name, ch.ownStory(), ch.firedLore())
	for i, s := range told.firstPerson {
		for _, c := range understand.Analyze(understand.Utterance{Text: s, At: ch.scene.Now}).Claims {
			if !c.Negates {
				own.Beliefs = append(own.Beliefs, model.Belief{ID: int64(i + 1), Subject: c.Subject, Relation: c.Relation, Value: c.Value, Status: model.Active})
			}
		}
	}
	found := own.Answering(*q, false)
	if len(found) == 0 {
		return ""
	}
	return ch.put("self.card", "quote", words.Excerpt(told.sentences[found[0].ID-1]))
}

// factTongue is the language of the rules below. mostRead is how many sentences are read for facts.
const (
	factTongue = "en"
	mostRead   = 120
)

var (
	// toPersona are how a question turns to the persona, each before those that it contains, and how it would ask about itself.
	toPersona = strings.NewReplacer(
		" are you ", " am I ", " were you ", " was I ", " you are ", " I am ", " you were ", " I was ", " you're ", " I'm ",
		" your ", " my ", " yours ", " mine ", " yourself ", " myself ", " you ", " I ",
	)
	ofAsker = words.Of("i me my mine myself i'm i've i'd i'll we us our ours")
)

// askedOfOneself turns a question to the persona into one that somebody would ask about themselves, false for one that is not
// about the persona alone.
func askedOfOneself(text string) (string, bool) {
	tokens := words.Tokens(strings.ToLower(text))
	if slices.ContainsFunc(tokens, ofAsker.Has) || slices.ContainsFunc(tokens, scene.OfMemory.Has) {
		return "", false
	}
	spaced := " " + strings.Join(strings.Fields(strings.NewReplacer("?", " ? ", ",", " , ", "’", "'").Replace(strings.ToLower(text))), " ") + " "
	asked := toPersona.Replace(spaced)
	return strings.ReplaceAll(strings.TrimSpace(asked), " ?", "?"), asked != spaced
}

// verbsOfOneself are verbs with an irregular first person.
var verbsOfOneself = map[string]string{
	"is": "am", "are": "am", "has": "have", "does": "do", "was": "was", "were": "was", "goes": "go", "doesn't": "don't", "isn't": "am not", "hasn't": "haven't",
}

// ownedBy matches the possessives of each pronoun, otherPeople are words for people that the pronoun may mean after a sentence
// about them.
var (
	ownedBy     = map[string]*regexp.Regexp{"she": regexp.MustCompile(`\b[Hh]er\b`), "he": regexp.MustCompile(`\b[Hh]is\b`), "they": regexp.MustCompile(`\b[Tt]heir\b`)}
	otherPeople = map[string]words.Set{
		"she":  words.Of("sister mother mom mum daughter wife aunt niece grandmother girlfriend friend boss cousin partner neighbour neighbor teacher woman girl queen"),
		"he":   words.Of("brother father dad son husband uncle nephew grandfather boyfriend friend boss cousin partner neighbour neighbor teacher man boy king"),
		"they": words.Of("sisters brothers parents children kids friends partner boss neighbours neighbors people"),
	}
)

// narrator turns sentences about a persona into what it would say of itself.
type narrator struct {
	// sentences are as the card has them, firstPerson as the persona would say them.
	sentences, firstPerson []string

	subject *regexp.Regexp // a sentence that begins with the name, and a possessive or a verb
	pronoun string         // of the persona, "" if it has none
	clear   bool           // the pronoun means the persona
}

// newNarrator reads the sentences about the persona of that name, and those of its world, in which no pronoun means it.
func newNarrator(name string, own, world []string) *narrator {
	given, _, _ := strings.Cut(name, " ")
	n := &narrator{subject: regexp.MustCompile(`^(?:` + regexp.QuoteMeta(name) + `|` + regexp.QuoteMeta(given) + `)(?:'s\s+(\S+)|\s+(\S+))`), clear: true}
	count := map[string]int{}
	for _, s := range own {
		if first := firstWord(s); ownedBy[first] != nil {
			if count[first]++; count[first] > count[n.pronoun] {
				n.pronoun = first
			}
		}
	}
	for _, s := range own[:min(len(own), mostRead)] {
		n.add(s, n.turn(s))
	}
	n.pronoun = ""
	for _, s := range world[:min(len(world), mostRead)] {
		n.add(s, n.turn(s))
	}
	return n
}

func (n *narrator) add(sentence, turned string) {
	n.sentences, n.firstPerson = append(n.sentences, sentence), append(n.firstPerson, turned)
}

func firstWord(sentence string) string {
	first, _, _ := strings.Cut(sentence, " ")
	return strings.ToLower(first)
}

// turn returns a sentence as the persona would say it. One about anything else stays as it is.
func (n *narrator) turn(s string) string {
	first := firstWord(s)
	if at := n.subject.FindStringSubmatchIndex(s); at != nil {
		n.clear = true
		if at[2] >= 0 { // "Dex's boss is …"
			return "My " + s[at[2]:]
		}
		return "I " + firstPersonOf(s[at[4]:at[5]]) + n.mine(s[at[5]:])
	}
	if n.pronoun != "" && first == n.pronoun && n.clear {
		_, rest, _ := strings.Cut(s, " ")
		verb, rest, _ := strings.Cut(rest, " ")
		return "I " + firstPersonOf(verb) + " " + n.mine(rest)
	}
	if n.pronoun == "" {
		return s
	}
	n.clear = !slices.ContainsFunc(words.Tokens(s), otherPeople[n.pronoun].Has)
	if ownedBy[n.pronoun].MatchString(s[:len(first)]) {
		return "My" + n.mine(s[len(first):])
	}
	return s
}

// mine replaces the persona's possessives.
func (n *narrator) mine(s string) string {
	if n.pronoun == "" {
		return s
	}
	return ownedBy[n.pronoun].ReplaceAllString(s, "my")
}

// firstPersonOf returns the first person of a verb in the third: "lives" is "live".
func firstPersonOf(verb string) string {
	if irregular, ok := verbsOfOneself[verb]; ok {
		return irregular
	}
	switch {
	case strings.HasSuffix(verb, "ies") && len(verb) > 4:
		return strings.TrimSuffix(verb, "ies") + "y"
	case strings.HasSuffix(verb, "ches"), strings.HasSuffix(verb, "shes"), strings.HasSuffix(verb, "sses"), strings.HasSuffix(verb, "xes"), strings.HasSuffix(verb, "zzes"):
		return strings.TrimSuffix(verb, "es")
	case strings.HasSuffix(verb, "s") && !strings.HasSuffix(verb, "ss"):
		return strings.TrimSuffix(verb, "s")
	}
	return verb
}
