package persona_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/persona"
)

// TestTheAnswerToForgettingIsSaidAfterAReplyThatWasForgotten gives /forget while the reply that was made of it is on its
// way.
func TestTheAnswerToForgettingIsSaidAfterAReplyThatWasForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, func(p *persona.Parts) { p.Now = time.Now })
		s.say("ann", "My dog is called Rex.")
		room := s.message("ann", "").Room
		sends := 0
		s.desk.refuse = func(channels.Outgoing) error {
			if sends++; sends == 1 {
				s.hear(s.message("ann", "/forget 1"))
				time.Sleep(time.Second)
			}
			return nil
		}
		s.say("ann", "What is my dog called?")
		all := s.desk.in(room)
		if last := all[len(all)-1].Text; !strings.HasPrefix(last, "Forgotten: memory 1") {
			t.Errorf("the last that was said is %q", last)
		}
		s.quit()
	})
}
