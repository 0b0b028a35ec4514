package plain

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/understand"
	"familiar/persona/card"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// character answers questions about the persona itself.
type character struct{ *composer }

// What the persona says of itself: in its own words where the card has some, else from the card's description, and
// always as the program it is.

// general are the topics that take any question to the persona: only where nobody else is asked about.
var general = words.Of("self.can self.life world")

// aboutSelf answers questions about the persona: in the words of the card's examples where one answers the same
// question, else from its description.
func (ch character) aboutSelf(line scene.Line, q understand.Question) string {
	toSelf := q.Subject == "you"
	key := scene.SelfTopicOf(line.Text)
	recalls := slices.ContainsFunc(words.Tokens(line.Text), scene.OfMemory.Has)
	switch {
	case key == "" && (!toSelf || recalls), general.Has(key) && (!toSelf || recalls), key == "self.how" && len(q.Relations) > 0 && !toSelf:
		return ""
	case key == "":
		key = "self.other"
	case key == "self.values" && len(ch.scene.Card.Values) == 0:
		key = "self.taste"
	case key == "self.secret" && !ch.scene.Direct:
		key = "self.secret.group"
	}
	if said := ch.exampleFor(key); said != "" {
		ch.asked = ch.asked || strings.Contains(said, "?")
		return said
	}
	ch.asked = ch.asked || key == "self.how" || key == "self.advice"
	life := selfSentence(ch.scene.Card)
	if key == "self.place" && life == "" {
		key = "self.place.none"
	}
	if felt := key + "." + ch.scene.Mood; len(wordings[felt]) > 0 {
		key = felt
	}
	return strings.TrimSpace(ch.put(key, "self", ch.scene.Card.Name, "about", introduction(ch.scene.Card), "life", life,
		"tale", strings.TrimRight(uncapital(life), "."), "values", ch.valuesHeld()))
}

// exampleFor returns how the card answers a question on a topic, "" when it has no example of that or has just said it.
func (ch character) exampleFor(topic string) string {
	return ch.example(func(e card.Example) bool { return !general.Has(topic) && scene.SelfTopicOf(e.Person) == topic })
}

// example returns what the card says in the first fitting example, "" when none fits or it has just been said. What it
// says of its kind must own that it is a program: a character may play someone, and must not deny it.
func (ch character) example(fits func(card.Example) bool) string {
	for _, e := range ch.scene.Card.Examples {
		if !fits(e) || strings.Contains(ch.lastSaid, e.Persona) {
			continue
		}
		if !ofKind.Has(scene.SelfTopicOf(e.Person)) || slices.ContainsFunc(words.Tokens(e.Persona), madeOf.Has) {
			return e.Persona
		}
	}
	return ""
}

// ofKind are the topics that ask what the persona is.
var ofKind = words.Of("self.kind self.bot self.what")

// madeOf are the words that own to being a program.
var madeOf = words.Of("program software machine bot chatbot ai computer model")

// exampleOf returns how the card answers just these words, "" when it does not or has just said it.
func (ch character) exampleOf(text string) string {
	said := words.Tokens(text)
	return ch.example(func(e card.Example) bool { return len(said) > 0 && slices.Equal(said, words.Tokens(e.Person)) })
}

// valuesHeld returns the card's values as they stand after a colon, "" when it has none: all of them when they are
// single words, one when they are sentences.
func (ch character) valuesHeld() string {
	var values []string
	whole := false
	for _, v := range ch.scene.Card.Values {
		values = append(values, uncapital(strings.TrimRight(v, ".")))
		whole = whole || strings.Contains(v, " ")
	}
	if whole {
		i := int(ch.hash("values") % uint32(len(values)))
		return values[i]
	}
	return words.Listed(values)
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
func introduction(card *card.Card) string {
	life := selfSentence(card)
	rest, named := strings.CutPrefix(life, "I'm ")
	switch {
	case life == "":
		return "I'm " + card.Name + "."
	case named && strings.HasPrefix(rest, card.Name):
		return life
	case named && (articles.Has(strings.ToLower(firstWord(rest))) || indefinite.Has(strings.ToLower(firstWord(rest)))):
		return "I'm " + card.Name + ", " + rest
	}
	return "I'm " + card.Name + ". " + life
}

// indefinite are the words for a person that stand like a noun.
var indefinite = words.Of("somebody someone one")

// selfSentence returns the first sentence of the card's description that can be said in the first person, "" when none
// can.
func selfSentence(card *card.Card) string {
	for _, s := range words.Sentences(card.Description) {
		if said, ok := inFirstPerson(s, card.Name); ok {
			return endSentence(said)
		}
	}
	return ""
}
