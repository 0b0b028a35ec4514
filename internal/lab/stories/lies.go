package stories

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/model"
)

// falseClaim is what a bad reader files: words that were said, and what they do not say.
type falseClaim struct {
	Quote, Sentence, Value string
	// displaces reports that it claims to change or to end something that is known.
	displaces bool
}

// misreadings are what a bad reader makes of a name or a word in somebody's line, by what it mistakes: a brother's name for the
// own, a supposed move, an ex's job, a joke, a quotation, a friend's plan, a dream, an earlier address, irony, a question, a wish.
var misreadings = []struct{ kind, relation, sentence string }{
	{"fact", "name", "NAME is called WORD."},
	{"home", "lives_in", "NAME moved to WORD."},
	{"work", "works_at", "NAME works for WORD."},
	{"work", "works_as", "NAME is a WORD by profession."},
	{"taste", "likes", "NAME likes WORD best of all."},
	{"plan", "plan", "NAME is going to WORD."},
	{"fact", "has_pet", "NAME has a pet called WORD."},
	{"home", "home", "NAME lives at WORD."},
	{"taste", "dislikes", "NAME hates WORD."},
	{"kin", "person_name:mother", "NAME's mother is called WORD."},
	{"instruction", "call_me", "NAME wants to be called WORD."},
}

var personLine = regexp.MustCompile(`^(\d+)\. [^|]*\| ([^:]+): (.*)$`)

// withFalseClaims adds false claims to the good ones: one from each line of a person, of each kind in turn, some of them as a
// change or the end of something known.
func (s *spoiler) withFalseClaims(task, good string) string {
	var filed struct {
		Claims []map[string]any `json:"claims"`
	}
	if json.Unmarshal([]byte(good), &filed) != nil {
		return good
	}
	known := 0
	for line := range strings.Lines(task) {
		line = strings.TrimSpace(line)
		if knownLine.MatchString(line) {
			known++
		}
		said := personLine.FindStringSubmatch(line)
		if said == nil || said[1] == "0" || !slices.Contains(s.story.People, said[2]) {
			continue
		}
		quote, word := misread(said[3], said[2])
		if word == "" || slices.ContainsFunc(s.story.Filing, func(f Filed) bool { return spaced(f.Quote) == spaced(quote) }) {
			continue
		}
		n := len(s.claims)
		as := misreadings[n%len(misreadings)]
		claim := falseClaim{Quote: quote, Value: word, Sentence: strings.NewReplacer("NAME", said[2], "WORD", word).Replace(as.sentence)}
		state, id := "new", 0
		if known > 0 && n%3 > 0 {
			state, id = []string{"", "changes", "ends"}[n%3], n%known+1
			claim.displaces = true
		}
		s.claims = append(s.claims, claim)
		filed.Claims = append(filed.Claims, map[string]any{
			"state": state, "id": id, "message": json.Number(said[1]), "quote": quote, "subject": "", "kind": as.kind, "relation": as.relation,
			"value": word, "sentence": claim.Sentence, "due": "", "sensitive": false,
		})
	}
	return asJSON(map[string]any{"claims": filed.Claims})
}

// clause matches a part of a line up to a mark that ends it.
var clause = regexp.MustCompile(`[^.!?;⏎。！？]+[.!?。！？]?`)

// misread returns a part of a line and a word in it to take for something else: a name in the middle of the part if it
// has one, else its longest word.
func misread(line, speaker string) (quote, word string) {
	for _, part := range clause.FindAllString(line, -1) {
		part = strings.TrimSpace(part)
		longest := ""
		for i, w := range strings.Fields(part) {
			w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
			first, _ := utf8.DecodeRuneInString(w)
			size := utf8.RuneCountInString(w)
			if size > utf8.RuneCountInString(longest) && w != speaker {
				longest = w
			}
			if i > 0 && size > 2 && unicode.IsUpper(first) && w != speaker {
				return part, w
			}
		}
		if word == "" && utf8.RuneCountInString(longest) > 3 {
			quote, word = part, longest
		}
	}
	return quote, word
}

// displaced lists the beliefs that rested on somebody's own word and that a false claim replaced or ended.
func displaced(beliefs []model.Belief, claims []falseClaim) (all []string) {
	for _, b := range beliefs {
		if b.Status == model.Active || !firstHand(b, claims) {
			continue
		}
		against := slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool {
			return e.Stance < 0 && e.ByModel && slices.ContainsFunc(claims, func(c falseClaim) bool { return c.displaces && c.Quote == e.Quote })
		})
		by := slices.ContainsFunc(beliefs, func(next model.Belief) bool {
			return next.ID == b.SupersededBy && !slices.ContainsFunc(next.Evidence, func(e model.Evidence) bool { return e.Stance > 0 && !isFalse(e, claims) })
		})
		if against || by {
			all = append(all, describe(b))
		}
	}
	return all
}

// shownFalse lists the false claims that a prompt shows without a word of doubt.
func shownFalse(prompt string, claims []falseClaim) (all []string) {
	for line := range strings.Lines(prompt) {
		for _, c := range claims {
			if strings.HasSuffix(strings.TrimSpace(line), c.Sentence) && !strings.Contains(line, "(unsure)") {
				all = append(all, c.Sentence)
			}
		}
	}
	return all
}

// firstHand reports whether a belief rests on what somebody said about themselves, as more than one reading of a model, and
// not on false claims alone.
func firstHand(b model.Belief, claims []falseClaim) bool {
	return slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool {
		return e.Stance > 0 && !e.Hearsay && !e.ByModel && !isFalse(e, claims)
	})
}

// isFalse reports whether evidence is a false claim.
func isFalse(e model.Evidence, claims []falseClaim) bool {
	return slices.ContainsFunc(claims, func(c falseClaim) bool {
		return c.Quote == e.Quote && (e.Sentence == c.Sentence || e.Sentence == "" && e.JobRun != 0)
	})
}
