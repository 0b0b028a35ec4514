package plain

import (
	"testing"
)

func TestJoinedFacts(t *testing.T) {
	for _, tt := range []struct {
		facts []string
		want  string
	}{
		{[]string{"your sister is called Eva", "Eva lives in Cork", "Eva works as a nurse"}, "your sister is called Eva, Eva lives in Cork and Eva works as a nurse"},
		{[]string{"you live in Cork", "you like jazz"}, "you live in Cork and like jazz"},
		{[]string{"your dog is called Rex", "your cat is called Tom"}, "your dog is called Rex and your cat is called Tom"},
		{nil, ""},
	} {
		if got := english.joined(tt.facts); got != tt.want {
			t.Errorf("joined(%q) = %q, want %q", tt.facts, got, tt.want)
		}
	}
}
