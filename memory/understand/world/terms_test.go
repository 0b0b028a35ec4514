package world

import (
	"testing"

	"familiar/memory/understand/english"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		question, relation string
		fits               bool
	}{
		{"What is the birthplace of the author?", "born_in", true},
		{"Where did they breathe their last?", "died in", true},
		{"Who is the wife of the king?", "spouse", true},
		{"Who founded it?", "founded by", true},
		{"In which city was it established?", "founded in", true},
		{"What is the nationality of the singer?", "citizen of", true},
		{"Who wrote it?", "author", true},
		{"Which country does the sport come from?", "created in the country of", true},
		{"Who is the prime minister of it?", "head of government", true},
		{"What is the name of the chief of state?", "head of state", true},
		{"What is it famous for?", "famous for", true},
		{"What is my sister called?", "person_name:sister", true},
		{"Where was my mother born?", "mother/born_in", true},
		{"Who is the mayor of it?", "mayor", true},
		{"What is the weather like?", "born_in", false},
		{"Who is the mayor of it?", "author", false},
		{"What is the capital?", "continent", false},
	} {
		score, taken := wordingOf(tt.relation).match(termsOf(english.Words(tt.question)), 0)
		if fits := taken != 0 && score > 0; fits != tt.fits {
			t.Errorf("%q asks for %q: %t (%.2f), want %t", tt.question, tt.relation, fits, score, tt.fits)
		}
	}
}

// The wording of a question distinguishes who did something from where it was done.
func TestMatchPrefersExactWordings(t *testing.T) {
	for _, tt := range []struct{ question, better, worse string }{
		{"Who founded it?", "founded by", "founded in"},
		{"In which city was it founded?", "founded in", "founded by"},
		{"Which country was it created in?", "created in the country of", "created by"},
		{"What is the official language of it?", "official language", "language"},
		{"Who is the head of state of it?", "head of state", "head of government"},
	} {
		terms := termsOf(english.Words(tt.question))
		better, _ := wordingOf(tt.better).match(terms, 0)
		worse, _ := wordingOf(tt.worse).match(terms, 0)
		if better <= worse {
			t.Errorf("%q: %q %.2f, %q %.2f", tt.question, tt.better, better, tt.worse, worse)
		}
	}
}

func FuzzTerms(f *testing.F) {
	f.Add("What is the birthplace of the author of \"Dune\"?")
	f.Add("head of the state")
	f.Fuzz(func(t *testing.T, text string) {
		terms := termsOf(english.Words(text))
		for i, term := range terms {
			if term.sense == "" || i < 64 && term.bit != 1<<i {
				t.Fatalf("%q: term %d is %+v", text, i, term)
			}
		}
		wordingOf(text).match(terms, 0)
	})
}
