package understand

import "testing"

// TestARequestToForgetIsNoClaim checks that a request to forget something does not teach it.
func TestARequestToForgetIsNoClaim(t *testing.T) {
	for text, want := range map[string]string{
		"forget everything":                                 "",
		"Please forget that.":                               "",
		"Forget what I said about Sarah":                    "Sarah",
		"can you forget everything I told you about Sarah?": "Sarah",
		"forget that my dog is called Rex":                  "dog Rex",
		"forget Sarah":                                      "Sarah",
		"Delete everything you know about me":               "",
	} {
		r := Analyze(Utterance{Text: text, At: at0})
		if !r.Forget || r.ForgetAbout != want || len(r.Claims) > 0 || r.Question != nil {
			t.Errorf("%q reads as %+v, want forgetting %q", text, r, want)
		}
	}
	for _, text := range []string{"don't forget my birthday", "I forget everything", "forget it", "I forgot what you said", "did you forget my name?", "delete my photos"} {
		if Analyze(Utterance{Text: text, At: at0}).Forget {
			t.Errorf("%q is read as a wish to forget", text)
		}
	}
}
