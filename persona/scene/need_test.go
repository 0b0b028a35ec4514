package scene

import (
	"testing"
	"time"
)

func TestWhoSpeaksOfEndingTheirLifeIsHeard(t *testing.T) {
	for said, want := range map[string]bool{
		"i think about killing myself":                   true,
		"Honestly I want to die":                         true,
		"they'd all be better off without me":            true,
		"I don’t want to live any more":                  true,
		"ich will nicht mehr leben":                      true,
		"manchmal denke ich, ich sollte mich umbringen":  true,
		"no quiero vivir así":                            true,
		"a veces quiero morirme":                         true,
		"je veux mourir":                                 true,
		"j'ai plus envie de vivre":                       true,
		"i want to die lol":                              true,
		"I cut myself with a knife again":                true,
		"last night I thought about hurting myself":      true,
		"I'm going to die and nobody cares":              true,
		"hurt myself at the gym":                         false,
		"I cut myself shaving":                           false,
		"cut myself a slice of cake":                     false,
		"i want to die laughing":                         false,
		"I don't want to die":                            false,
		"my plant wants to die on me":                    false,
		"no quiero morir sin ver Roma":                   false,
		"ich will nicht sterben":                         false,
		"j'ai envie de vivre au bord de la mer":          false,
		"the film is about a man who kills himself":      false,
		"we lived in Leeds until the factory was closed": false,
	} {
		s := Scene{Direct: true, Incoming: []Line{{Text: said}}}
		if got := s.InNeed() != ""; got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}

func TestCareLasts(t *testing.T) {
	now := time.Date(2026, 5, 20, 15, 0, 0, 0, time.UTC)
	s := Scene{Now: now}
	source := func(text string, days int, own bool) []Source {
		x := Source{Own: own}
		x.Text, x.At = text, now.AddDate(0, 0, -days)
		return []Source{x}
	}
	for name, tt := range map[string]struct {
		sources []Source
		want    bool
	}{
		"just now":          {source("i want to die", 0, true), true},
		"two days ago":      {source("i want to die", 2, true), true},
		"a month ago":       {source("i want to die", 30, true), false},
		"somebody else did": {source("i want to die", 0, false), false},
		"nothing of it":     {source("i want tea", 0, true), false},
	} {
		if got := s.NeedsCare(tt.sources); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
