package words

import "testing"

func TestSame(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"How are you?", true}, {"how are  YOU", true}, {"how are", false}, {"how are you now", false}, {"", false},
	} {
		if got := Same([]string{"how", "are", "you"}, c.text); got != c.want {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
	if !Same(nil, "") {
		t.Error("two texts without words differ")
	}
}
