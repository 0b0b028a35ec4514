package scene

import "familiar/persona/words"

var (
	// GoodNews are words of a good outcome or feeling.
	GoodNews = words.Of("good great well fine amazing awesome fantastic lovely brilliant wonderful fun nice perfect perfectly smoothly " +
		"excellent passed aced nailed won love loved enjoyed relieved yay happy thrilled excited delighted glad proud best better " +
		"hired promoted graduated accepted success successful beautiful grateful hopeful calm relaxed content blessed joyful cheerful ecstatic")
	badNews = words.Of("bad badly terrible awful disaster horrible rough worse worst failed bombed disappointing disappointed hated tough " +
		"sad lost died death sick ill hurt angry upset anxious stressed worried lonely depressed tired exhausted afraid scared " +
		"nervous miserable unhappy overwhelmed frustrated heartbroken crying hopeless down low grief grieving ashamed guilty " +
		"stress burned burnt hard sore broken hate hospital funeral cancer accident crash crashed dying dumped divorce divorced cried homesick yelled shouted cheated robbed stolen bullied insulted evicted sacked broke fired rejected furious annoyed jealous devastated")
	// won are the things that are good to have got: "got the job".
	won     = words.Of("job place offer part role promotion raise visa keys results flat scholarship")
	denials = words.Of("not n't no never didn't wasn't isn't hardly can't couldn't don't")
)

// VerdictOf returns how an outcome sounds: "off", "good", "bad" or "neutral". A negation turns good into bad.
func VerdictOf(text string) string {
	good, bad, denied := 0, 0, false
	said := words.Tokens(text)
	for i, w := range said {
		switch {
		case w == "passed" && i+1 < len(said) && said[i+1] == "away":
			bad++
		case w == "better" && i > 1 && said[i-2] == "could": // "could be better"
			bad++
		case w == "got" && i+2 < len(said) && won.Has(said[i+2]):
			good++
		case calledOff.Has(w):
			return "off"
		case denials.Has(w):
			denied = true
		case GoodNews.Has(w):
			if denied {
				bad++
			} else {
				good++
			}
		case badNews.Has(w):
			if denied {
				good++
			} else {
				bad++
			}
		}
	}
	switch {
	case good > bad:
		return "good"
	case bad > good:
		return "bad"
	}
	return "neutral"
}
