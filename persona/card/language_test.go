package card

import "testing"

// TestEveryLanguageThatIsSuggestedIsKnown: what networks offer for /language sets one.
func TestEveryLanguageThatIsSuggestedIsKnown(t *testing.T) {
	for _, name := range Languages() {
		if LanguageNamed(name) == "" {
			t.Errorf("nobody speaks %q", name)
		}
	}
}

func TestLanguagesAreNamedInManyWays(t *testing.T) {
	for name, want := range map[string]string{
		"German": "de", "deutsch": "de", "DE": "de", "Espanol": "es", "español": "es", "francais": "fr", "pt-BR": "pt-BR", " norwegian ": "no", "日本語": "ja",
		"klingon": "", "": "", "x": "", "de fr": "",
	} {
		if got := LanguageNamed(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
