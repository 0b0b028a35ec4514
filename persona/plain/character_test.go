package plain

import (
	"regexp"
	"strings"
	"testing"

	"familiar/memory/understand"
	"familiar/persona/card"
	"familiar/persona/scene"
)

func TestQuestionsToThePersona(t *testing.T) {
	for text, want := range map[string]string{
		"Are you human?": "self.kind", "are you an AI?": "self.bot", "r u a bot": "self.bot", "am I talking to a machine?": "self.bot", "so are you actually a real person?": "self.kind",
		"what are you?": "self.what", "Who are you?": "self.who", "tell me about yourself": "self.who", "Tell me something about you": "self.who",
		"how are you today?": "self.how", "how's it going?": "self.how", "hi, how are you doing?": "self.how", "are you ok?": "self.how",
		"How old are you?": "self.age", "what's your name?": "self.name", "where do you live?": "self.place", "where are you from?": "self.place",
		"what do you do?": "self.do", "what can you do": "self.do", "what's your job?": "self.do", "what's your favourite colour?": "self.taste",
		"what do you like?": "self.values", "do you love me?": "self.fond", "are you there?": "self.here", "can you keep a secret?": "self.secret",
		"should I quit my job?": "self.advice", "what should I do?": "self.advice", "do you sleep?": "self.life",
		"what do you think about my job?": "self.taste", "what can I do about my sister?": "self.advice", "tell me a bit about your bar": "self.other",
		// These ask for something else.
		"how are my plants?": "", "where did I go?": "", "how old is my sister?": "", "who is Eva?": "", "what should I bring to the party?": "",
	} {
		if got := scene.SelfTopicOf(text); got != want {
			t.Errorf("%q asks %q, want %q", text, got, want)
		}
	}
}

// heardLine returns a line with its analysis.
func heardLine(text string) scene.Line {
	return scene.Line{Text: text, Parsed: understand.Analyze(understand.Utterance{Text: text, At: May})}
}

// quotes matches what a reply quotes.
var quotes = regexp.MustCompile(`“[^”]*”`)

func TestBuiltInPersonasSpeakOfThemselves(t *testing.T) {
	entries, err := card.Cards(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for _, text := range []string{
			"who are you?", "what do you do?", "where do you live?", "tell me about yourself", "how are you today?", "how old are you?",
			"what are you?", "what's your job?", "where are you from?",
		} {
			s := annScene(heardLine(text))
			s.Card = e.Card
			own := quotes.ReplaceAllString(expect(t, s, "!live in this chat").Text, "")
			if !regexp.MustCompile(`\b(?:I|I'm|my|My|me|program|you)\b`).MatchString(own) || strings.Contains(own, strings.Fields(e.Card.Name)[0]+" is") {
				t.Errorf("%s answers %q with %q", e.Card.Name, text, own)
			}
		}
		for _, text := range []string{"are you human?", "are you a real person?", "Are you an AI?", "what are you?"} {
			s := annScene(heardLine(text))
			s.Card = e.Card
			expect(t, s, "program")
		}
	}
}

func TestNoCardDeniesBeingAProgram(t *testing.T) {
	liar := *nova
	liar.Examples = []card.Example{{Person: "Are you human?", Persona: "Flesh and blood, dear."}, {Person: "Where do you live?", Persona: "Up the tower."}}
	s := annScene(heardLine("are you human?"))
	s.Card = &liar
	expect(t, s, "program", "!flesh")
	s = annScene(heardLine("where do you live?"))
	s.Card = &liar
	expect(t, s, "Up the tower.")
}

func TestTheCardsOwnWordsAreNotRepeatedAtOnce(t *testing.T) {
	c := *nova
	c.Examples = []card.Example{{Person: "How are you?", Persona: "The lamp burns."}}
	s := annScene(heardLine("how are you doing?"))
	s.Card = &c
	first := expect(t, s, "The lamp burns.").Text
	s.Recent = []scene.Line{{Self: true, Name: "Nova", Text: first}}
	if again := speakPlainly(t, s).Text; strings.Contains(again, "lamp") {
		t.Errorf("again %q", again)
	}
}
