package when

// timeNouns are the nouns after "what" and "which" in questions about a time.
var timeNouns = map[string]bool{
	"day": true, "date": true, "year": true, "month": true, "time": true, "week": true, "weekday": true,
	"season": true, "weekend": true, "decade": true, "century": true,
}

// questionVerbs are the verbs after which "when" is a question and not a conjunction.
var questionVerbs = map[string]bool{
	"is": true, "was": true, "did": true, "do": true, "does": true, "will": true, "are": true, "were": true,
	"am": true, "have": true, "has": true, "had": true, "can": true, "should": true, "would": true, "could": true,
}

// indirectVerbs are the words before "when …" in an indirect question.
var indirectVerbs = map[string]bool{"know": true, "remember": true, "recall": true, "tell": true, "me": true, "say": true, "remind": true, "sure": true}

// Asked reports whether the text asks for a time: "when did …", "what day …", "which year …", "how long ago …",
// "do you know when …". "When I was young" is not a question.
func Asked(text string) bool {
	s := scan{toks: tokenize(text)}
	for i, t := range s.toks {
		next := s.next(i + 1)
		switch t.word {
		case "when's", "whens":
			return true
		case "when":
			if questionVerbs[next] || t.opens && next == "" || indirectVerbs[s.word(i-1)] && next != "" ||
				s.word(i-1) == "since" || s.word(i-1) == "until" {
				return true
			}
		case "what", "which", "what's":
			if timeNouns[next] && (next != "time" || s.next(i+2) != "") || next == "the" && timeNouns[s.next(i+2)] {
				return true
			}
		case "how":
			if next == "long" && howLong(s.next(i+2)) || next == "soon" {
				return true
			}
		}
	}
	return false
}

// howLong reports whether "how long" followed by w asks for a time and not for the length of something.
func howLong(w string) bool {
	switch w {
	case "ago", "until", "till", "since", "have", "has", "did", "had", "were", "was", "will", "before":
		return true
	}
	return false
}
