package lazyregexp

import (
	"regexp"
	"slices"
	"testing"
)

func TestNeedOf(t *testing.T) {
	for _, c := range []struct {
		expression string
		want       []string
	}{
		{`(?i)\b(?:cancel(?:led|ed)|called off)\b`, []string{"cancelled", "canceled", "called off"}},
		{`(?i)(?:it|that)(?:'s| is)? off`, []string{"it's off", "it is off", "it off", "that's off", "that is off", "that off"}},
		{`\bkill\s+my\s?self\b`, []string{"kill"}},
		{`^(?:so )?why\w*(?: not)+`, []string{" not"}},
		{`où est`, []string{" est"}},
		{`(?:yes|n?o)`, nil},
		{`a|bc`, nil},
		{`.*`, nil},
		{`\d{3}`, nil},
		{`(`, nil},
	} {
		if n := needOf(c.expression); !slices.Equal(n.parts, c.want) {
			t.Errorf("%s: needs %q, want %q", c.expression, n.parts, c.want)
		}
	}
}

func TestATextThatNeedsMoreThanASCIIIsMatched(t *testing.T) {
	r := New(`(?i)\bmiss\b`)
	for text, want := range map[string]bool{
		"MISS": true, "I miſs it": true, "mist": false, "Grüße": false, "miss": true, "MIS": false, "m": false, "": false,
	} {
		if got := r.MatchString(text); got != want {
			t.Errorf("%q: matches: %v, want %v", text, got, want)
		}
	}
	if !New(`(?i)ok`).MatchString("o\u212a") {
		t.Error("a Kelvin sign is a k when case is ignored")
	}
}

// FuzzNeed holds every method against the expression itself.
func FuzzNeed(f *testing.F) {
	for _, expression := range []string{
		`(?i)\b(?:(?:it|that|this)(?:'s| is| was)(?: just)* (?:cancelled|called off|off)|not going(?: any ?more)?)\s*(?:[.,;!]|$)`,
		`(?i)^(?:what an? |how (?:nice|lovely)\b)`, `(?s)a.c|[xyz]{2,3}k?`, `(?m)^name:.*$`, `(a+)(b|cc)?d`, `(?i:sk)|é+t`,
	} {
		for _, text := range []string{"That's cancelled!", "What a day", "a\ncd", "so\nname: x", "aabd", "ſK été", "\xff\xfe"} {
			f.Add(expression, text)
		}
	}
	f.Fuzz(func(t *testing.T, expression, text string) {
		plain, err := regexp.Compile(expression)
		if err != nil || len(expression) > 200 {
			return
		}
		n := needOf(expression)
		if plain.MatchString(text) && !n.metBy(text) {
			t.Errorf("%q matches %q, but is said to need one of %q", expression, text, n.parts)
		}
	})
}
