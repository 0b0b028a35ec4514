package phrase

import "testing"

func TestPatterns(t *testing.T) {
	stops := map[string]bool{"not": true}
	for _, tt := range []struct {
		pattern, said string
		want          bool
	}{
		{"kill myself", "I kill myself", true},
		{"kill myself", "I kill. Myself", false},
		{"kill|hurt myself", "to HURT myself!", true},
		{"$kin ~2 hits me", "my dad often really hits me", true},
		{"$kin ~2 hits me", "my dad does not hits me", false},
		{"$kin ~2 hits me", "my dad often and really always hits me", false},
		{"want to? die", "want die", true},
		{"want to? die", "want to die", true},
		{"suicid* now", "suicidal now", true},
		{"dont go", "don’t go", true},
		{"j ai faim", "J’ai faim", true},
		{"möchte sterben", "ich MÖCHTE sterben", true},
	} {
		var s Set[bool]
		if err := s.Add(tt.pattern, Classes{"kin": NewClass([]string{"dad", "mum"})}, stops, true); err != nil {
			t.Fatal(err)
		}
		if got := s.Has(Words(tt.said, 100)); got != tt.want {
			t.Errorf("%q in %q: %v", tt.pattern, tt.said, got)
		}
	}
	var s Set[bool]
	for _, wrong := range []string{"", "~2 a", "a ~2", "a b?", "$none a", "~x a"} {
		if err := s.Add(wrong, nil, nil, true); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

func TestQuotes(t *testing.T) {
	for said, want := range map[string]string{
		`she sang "take me home" and left`: "take me home",
		"er sagte „lass das“ und ging":     "lass das",
		"il dit «va là» puis sort":         "va la",
		"no quotes":                        "",
	} {
		got := ""
		for _, w := range Words(said, 100) {
			if w.Quoted {
				got += " " + w.Text
			}
		}
		if len(got) > 0 {
			got = got[1:]
		}
		if got != want {
			t.Errorf("%q: %q", said, got)
		}
	}
}
