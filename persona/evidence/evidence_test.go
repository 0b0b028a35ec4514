package evidence

import (
	"math"
	"testing"
	"time"
	"unicode/utf8"
)

var day = time.Date(2026, 5, 20, 15, 0, 0, 0, time.UTC)

// told returns lines of the asker's.
func told(texts ...string) (lines []Line) {
	for _, text := range texts {
		lines = append(lines, Line{Text: text, At: day, Own: true})
	}
	return lines
}

func TestTheLineThatTellsIsTheLikeliest(t *testing.T) {
	for _, tt := range []struct{ language, question, want string }{
		{"en", "Where does Beth live?", "My sister Beth lives in Rome"},
		{"en", "When is my dentist appointment?", "The dentist appointment is on Friday at three"},
		{"en", "What did I have for lunch?", "I had pasta for lunch"},
		{"de", "Wo wohnt meine Schwester?", "Meine Schwester wohnt in Rom"},
		{"es", "¿Dónde vive mi hermana?", "Mi hermana vive en Roma"},
		{"fr", "Où habite ma sœur ?", "Ma sœur habite à Rome"},
	} {
		lines := told("The bus was late again", tt.want, "What a lovely morning")
		if got := Rank(tt.question, tt.language, lines)[0].Line; lines[got].Text != tt.want {
			t.Errorf("%q is answered with %q", tt.question, lines[got].Text)
		}
	}
}

func TestWhatNobodyToldIsUnlikely(t *testing.T) {
	lines := told("The bus was late again", "My sister Beth lives in Rome", "What a lovely morning")
	for _, question := range []string{"What is the capital of Peru?", "Which instrument does Omar play?", "How tall is the lighthouse?"} {
		for _, a := range Rank(question, "en", lines) {
			if a.Probability > 0.6 { // less than a quote takes
				t.Errorf("%q is answered with %q (%.2f)", question, lines[a.Line].Text, a.Probability)
			}
		}
	}
}

func TestNothingToldRanksNothing(t *testing.T) {
	if got := Rank("Where do I live?", "en", nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestEveryLanguageIsRead reads the embedded files of each language.
func TestEveryLanguageIsRead(t *testing.T) {
	for tag := range languages {
		l := languageOf(tag)
		for k, phrases := range l.asks {
			if len(phrases) == 0 {
				t.Errorf("%s: nothing asks %q", tag, kindNames[k])
			}
		}
		for name, words := range map[string]map[string]bool{"self": l.self, "frame": l.frame, "places": l.places, "numbers": l.numbers, "what": l.what} {
			if len(words) == 0 {
				t.Errorf("%s: no words for %q", tag, name)
			}
		}
		if len(l.takesBack) == 0 || len(l.supposes) == 0 || len(l.common) == 0 {
			t.Errorf("%s: takes back %d, supposes %d, common %d", tag, len(l.takesBack), len(l.supposes), len(l.common))
		}
	}
	if languageOf("xx") != languageOf("en") {
		t.Error("an unknown language is not read as English")
	}
}

func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"Where do I live?": true, "where do I live": true, "what's my dog called": true, "I live in Oslo": false, "": false,
	} {
		if got := Asks(text, "en"); got != want {
			t.Errorf("%q asks: %v", text, got)
		}
	}
}

// FuzzRank ranks arbitrary lines: no text may break it, probabilities add up to at most 1 and clauses lie within their lines.
func FuzzRank(f *testing.F) {
	for _, seed := range []string{"where do I live?", "I live in Oslo", "", "İ’m ı 3", "…—–\n?!", "’ - ' é\xff", "wo\u00a0wohne ich"} {
		f.Add(seed, "I live in Oslo, since May. And you?", "en")
		f.Add("who lives in Oslo?", seed, "de")
	}
	f.Fuzz(func(t *testing.T, question, text, language string) {
		lines := append(told(text, question, text), Line{Text: text, At: day}, Line{Text: question, Own: true})
		sum, ranked := 0.0, Rank(question, language, lines)
		if len(ranked) != len(lines) {
			t.Fatalf("%d of %d lines", len(ranked), len(lines))
		}
		for _, a := range ranked {
			said := lines[a.Line].Text
			if a.Start < 0 || a.End < a.Start || a.End > len(said) {
				t.Fatalf("%q has the clause %d:%d", said, a.Start, a.End)
			}
			if utf8.ValidString(said) && !utf8.ValidString(said[a.Start:a.End]) {
				t.Fatalf("%q has the broken clause %q", said, said[a.Start:a.End])
			}
			if math.IsNaN(a.Probability) || a.Probability < 0 || a.Probability > 1 {
				t.Fatalf("%q has the probability %v", said, a.Probability)
			}
			sum += a.Probability
		}
		if sum > 1+1e-6 {
			t.Fatalf("the probabilities add up to %v", sum)
		}
		Asks(text, language)
	})
}
