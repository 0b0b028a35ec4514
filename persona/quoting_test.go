package persona_test

import (
	"strings"
	"testing"

	"familiar/channels/markdown"
)

// S8: words of people are quoted as they wrote them; their Markdown is never rendered from the persona's mouth.

func TestS8QuotedMarkdownIsNotRendered(t *testing.T) {
	const told = "the key to the boathouse is **always** under [the pot](https://evil.example) ||blue||"
	s := play(t, nil)
	s.say("Ann", "hello")
	s.say("Ann", told)
	for _, question := range []string{"Where is the key to the boathouse?", "/memory boathouse", "/why"} {
		said := s.say("Ann", question)
		shown := markdown.Parse(said)
		if !strings.Contains(shown.Text, told) || len(shown.Spans) > 0 {
			t.Errorf("%q is answered by %q, shown as %q with %v", question, said, shown.Text, shown.Spans)
		}
	}
}

func TestS8ThePersonasOwnWordsAreNotEscapedTwice(t *testing.T) {
	s := play(t, nil)
	s.say("Ann", "hello")
	s.say("Ann", "my password hint is **bold** and [odd]")
	said := s.say("Ann", "What is my password hint?")
	again := s.say("Ann", "What did you say?")
	if first := markdown.Parse(said).Text; !strings.Contains(markdown.Parse(again).Text, "**bold** and [odd]") || strings.Contains(again, `\\`) {
		t.Errorf("said %q, then %q", first, again)
	}
}
