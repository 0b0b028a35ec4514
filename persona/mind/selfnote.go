package mind

import "slices"

// skillWords are the persona's words for its skills.
var skillWords = map[Skill]string{
	Remembering: "remembering what I was told", Answering: "answering questions", Listening: "listening closely",
	FollowingUp: "following up", Greeting: "welcoming people back", Comforting: "comforting", Encouraging: "encouraging",
	Mending: "mending what went wrong",
}

// trendWords are its words for their trends.
var trendWords = map[Trend]string{Improving: "I have become better at ", Declining: "I have become worse at "}

// SelfNotes returns what the persona may say about itself, one sentence each: what it got better or worse at, then its
// strengths and weaknesses. They are computed from the growth and stored nowhere.
func SelfNotes(g Grown) (notes []string) {
	for _, s := range Skills {
		if words := trendWords[g.Skills[s].Trend]; words != "" {
			notes = append(notes, words+skillWords[s]+".")
		}
	}
	for _, s := range Skills {
		f, known := g.Skills[s]
		switch {
		case !known || slices.Contains([]Trend{Improving, Declining}, f.Trend):
		case f.Strength():
			notes = append(notes, "I am good at "+skillWords[s]+".")
		case f.Weakness():
			notes = append(notes, "I am not yet good at "+skillWords[s]+".")
		}
	}
	return notes
}
