package lexical

import (
	"slices"
	"testing"
)

// TestReaderMatchesTerms compares a reader with Terms in every language.
func TestReaderMatchesTerms(t *testing.T) {
	r := NewReader()
	named := map[string]int32{}
	texts := []string{
		"I watered the roses behind the lighthouse, roses everywhere", "Ich habe mit Jürgen am alten Leuchtturm gesessen",
		"Раньше была Москва", "寿司が好き", "ＦＵＬＬ width ROSES", "J'aime l'été à la plage", "", "the of and",
	}
	for range 2 { // the second time all is known
		for _, l := range languages {
			for _, text := range texts {
				want := l.Terms(text)
				slices.Sort(want)
				want = slices.Compact(want)
				got := r.Terms(l, text)
				if len(got) != len(want) || !slices.IsSorted(got) {
					t.Fatalf("%q in %s has the terms %v, want %q", text, l.Tag(), got, want)
				}
				for _, term := range want {
					if named[term] == 0 {
						named[term] = r.words.terms[term] + 1
					}
					if !slices.Contains(got, named[term]-1) {
						t.Errorf("%q in %s lacks %q", text, l.Tag(), term)
					}
				}
			}
		}
	}
	if r.Bytes() == 0 {
		t.Error("what was read takes no room")
	}
}
