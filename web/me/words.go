package me

import (
	"slices"

	"familiar/memory/model"
)

// toldBy returns who told a fact, none if the person told it themselves.
func toldBy(b model.Belief, person int64) (others []string) {
	for _, e := range b.Evidence {
		switch {
		case e.Stance <= 0:
		case e.AuthorID == person:
			return nil
		case !slices.Contains(others, e.Author):
			others = append(others, e.Author)
		}
	}
	return others
}

// described names what describes the field of a correction.
func described(c change) string {
	if c.problem != "" {
		return "text-hint text-problem"
	}
	return "text-hint"
}
