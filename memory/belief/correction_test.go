package belief

import (
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// correction is what somebody tells, one message each, and what they hold for true after the last, which corrects
// something.
type correction struct {
	told string // separated by " / "
	want string // the active beliefs, "relation=value", separated by "; "
}

// corrections name the wrong value. It is that of the fact told last, of an earlier one, or of none.
var corrections = []correction{
	{"My cat is called Tom. / My dog is called Rex. / Not Tom, Milo.", "pet_name:cat=Milo; pet_name:dog=Rex"},
	{"My cat is called Tom. / My dog is called Rex. / Not Rex, Milo.", "pet_name:cat=Tom; pet_name:dog=Milo"},
	{"My cat is called Tom. / My dog is called Rex. / No, it's Milo.", "pet_name:cat=Tom; pet_name:dog=Milo"},
	{"My cat is called Tom. / I live in Rome. / Milo, not Tom.", "pet_name:cat=Milo; lives_in=Rome"},
	{"My cat is called Tom. / I live in Rome. / Not Tom but Milo.", "pet_name:cat=Milo; lives_in=Rome"},
	{"I live in Oslo. / My cat is called Tom. / I moved, I live in Rome now. / Not Tom, Milo.", "pet_name:cat=Milo; lives_in=Rome"},
	{"I live in Oslo. / My cat is called Tom. / Not Oslo, Bergen.", "lives_in=Bergen; pet_name:cat=Tom"},
	{"I live in Oslo. / My cat is called Tom. / Not Rex, Milo.", "lives_in=Oslo; pet_name:cat=Tom"},
	{"I live in Oslo. / Not Bergen, Trondheim.", "lives_in=Oslo"},
	{"I live in Oslo. / I moved to Rome. / Not Oslo, Bergen.", "lives_in=Rome"},
	{"I live in Oslo. / I no longer live in Oslo but in Bergen.", "lives_in=Bergen"},
	{"My cat is called Tom. / My cat is not called Tom, but Milo.", "pet_name:cat=Milo"},
	{"My cat is called Tom. / My cat isn't called Tom, she's called Milo.", "pet_name:cat=Milo"},
	{"My cat is called Tom. / I live in Oslo. / My cat is not called Tom but Milo.", "pet_name:cat=Milo; lives_in=Oslo"},
	{"I live in Oslo. / I don't live in Oslo but in Bergen.", "lives_in=Bergen"},
	{"My sister is called Eva. / My brother is called Paul. / Not Eva, Ida.", "person_name:sister=Ida; person_name:brother=Paul"},
	{"My sister is called Eva. / My brother is called Paul. / I meant Ida, not Eva.", "person_name:sister=Ida; person_name:brother=Paul"},
	{"I am 34 years old. / My cat is called Tom. / Not 34, 35.", "age=35; pet_name:cat=Tom"},
}

// correctionsHeldBack are in other words. The rules were not written for them.
var correctionsHeldBack = []correction{
	{"My cat is called Bella. / My son is called Finn. / Not Bella, Stella.", "pet_name:cat=Stella; person_name:son=Finn"},
	{"My wife is called Nora. / I work at Siemens. / It's Nina, not Nora.", "person_name:wife=Nina; works_at=Siemens"},
	{"I work at Siemens. / I live in Lyon. / No, not Siemens, Bosch.", "works_at=Bosch; lives_in=Lyon"},
	{"I was born in Lima. / I live in Quito. / Not Lima but Cusco.", "born_in=Cusco; lives_in=Quito"},
	{"My daughter is called Mia. / My dog is called Odin. / Sorry, not Mia, Maya.", "person_name:daughter=Maya; pet_name:dog=Odin"},
	{"My daughter is called Mia. / My dog is called Odin. / Wrong, I said Maya, not Mia.", "person_name:daughter=Maya; pet_name:dog=Odin"},
	{"My dog is called Odin. / My dog is not called Odin, but Oscar.", "pet_name:dog=Oscar"},
	{"My son is called Finn. / I live in Quito. / My son is not called Finn, but Flynn.", "person_name:son=Flynn; lives_in=Quito"},
	{"My sister is called Eva. / My sister's name is not Eva, it's Ida.", "person_name:sister=Ida"},
	{"My sister is called Eva. / My sister's name isn't Eva but Ida.", "person_name:sister=Ida"},
	{"I work at Siemens. / I don't work at Siemens, but at Bosch.", "works_at=Bosch"},
	{"I live in Lyon. / My dog is called Odin. / Not Marseille, Paris.", "lives_in=Lyon; pet_name:dog=Odin"},
	{"My dog is called Odin. / My cat is called Luna. / Not Odin, it's Oscar.", "pet_name:dog=Oscar; pet_name:cat=Luna"},
	{"I live in Lyon. / I moved to Cannes. / I work at Bosch. / Not Cannes, Antibes.", "lives_in=Antibes; works_at=Bosch"},
	{"My dog is called Odin. / I live in Lyon. / Not Lyon, Paris.", "pet_name:dog=Odin; lives_in=Paris"},
	{"My dog is called Odin. / I am 40 years old. / Actually it's Oscar, not Odin.", "pet_name:dog=Oscar; age=40"},
}

// heldTrue returns the active beliefs after what was told, each message after an answer that repeats what the one
// before it changed.
func heldTrue(told string) string {
	var bs []model.Belief
	before := ""
	for n, text := range strings.Split(told, " / ") {
		at := noon.Add(time.Duration(n) * time.Minute)
		var claims []AttributedClaim
		for _, c := range understand.Analyze(understand.Utterance{Text: text, At: at, Before: before}).Claims {
			claims = append(claims, AttributedClaim{Claim: c, AuthorID: ann, Author: "Ann", MessageID: int64(n + 1), At: at})
		}
		var changes []model.BeliefChange
		bs, changes = revise(bs, claims)
		before = "Thank you for telling me."
		for _, c := range changes {
			before += " I'll remember that " + rel.Describe("", c.Belief.Relation, c.Belief.Value) + "."
		}
	}
	var out []string
	for _, b := range bs {
		if b.Status == model.Active && b.Relation != "has_pet" && b.Relation != "has_person" {
			out = append(out, b.Relation+"="+b.Value)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func TestACorrectionConcernsTheFactWithTheWrongValue(t *testing.T) {
	for _, half := range [][]correction{corrections, correctionsHeldBack} {
		right := 0
		for _, c := range half {
			want := strings.Split(c.want, "; ")
			slices.Sort(want)
			if got := heldTrue(c.told); got != strings.Join(want, "; ") {
				t.Errorf("%s\n got %s\nwant %s", c.told, got, c.want)
				continue
			}
			right++
		}
		t.Logf("%d of %d right", right, len(half))
	}
}
