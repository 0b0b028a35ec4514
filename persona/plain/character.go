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

// What the persona says about itself: in the card's own words if it has some, else from the card's description. It
// always admits that it is a program.

// general are the topics that match any question to the persona, unless it asks about someone else.
var general = words.Of("self.can self.life world")

// aboutSelf answers questions about the persona: with an example of the card that answers the same question, else from
// the description.
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

// exampleFor returns the card's answer on a topic, "" if it has none or has just used it.
func (ch character) exampleFor(topic string) string {
	return ch.example(func(e card.Example) bool { return !general.Has(topic) && scene.SelfTopicOf(e.Person) == topic })
}

// example returns the answer of the first matching example, "" if none matches or it was just used. An answer about
// what the persona is must admit that it is a program: a character may play a role but must not deny this.
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

// madeOf are words that admit being a program.
var madeOf = words.Of("program software machine bot chatbot ai computer model")

// exampleOf returns the card's answer to exactly these words, "" if it has none or has just used it.
func (ch character) exampleOf(text string) string {
	said := words.Tokens(text)
	return ch.example(func(e card.Example) bool { return len(said) > 0 && words.Same(said, e.Person) })
}

// valuesHeld returns the card's values to follow a colon, "" if it has none: all of them if they are single words, one
// if they are sentences.
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

// uncapital begins a text with a small letter, unless its first word is "I" or all capitals.
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

// introduction introduces the persona: "I'm Nova, a retired lighthouse keeper."
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

// indefinite are words for a person that are used like a noun.
var indefinite = words.Of("somebody someone one")

// selfSentence returns the first sentence of the card's description that works in the first person, "" if none does.
func selfSentence(card *card.Card) string {
	for _, s := range words.Sentences(card.Description) {
		if said, ok := inFirstPerson(s, card.Name); ok {
			return endSentence(said)
		}
	}
	return ""
}
