package plain

import (
	"testing"

	"familiar/persona/words"
)

func TestJoinedFacts(t *testing.T) {
	for _, tt := range []struct {
		facts []string
		want  string
	}{
		{[]string{"your sister is called Eva", "Eva lives in Cork", "Eva works as a nurse"}, "your sister is called Eva, who lives in Cork and works as a nurse"},
		{[]string{"you live in Cork", "you like jazz"}, "you live in Cork and like jazz"},
		{[]string{"your sister is called Eva", "your sister is 30 years old", "your sister works as a nurse"}, "your sister is called Eva, who is 30 years old and works as a nurse"},
		{[]string{"your dog is called Rex", "your cat is called Tom"}, "your dog is called Rex and your cat is called Tom"},
		{nil, ""},
	} {
		if got := joined(tt.facts); got != tt.want {
			t.Errorf("joined(%q) = %q, want %q", tt.facts, got, tt.want)
		}
	}
}

func TestFitsOnlyTheSameEvent(t *testing.T) {
	for _, tt := range []struct {
		asked, thing string
		want         bool
	}{
		{"interview", "the interview", true},
		{"seeing the dentist", "the dentist", true},
		{"fly to Oslo", "flying to Oslo with my brother Tom", true},
		{"LGBTQ support group", "putting together an LGBTQ art show", false},
		{"win my first video game tournament", "gaming tournament", false},
		{"", "the dentist", false},
	} {
		if got := fits(words.Content(tt.asked), words.Content(tt.thing)); got != tt.want {
			t.Errorf("fits(%q, %q) = %v", tt.asked, tt.thing, got)
		}
	}
}

func TestSpokenOfSelf(t *testing.T) {
	race := words.Content("charity race")
	if w := spokenOfSelf("That charity race sounds great, Mel! I'm proud of you.", race); w != impersonal {
		t.Errorf("praise for another's race counts %v", w)
	}
	if w := spokenOfSelf("I ran a charity race.", race); w != 1 {
		t.Errorf("the runner's own words count %v", w)
	}
}
