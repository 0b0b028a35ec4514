package understand

import (
	"slices"
	"strings"
	"testing"
)

// everydayWordings are everyday wordings that no pattern has, with claims that they make; an empty one means no claim at all. The
// trained reader reads most of them: TestReadWordings sets how many.
var everydayWordings = []struct{ text, want string }{
	{"I had a dog called Rex when I was little", ""},
	{"I'm German", ""},
	{"I have a headache", ""},
	{"I would love to visit Paris", "wish=visit Paris"},
	{"The book that Ann loves is Dune.", ""},
	{"so yeah proud owner of a beagle named Biscuit since saturday lol", "pet_name:dog=Biscuit"},
	{"Retired postman, widowed, two cats", "marital_status=widowed"},
	{"been a paramedic for eleven years and my back knows it", "works_as=paramedic"},
	{"handed in my notice at Tesco this morning!!", "works_at=Tesco!~"},
	{"Spiders. Absolutely not. Terrified of them", "afraid_of=Spiders"},
	{"what do you get a brother who's mad about fishing? he lives in Hull", "brother/lives_in=Hull"},
	{"my wee lad Callum just turned six", "lad/age=six"},
	{"as a vegetarian in a steakhouse I ate chips", "diet=vegetarian"},
	{"nuts could kill me btw, full on allergic", "allergic_to=nuts"},
	{"me and Dylan are over, two years down the drain", "together_with=Dylan!~"},
	{"nana passed away on tuesday", "grandmother/death=died"},
	{"just got the keys to our new place in Leith, bye bye Morningside", "lives_in=Leith~"},
	{"driving a battered old Fiesta until it dies", "drives=Fiesta"},
	{"my sister's a nurse over in Cork", "sister/works_as=nurse"},
	{"on metformin twice a day since the diabetes", "medicine=metformin"},
	{"they diagnosed me with asthma when I was a kid", "illness=asthma"},
	{"wifi password's hunter2 in case I forget", "password=hunter2"},
	{"oops sorry not Leeds, it's Bradford I live in", "lives_in=Bradford"},
	{"I do nights at the hospital, ten till six", "hours=nights"},
	{"imagine if I lived in Monaco with ten dogs", ""},
	{"my mate always says \"I live in Paris and eat snails\" and he's from Slough", ""},
	{"yeah sure and I'm the queen of Sweden", ""},
	{"in my dream I was a surgeon with three wives", ""},
	{"in the film he's a detective called Rex who lives in Rome", ""},
}

// TestReadWordings checks how many of the wordings are read rightly.
func TestReadWordings(t *testing.T) {
	const least = 16
	right := 0
	for _, tt := range everydayWordings {
		got := strings.Split(notation(Analyze(Utterance{Text: tt.text, At: at0}).Claims), "; ")
		if slices.Contains(got, tt.want) {
			right++
		} else {
			t.Logf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
	if right < least {
		t.Errorf("%d of %d wordings are read rightly, want at least %d", right, len(everydayWordings), least)
	}
	t.Logf("%d of %d", right, len(everydayWordings))
}

// TestReadNothingInPlainTalk checks that talk without facts claims hardly anything.
func TestReadNothingInPlainTalk(t *testing.T) {
	for _, text := range []string{"ok", "haha nice", "what's up", "see you", "sounds good to me", "no idea tbh", "hm, let me think", "can you explain how rain works?", "write me a poem about the sea"} {
		if got := Analyze(Utterance{Text: text, At: at0}).Claims; len(got) > 0 {
			t.Errorf("%q: %s", text, notation(got))
		}
	}
}
