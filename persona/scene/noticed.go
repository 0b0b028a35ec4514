package scene

import (
	"slices"
	"strings"

	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// newObservation returns the newest observation that can be told to the person, or the zero Memory. Observations are
// told to the person alone, and not to strangers.
func (in GreetingInput) newObservation() model.Memory {
	if !in.Direct || mind.Stage(in.Relationship, in.Now) == mind.Stranger {
		return model.Memory{}
	}
	for _, m := range in.Observed {
		if m.SupersededBy != 0 || in.greeted(memorySubject(m)) || in.Now.Sub(m.Created) > NoticedWithin {
			continue
		}
		if _, ok := ToThem(m.Text, in.Name); ok {
			return m
		}
	}
	return model.Memory{}
}

var (
	// ofOthers are words that become ambiguous once an observation is addressed to the person.
	ofOthers = words.Of("he she they him her them you we i")
	// unkind are words of observations that would sound like a reproach or touch a wound.
	unkind = words.Of("longer stopped never rarely seldom put wrong avoids ignores fails feeling feels sad angry lonely afraid anxious stressed tired")
	// theirs are the words that change with the person: "their garden" becomes "your garden".
	theirs = map[string]string{"their": "your", "his": "your", "theirs": "yours", "themselves": "yourself", "himself": "yourself", "herself": "yourself"}
	// oddVerbs are verbs whose third person is not the base form with an s.
	oddVerbs = map[string]string{"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "used": "used"}
)

// ToThem turns a sentence about someone of that name into one addressed to them: "Ann comes back to chess again and
// again." becomes "you come back to chess again and again". It returns false if that is not possible or the sentence
// would be unkind.
func ToThem(observed, name string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(strings.TrimSpace(observed), "."), name+" ")
	fields := strings.Fields(rest)
	if !ok || name == "" || len(fields) < 2 || len(words.Sentences(observed)) > 1 || strings.HasSuffix(observed, "?") || VerdictOf(observed) == "bad" {
		return "", false
	}
	verb, ok := plainVerb(fields[0])
	if !ok || slices.ContainsFunc(fields, func(f string) bool { return ofOthers.Has(words.PlainWord(f)) || unkind.Has(words.PlainWord(f)) }) {
		return "", false
	}
	fields[0] = verb
	for i, f := range fields {
		if yours, own := theirs[words.PlainWord(f)]; own {
			fields[i] = strings.Replace(f, words.PlainWord(f), yours, 1)
		}
	}
	return "you " + strings.Join(fields, " "), true
}

// plainVerb returns the form of a third-person verb that goes with "you", false for other words.
func plainVerb(third string) (string, bool) {
	if odd, ok := oddVerbs[third]; ok {
		return odd, true
	}
	stem, ok := strings.CutSuffix(third, "s")
	if !ok || len(stem) < 3 || strings.HasSuffix(stem, "s") || strings.HasSuffix(stem, "'") {
		return "", false
	}
	if y, ies := strings.CutSuffix(stem, "ie"); ies && len(y) > 1 {
		return y + "y", true
	}
	for _, end := range []string{"ss", "sh", "ch", "x", "zz"} {
		if bare, es := strings.CutSuffix(stem, "e"); es && strings.HasSuffix(bare, end) {
			return bare, true
		}
	}
	return stem, true
}
