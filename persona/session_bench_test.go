package persona_test

import (
	"fmt"
	"testing"
	"time"

	"familiar/persona"
)

// BenchmarkCloseIdle ends sessions of six messages, and counts the time of one.
func BenchmarkCloseIdle(b *testing.B) {
	s := play(b, func(p *persona.Parts) { p.Voice = &echo{} })
	for n := range b.N {
		for _, text := range []string{
			"My grandfather kept the lamp at Kiipsaare for forty years.", "I feel so sad since he died.", "Please always call me Captain.",
			"I love storms, and I live in Tartu.", "I will visit the lighthouse on Friday.", "Thank you, you are wonderful!",
		} {
			s.hear(s.message(fmt.Sprintf("ann%d", n), text))
		}
		s.rest()
		s.clock.Advance(time.Minute)
	}
	s.clock.Advance(time.Hour)
	b.ResetTimer()
	if done, err := s.engine.Sessions().CloseIdleOnce(b.Context(), 1, s.clock.Now()); err != nil {
		b.Fatal(done, err)
	}
}
