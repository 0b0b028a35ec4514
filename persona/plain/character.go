package plain

import (
	"slices"
	"strings"

	"familiar/memory/understand"
	"familiar/persona/card"
	"familiar/persona/evidence"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// character answers questions about the persona itself: in the card's own words if it has some. It always admits that it is
// a program.
type character struct{ *composer }

var (
	// general are the topics that match any question to the persona, unless it asks about someone else.
	general = words.Of("self.can self.life world")
	// ofKind are the topics that ask what the persona is, madeOf words that admit being a program.
	ofKind = words.Of("self.kind self.bot self.what")
	madeOf = words.Of("program software machine bot chatbot ai computer model")
)

// aboutSelf answers questions about the persona: with an example of the card that answers the same question, else with what
// the card says of it, else in general words. It returns "" if nothing is known of it.
func (ch character) aboutSelf(text string, q understand.Question) string {
	key := scene.SelfTopicOf(text)
	toSelf := asksPersona(text, q)
	switch {
	case (key == "" || general.Has(key)) && !toSelf:
		return ch.fromFacts(text)
	case key == "self.how" && len(q.Relations) > 0 && q.Subject != "you":
		return ""
	case key == "":
		return first(func() string { return ch.fromStory(text, true) }, func() string { return ch.fromFacts(text) })
	case key == "self.values" && len(ch.scene.Card.Values) == 0:
		key = "self.taste"
	case key == "self.secret" && !ch.scene.Direct:
		key = "self.secret.group"
	}
	topic := func(e card.Example) bool { return !general.Has(key) && scene.SelfTopicOf(e.Person) == key }
	said := ch.example(topic)
	if said == "" && (general.Has(key) || key == "self.taste") {
		said = ch.fromStory(text, true)
	}
	if said == "" && !ofKind.Has(key) {
		said = ch.fromFacts(text)
	}
	if said != "" {
		ch.asked = ch.asked || strings.Contains(said, "?")
		return said
	}
	ch.asked = ch.asked || key == "self.how" || key == "self.advice"
	if felt := key + "." + ch.scene.Mood; ch.tongue.has(felt) {
		key = felt
	}
	return strings.TrimSpace(ch.put(key, "self", ch.scene.Card.Name, "about", ch.introduction(), "values", ch.valuesHeld()))
}

// asksPersona reports whether a question is about the persona, and not about what it remembers.
func asksPersona(text string, q understand.Question) bool {
	return q.Subject == "you" && !slices.ContainsFunc(words.Tokens(text), scene.OfMemory.Has)
}

// fromStory answers with a sentence of the card or of the lore that the talk mentions, "" if none is likelier to answer than
// not. It must share words with a question that is not to the persona; one with all words of the question may be less likely.
func (ch character) fromStory(text string, toSelf bool) string {
	sentences := ch.story()
	lines := make([]evidence.Line, len(sentences))
	for i, s := range sentences {
		lines[i] = evidence.Line{Text: s, At: ch.scene.Now, Own: true}
	}
	sure := 0.0
	ranked := evidence.Rank(text, ch.tongue.tag, lines)
	for _, a := range ranked {
		sure += a.Probability
	}
	for _, a := range ranked {
		likely := a.Probability >= likelyStory && (toSelf || a.Shares() >= storyShare)
		if likely || a.Covers() && sure >= coveredSure {
			return ch.put("self.card", "quote", words.Excerpt(sentences[a.Line]))
		}
	}
	return ""
}

// story returns the sentences that tell of the persona and its world.
func (ch character) story() []string {
	sentences := slices.Concat(ch.ownStory(), ch.firedLore())
	return sentences[:min(len(sentences), mostStory)]
}

// ownStory returns the sentences of the card about the persona.
func (ch character) ownStory() []string {
	c := ch.scene.Card
	return sentencesOf(c.Description, c.Sheet.Personality, c.Sheet.Scenario)
}

// firedLore returns the sentences of the lore that the talk mentions.
func (ch character) firedLore() []string {
	var texts []string
	for _, f := range ch.scene.FiredLore(0).Fired {
		texts = append(texts, f.Text)
	}
	return sentencesOf(texts...)
}

func sentencesOf(texts ...string) (sentences []string) {
	for _, text := range texts {
		for line := range strings.Lines(text) {
			sentences = append(sentences, words.Sentences(line)...)
		}
	}
	return sentences
}

// likelyStory is how likely a sentence must answer, storyShare how much it must have of what is asked if the persona itself
// is not.
const likelyStory, storyShare = 0.5, 0.5

// mostStory is how many sentences of a card are examined for an answer.
const mostStory = 400

// example returns the answer of the first matching example, "" if none matches or it was just used. An answer about
// what the persona is must admit that it is a program: a character may play a role but must not deny this.
func (ch character) example(fits func(card.Example) bool) string {
	for _, e := range ch.scene.Card.Examples {
		if fits(e) && honest(e) && !strings.Contains(ch.lastSaid, e.Persona) {
			return e.Persona
		}
	}
	return ""
}

func honest(e card.Example) bool {
	return !ofKind.Has(scene.SelfTopicOf(e.Person)) || slices.ContainsFunc(words.Tokens(e.Persona), madeOf.Has)
}

// valuesHeld lists the card's values to follow a colon, "" if it has none.
func (ch character) valuesHeld() string {
	values := slices.Clone(ch.scene.Card.Values)
	for i, v := range values {
		if values[i] = strings.TrimRight(v, "."); !strings.Contains(v, " ") {
			values[i] = strings.ToLower(values[i])
		}
	}
	return ch.listed(values)
}

// introduction introduces the persona with the first sentence of its description: "I'm Nell." if that speaks of it in the
// first person, its words follow, else they are quoted as the story about it.
func (ch character) introduction() string {
	name := ch.put("self.name", "self", ch.scene.Card.Name)
	sentences := words.Sentences(ch.scene.Card.Description)
	switch {
	case len(sentences) == 0:
		return name
	case firstPerson.Has(words.PlainWord(strings.Fields(sentences[0])[0])):
		return name + " " + endSentence(sentences[0])
	}
	return name + " " + ch.put("self.card", "quote", words.Excerpt(sentences[0]))
}
