package understand

import (
	"strings"
	"testing"
)

// TestReadEveryday uses statements that people make in passing. A possession that people have one of at a time has
// one key for all its names.
func TestReadEveryday(t *testing.T) {
	const least = 0.4
	if share := agreement(t, []struct{ text, want string }{
		{"my new number is 555 1234", "phone number=555 1234~"},
		{"my mobile number is 555 1234 now", "phone number=555 1234"},
		{"my phone number changed to 555 7777", "phone number=555 7777~"},
		{"I changed my number to 555 7777", "phone number=555 7777~"},
		{"my new address is 7 Low Road", "address=7 Low Road~"},
		{"my favourite colour is now blue", "favourite colour=blue"},
		{"my boss is now Erik", "person_name:boss=Erik"},
		{"my boss is Erik now", "person_name:boss=Erik"},
		{"I left Google, now I'm at Apple", "works_at=Google!~; works_at=Apple~"},
		{"I left Google and joined Apple", "works_at=Apple~"},
		{"I took a new job at Apple", "works_at=Apple~"},
		{"I left Leeds", ""},
		{"I have a Volvo", "owns=a Volvo"},
		{"I sold the Volvo and bought a Tesla", "owns=Volvo!~; drives=Volvo!~; owns=a Tesla"},
		{"I got married to Eva", "spouse=Eva"},
		{"scratch that, it's on Friday", "plan=~"},
	}); share < least {
		t.Errorf("%.2f are read rightly, want at least %.2f", share, least)
	}
}

// TestAnotherOneIsAdded checks that a second one is added to the first. A bare one may be the first by another
// name.
func TestAnotherOneIsAdded(t *testing.T) {
	for text, many := range map[string]bool{
		"I have a dog called Rex":          false,
		"we also have a dog named Luna":    true,
		"we got another dog, Luna":         true,
		"my second dog is called Luna":     true,
		"I have two kids, Ann and Bob":     true,
		"our third child is called Cy":     true,
		"my dog is called Luna":            false,
		"my wife is called Ann":            false,
		"my other brother is called Edgar": true,
	} {
		claims := Analyze(Utterance{Text: text, At: at0}).Claims
		if len(claims) == 0 {
			t.Errorf("%q: nothing read", text)
		}
		for _, c := range claims {
			if c.Many != many && !strings.HasPrefix(c.Relation, "has_") {
				t.Errorf("%q: %+v", text, c)
			}
		}
	}
}
