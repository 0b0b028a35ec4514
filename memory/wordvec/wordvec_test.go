package wordvec

import (
	"math"
	"testing"
)

func TestWordsOfOneCompanyAreAlike(t *testing.T) {
	for _, tt := range []struct{ word, like, unlike string }{
		{"dentist", "doctor", "banana"},
		{"terrified", "afraid", "invoice"},
		{"lisbon", "porto", "spoon"},
		{"guitar", "banjo", "mortgage"},
		{"cousin", "nephew", "carburetor"},
	} {
		like, unlike := Likeness(Find(tt.word), Find(tt.like)), Likeness(Find(tt.word), Find(tt.unlike))
		if like < 0.5 || unlike > 0.3 {
			t.Errorf("%s is %.2f like %s and %.2f like %s", tt.word, like, tt.like, unlike, tt.unlike)
		}
	}
	if a, b := Find("dentist"), Find("pharmacist"); math.Abs(Likeness(a, b)-Likeness(b, a)) > 1e-12 || Likeness(a, a) < 0.999 {
		t.Errorf("likeness %v, %v, of itself %v", Likeness(a, b), Likeness(b, a), Likeness(a, a))
	}
}

func TestUnknownWordsHaveNothing(t *testing.T) {
	w := Find("xqzzyblorf")
	if group, wide := w.Group(); w != 0 || group != 0 || wide != 0 || w.Vector() != "" || Likeness(w, Find("dog")) != 0 {
		t.Errorf("%d, group %d, wide group %d", w, group, wide)
	}
}

func TestGroupsAreInRange(t *testing.T) {
	for w := Word(1); int(w) <= count; w++ {
		group, wide := w.Group()
		if group < 1 || group > 1024 || wide < 1 || wide > 128 || len(w.Vector()) != Dims {
			t.Fatalf("word %d: group %d, wide group %d, %d numbers", w, group, wide, len(w.Vector()))
		}
	}
}
