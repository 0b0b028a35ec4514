package mind

import "slices"

// skillWords are what the persona calls its skills.
var skillWords = map[Skill]string{
	Remembering: "remembering what I was told", Answering: "answering questions", Listening: "listening closely",
	FollowingUp: "following up", Greeting: "welcoming people back", Comforting: "comforting", Encouraging: "encouraging",
	Mending: "mending what went wrong",
}

// trendWords are how it speaks of them, by where they are going.
var trendWords = map[Trend]string{Improving: "I have become better at ", Declining: "I have become worse at "}

// SelfNotes returns what the persona may say of itself, a sentence each: of what it got better or worse at, then of its
// strengths and weaknesses. They are made of the layer's figures each time, and kept nowhere.
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
