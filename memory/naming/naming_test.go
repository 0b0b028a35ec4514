package naming

import (
	"slices"
	"testing"
)

func TestFindReadsWhatPeopleAreCalled(t *testing.T) {
	for name, c := range map[string]struct{ named, not []string }{
		"Will Drexler":    {[]string{"WILL is nice.", "Wills dog barked.", "will's dog.", "@will", "Drexler", "will drexler"}, []string{"she will go", "willing"}},
		"will":            {[]string{"Will came", "will’s dog"}, []string{"she will go"}},
		"Ben Hollowby":    {[]string{"Bens Katze", "Ben", "ben's", "hollowby"}, []string{"bench", "ben o sen"}},
		"Bo Lindqvistsen": {[]string{"Bo has a boat", "BO!", "Bos boat", "bo's"}, []string{"bo", "boat"}},
		"Jean de la Tour": {[]string{"jean", "de la Tour", "TOUR"}, []string{"La la", "De nada"}},
		"李小龙":             {[]string{"小龙来了", "李小龙"}, []string{"小心", "龙"}},
		"山田太郎":            {[]string{"山田さん", "太郎"}, []string{"山", "郎"}},
		"김철수":             {[]string{"철수가 왔어"}, []string{"수"}},
		"7":               {nil, []string{"7", "I have 7"}},
	} {
		n := New("Tess")
		n.Add(1, name)
		for _, said := range c.named {
			if found := n.Find(said); len(found) == 0 || !slices.Contains(found[0].People, 1) {
				t.Errorf("%q does not name %s", said, name)
			}
		}
		for _, said := range c.not {
			if n.Any(said) {
				t.Errorf("%q names %s", said, name)
			}
		}
	}
}

// TestAccountsNameOnlyWhereTheyAreMentioned gives the ids of accounts as networks and the chat API have them.
func TestAccountsNameOnlyWhereTheyAreMentioned(t *testing.T) {
	for id, c := range map[string]struct{ named, not []string }{
		"~1":                     {[]string{"@1", "<@1>", "@~1"}, []string{"I have 1 apple", "1"}},
		"184467440737":           {[]string{"<@!184467440737>"}, []string{"184467440737"}},
		"49170123@s.example.net": {[]string{"@49170123"}, []string{"49170123", "s example net"}},
		"zed_9":                  {[]string{"ask zed_9", "@zed_9"}, []string{"zed", "9"}},
	} {
		n := New()
		n.AddAccount(1, id)
		for _, said := range c.named {
			if !n.Any(said) {
				t.Errorf("%q does not name %s", said, id)
			}
		}
		for _, said := range c.not {
			if n.Any(said) {
				t.Errorf("%q names %s", said, id)
			}
		}
	}
}
