package prompts

import (
	"slices"
	"strings"
)

// maxStops is how many stop texts every provider takes.
const maxStops = 4

// speakers returns the people who speak in the talk, the latest first, as entries name them, each with their first name.
func (in ReplyInput) speakers() (names []string) {
	add := func(name string) {
		if strings.TrimSpace(name) == "" {
			return
		}
		name = speaker(name, in.Card.Name)
		first, _, _ := strings.Cut(name, " ")
		for _, n := range []string{name, first} {
			if !slices.Contains(names, n) && !isSelf(n, in.Card.Name) {
				names = append(names, n)
			}
		}
	}
	for _, entries := range [][]Entry{in.ToAnswer, in.Recent} {
		for _, e := range slices.Backward(entries) {
			if !e.Self && !e.Note {
				add(e.Name)
			}
		}
	}
	add(in.Person.Address)
	add(in.Person.Name)
	return names
}

// isSelf reports whether a name is the persona's, in full or the first.
func isSelf(name, self string) bool {
	first, _, _ := strings.Cut(self, " ")
	return strings.EqualFold(name, self) || strings.EqualFold(name, first)
}

// stops returns the texts at which a model begins to speak for others.
func stops(speakers []string) (texts []string) {
	for _, name := range speakers[:min(maxStops, len(speakers))] {
		texts = append(texts, "\n"+name+":")
	}
	return texts
}
