package answer

import "testing"

// TestPatternsCompile compiles every pattern, which otherwise happens when an answer needs it.
func TestPatternsCompile(t *testing.T) {
	p, err := readPatterns(patternFiles)
	if err != nil || len(p.languages) != 7 {
		t.Fatal(p, err)
	}
	p.direction()
	p.machine()
	for _, l := range p.languages {
		l.refusal()
		l.boilerplate()
		l.instructions()
		l.reasoning()
		l.musing()
		l.apology()
	}
}

func BenchmarkPatterns(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		p, err := readPatterns(patternFiles)
		if err != nil {
			b.Fatal(err)
		}
		p.direction()
		p.languages[1].refusal()
		p.languages[1].boilerplate()
	}
}
