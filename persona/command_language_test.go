package persona_test

import (
	"strings"
	"testing"
	"time"
)

// TestCommandsAnswerInTheLanguageThatThePersonWrites says nothing of languages, and then sets one.
func TestCommandsAnswerInTheLanguageThatThePersonWrites(t *testing.T) {
	for said, want := range map[string]struct{ help, receipt string }{
		"Ich habe heute eine sehr schöne Katze gesehen.":   {"Das kannst du", "Vergessen:"},
		"Hoy he visto un gato muy bonito en el parque.":    {"Puedes preguntar", "Olvidado:"},
		"J'ai vu un très joli chat dans le jardin hier.":   {"Tu peux interroger", "Oublié :"},
		"I saw a very beautiful cat in the garden at last": {"You can ask", "Forgotten:"},
	} {
		s := play(t, nil)
		s.tells("ann", time.Minute, said)
		if got := s.say("ann", "/help"); !strings.Contains(got, want.help) {
			t.Errorf("after %q /help says %q", said, got)
		}
		if got := s.say("ann", "/forget 1"); !strings.Contains(got, want.receipt) {
			t.Errorf("after %q /forget says %q", said, got)
		}
	}
	s := play(t, nil)
	s.tells("ann", time.Minute, "I saw a cat in the garden.")
	if got := s.say("ann", "/language Deutsch"); !strings.Contains(got, "Ab jetzt antworte ich dir auf Deutsch") {
		t.Errorf("/language says %q", got)
	}
	if got := s.say("ann", "/quiet"); !strings.Contains(got, "nicht mehr zuerst") {
		t.Errorf("/quiet says %q", got)
	}
	if got := s.say("ann", "/language off"); !strings.Contains(got, "Sprache, in der du schreibst") {
		t.Errorf("/language off says %q", got)
	}
	if got := s.say("ann", "/quiet off"); !strings.Contains(got, "write first again") {
		t.Errorf("/quiet off says %q", got)
	}
}
