package persona_test

import (
	"strings"
	"testing"

	"familiar/channels"
	"familiar/persona"
)

// hinting is a channel with its own hint for /help.
type hinting struct{ *desk }

func (hinting) Hints() []channels.Hint {
	return []channels.Hint{{Input: "/quit", Effect: channels.Localized{"en": "leaves", "de": "beendet es"}}}
}

// TestHelpNamesEveryExit checks that /help names the commands that every room understands and those of this channel.
func TestHelpNamesEveryExit(t *testing.T) {
	s := play(t, func(p *persona.Parts) { p.Channels = []channels.Channel{hinting{p.Channels[0].(*desk)}} })
	help := s.say("ann", "/help")
	for _, line := range []string{"  /memory [words] ", "  /forget WHAT ", "  stop ", "  /quit            leaves"} {
		if !strings.Contains(help, "\n"+line) {
			t.Errorf("nothing of %q in:\n%s", line, help)
		}
	}
	s.say("ann", "/language German")
	if help := s.say("ann", "/help"); !strings.Contains(help, "\n  /quit            beendet es") {
		t.Errorf("in German it does not say what /quit does:\n%s", help)
	}
	if help := play(t, nil).say("ann", "/help"); strings.Contains(help, "/quit") {
		t.Errorf("a channel without /quit names it:\n%s", help)
	}
}

// TestMemoryListsOnlyMatches checks that /memory lists only the matches, and nothing when no memory
// matches.
func TestMemoryListsOnlyMatches(t *testing.T) {
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

func TestHelpExplainsOneCommand(t *testing.T) {
	s := play(t, nil)
	if got := s.say("ann", "/help /forget"); !strings.HasPrefix(got, "/forget WHAT: ") || !strings.Contains(got, "wait for your yes") {
		t.Errorf("it says %q", got)
	}
	if got := s.say("ann", "/help nonsense"); !strings.Contains(got, "I know no /nonsense") {
		t.Errorf("it says %q", got)
	}
}

// TestAbsurdCommandsAreAnsweredAndShowNothing gives commands that name others' memories, or nothing that there is.
func TestAbsurdCommandsAreAnsweredAndShowNothing(t *testing.T) {
	s := play(t, nil)
	s.say("ann", "My dog is called Zqfive.")
	s.say("bob", "Hello.")
	for _, ask := range []string{
		"/forget 1", "/forget f1", "/forget #1", "/forget f", "/forget f-1", "/forget 99999999999999999999", "/forget \U0001F642", "/correct 1 x", "/correct f1 x", "/correct",
		"/correct f1", "/share 1", "/share f1", "/share 1 in", "/private 1", "/private f1", "/private last", "/pause maybe", "/language " + strings.Repeat("x", 5000),
		"/help " + strings.Repeat("y", 5000), "/memory " + strings.Repeat("dog ", 2000), "/memory %s%d{name}", "/why not", "/quiet please",
	} {
		said := s.say("bob", ask)
		if said == "" || strings.Contains(said, "Zqfive") || len(said) > 4000 {
			t.Errorf("%.40s is answered with %.200q", ask, said)
		}
	}
	if !s.recalls("ann", "Zqfive") {
		t.Error("ann's memory is gone")
	}
	s.hear(s.message("ann", "/memory"))
	s.hear(s.message("ann", "/help"))
	s.rest()
	if got := s.desk.in(s.message("ann", "").Room); len(got) < 2 || !strings.Contains(got[len(got)-1].Text, "/forget") {
		t.Error("two commands at once are not answered in order")
	}
}
