package spelling

import (
	"testing"
	"testing/quick"
)

func TestNearest(t *testing.T) {
	known := []string{"model", "persona", "limits", "timezone", "gap", "cap"}
	for _, c := range []struct{ word, want string }{
		{"modell", "model"},
		{"personna", "persona"},
		{"limit", "limits"},
		{"time_zone", "timezone"},
		{"gpa", "gap"},
		{"zap", "gap"}, // as close as cap: the earlier one wins
		{"weather", ""},
		{"", ""},
		{"x", ""},
	} {
		if got := Nearest(c.word, known); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestDistanceIsSymmetricAndZeroOnlyForTheSameWord(t *testing.T) {
	law := func(a, b string) bool {
		x, y := []rune(a), []rune(b)
		d := distance(x, y)
		return d == distance(y, x) && (d == 0) == (string(x) == string(y)) && d <= max(len(x), len(y))
	}
	if err := quick.Check(law, nil); err != nil {
		t.Error(err)
	}
}
