package wordform

import "testing"

func TestFold(t *testing.T) {
	for word, want := range map[string]string{"Don’t": "don't", "OʼNeill": "o'neill", "y`all": "y'all", "É": "é", "": ""} {
		if got := Fold(word); got != want {
			t.Errorf("Fold(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestHas(t *testing.T) {
	for r, want := range map[rune]bool{'a': true, 'ß': true, '7': true, '\u0301': true, '東': true, '\'': false, '-': false, ' ': false, '\uFFFD': false} {
		if Has(r) != want {
			t.Errorf("Has(%q) = %v", r, !want)
		}
	}
}
