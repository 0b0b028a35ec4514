package understand

import (
	"strings"
	"testing"
)

// What is told of somebody else or of a meeting is no fact about the speaker. Those of the second half were written with
// the first, and the rules for the first.
var ofOthers = []struct{ text, want string }{
	{"Ben has a cat called Pumukl", "Ben/pet_name:cat=Pumukl"},
	{"Dan bought a dog named Rufus", "Dan/pet_name:dog=Rufus"},
	{"Mia's phone number is 555-1234", "Mia/phone number=555-1234"},
	{"his number is 555-1234", ""},
	{"my brother's number is 555-1234", ""},
	{"The number is 555-1234", "/number=555-1234"},
	{"My number is 555-1234", "/phone number=555-1234"},
	{"my bike's lock code is 4432", "/lock code=4432"},
	{"I saw Karlotte in Oslo", ""},
	{"I live with Karlotte in Oslo", "/lives_in=Oslo"},
	{"find me as bluefox42", ""},
	// The second half.
	{"Karl owns a horse named Silver", "Karl/pet_name:horse=Silver"},
	{"Ines has a parrot called Coco", "Ines/pet_name:parrot=Coco"},
	{"I have a parrot called Coco", "/pet_name:parrot=Coco"},
	{"Tom's email is tom@x.org", "Tom/email=tom@x.org"},
	{"my sister's email is ida@x.org", ""},
	{"my email is ann@x.org", "/email=ann@x.org"},
	{"her locker code is 1234", ""},
	{"my locker code is 1234", "/locker code=1234"},
	{"I ran into Paul in Madrid", ""},
	{"I found Tilda in Hamburg", ""},
	{"I have lived in Hamburg with Tilda", "/lives_in=Hamburg"},
	{"add me on steam, moonfish77", ""},
	{"my account there is moonfish77, I am 41", "/age=41"},
}

// possessions are the relations that a test of ofOthers looks at.
var possessions = []string{"pet_name:", "number", "email", "code", "lives_in", "age"}

func TestWhatIsToldOfOthersIsNoFactAboutTheSpeaker(t *testing.T) {
	right := 0
	for _, tt := range ofOthers {
		var got []string
		for _, c := range Analyze(Utterance{Text: tt.text, At: at0}).Claims {
			for _, of := range possessions {
				if strings.HasPrefix(c.Relation, of) || strings.HasSuffix(c.Relation, of) {
					got = append(got, c.Subject+"/"+c.Relation+"="+c.Value)
					break
				}
			}
		}
		if got := strings.Join(got, "; "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.text, got, tt.want)
			continue
		}
		right++
	}
	t.Logf("%d of %d right", right, len(ofOthers))
}
