package persona_test

import (
	"strings"
	"testing"

	"familiar/channels"
	"familiar/persona"
)

// hinting is the test's channel with a way out of its own.
type hinting struct{ *desk }

func (hinting) Hints() []channels.Hint { return []channels.Hint{{Input: "/quit", Effect: "leaves"}} }

// TestHelpNamesEveryWayOut has /help name what every room understands and what only this channel does.
func TestHelpNamesEveryWayOut(t *testing.T) {
	s := play(t, func(p *persona.Parts) { p.Channels = []channels.Channel{hinting{p.Channels[0].(*desk)}} })
	help := s.say("ann", "/help")
	for _, line := range []string{"  /memory [words] ", "  /forget NUMBER ", "  stop ", "  /quit            leaves"} {
		if !strings.Contains(help, "\n"+line) {
			t.Errorf("nothing of %q in:\n%s", line, help)
		}
	}
	if help := play(t, nil).say("ann", "/help"); strings.Contains(help, "/quit") {
		t.Errorf("a channel without /quit names it:\n%s", help)
	}
}

// TestMemoryListsOnlyWhatIsAboutTheWords leaves out what stands beside the matches, and everything when nothing is
// known of the words.
func TestMemoryListsOnlyWhatIsAboutTheWords(t *testing.T) {
	s := play(t, nil)
	for _, text := range []string{"hello", "My dog is called Rex.", "I was born in Oslo.", "Rex chased a heron."} {
		s.say("ann", text)
	}
	got := s.say("ann", "/memory my dog")
	if !strings.Contains(got, "My dog is called Rex") || strings.Contains(got, "hello") || strings.Contains(got, "Oslo") {
		t.Errorf("/memory my dog lists\n%s", got)
	}
	if got := s.say("ann", "/memory quantum computing"); !strings.Contains(got, "nothing of that") {
		t.Errorf("/memory of what is unknown lists\n%s", got)
	}
}
