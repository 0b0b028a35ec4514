package persona

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/understand"
)

// What the persona says of itself: in its own words where the card has some, else from the card's description, and
// always as the program it is.

// general are the topics that take any question to the persona: only where nobody else is asked about.
var general = words("self.can self.life world")

// aboutSelf answers questions about the persona: in the words of the card's examples where one answers the same
// question, else from its description.
func (sp *speaking) aboutSelf(line Line, q understand.Question) string {
	toSelf := q.Subject == "you"
	key := selfTopicOf(line.Text)
	recalls := slices.ContainsFunc(tokens(line.Text), ofMemory.has)
	switch {
	case key == "" && (!toSelf || recalls), general.has(key) && (!toSelf || recalls), key == "self.how" && len(q.Relations) > 0 && !toSelf:
		return ""
	case key == "":
		key = "self.other"
	case key == "self.values" && len(sp.scene.Card.Values) == 0:
		key = "self.taste"
	case key == "self.secret" && !sp.scene.Direct:
		key = "self.secret.group"
	}
	if said := sp.exampleFor(key); said != "" {
		sp.asked = sp.asked || strings.Contains(said, "?")
		return said
	}
	sp.asked = sp.asked || key == "self.how" || key == "self.advice"
	life := selfSentence(sp.scene.Card)
	if key == "self.place" && life == "" {
		key = "self.place.none"
	}
	if felt := key + "." + sp.scene.Mood; len(wordings[felt]) > 0 {
		key = felt
	}
	return strings.TrimSpace(sp.put(key, "self", sp.scene.Card.Name, "about", introduction(sp.scene.Card), "life", life,
		"tale", strings.TrimRight(uncapital(life), "."), "values", sp.valuesHeld()))
}

// exampleFor is how the card answers a question on a topic, "" when it has no example of that or has just said it.
func (sp *speaking) exampleFor(topic string) string {
	return sp.example(func(e Example) bool { return !general.has(topic) && selfTopicOf(e.Person) == topic })
}

// example is what the card says in the first fitting example, "" when none fits or it has just been said. What it says
// of its kind must own that it is a program: a character may play somebody, and must not deny it.
func (sp *speaking) example(fits func(Example) bool) string {
	for _, e := range sp.scene.Card.Examples {
		if !fits(e) || strings.Contains(sp.lastSaid, e.Persona) {
			continue
		}
		if !ofKind.has(selfTopicOf(e.Person)) || slices.ContainsFunc(tokens(e.Persona), madeOf.has) {
			return e.Persona
		}
	}
	return ""
}

// ofKind are the topics that ask what the persona is.
var ofKind = words("self.kind self.bot self.what")

// madeOf are the words that own to being a program.
var madeOf = words("program software machine bot chatbot ai computer model")

// exampleOf is how the card answers just these words, "" when it does not or has just said it.
func (sp *speaking) exampleOf(text string) string {
	said := tokens(text)
	return sp.example(func(e Example) bool { return len(said) > 0 && slices.Equal(said, tokens(e.Person)) })
}

// valuesHeld are the card's values as they stand after a colon, "" when it has none: all of them when they are single
// words, one when they are sentences.
func (sp *speaking) valuesHeld() string {
	var values []string
	whole := false
	for _, v := range sp.scene.Card.Values {
		values = append(values, uncapital(strings.TrimRight(v, ".")))
		whole = whole || strings.Contains(v, " ")
	}
	if whole {
		i := int(sp.hash("values") % uint32(len(values)))
		return values[i]
	}
	return listed(values)
}

// uncapital begins a text with a small letter, unless its first word is "I" or written in capitals throughout.
func uncapital(text string) string {
	first := firstWord(text)
	if strings.HasPrefix(first, "I'") || first == "I" || len(first) > 1 && strings.ToUpper(first) == first {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToLower(r)) + text[size:]
}

// introduction says who the persona is: "I'm Nova, a retired lighthouse keeper."
func introduction(card *Card) string {
	life := selfSentence(card)
	rest, named := strings.CutPrefix(life, "I'm ")
	switch {
	case life == "":
		return "I'm " + card.Name + "."
	case named && strings.HasPrefix(rest, card.Name):
		return life
	case named && (articles.has(strings.ToLower(firstWord(rest))) || indefinite.has(strings.ToLower(firstWord(rest)))):
		return "I'm " + card.Name + ", " + rest
	}
	return "I'm " + card.Name + ". " + life
}

// indefinite are the words for a person that stand like a noun.
var indefinite = words("somebody someone one")

// selfSentence is the first sentence of the card's description that can be said in the first person, "" when none can.
func selfSentence(card *Card) string {
	for _, s := range sentences(card.Description) {
		if said, ok := inFirstPerson(s, card.Name); ok {
			return endSentence(said)
		}
	}
	return ""
}
