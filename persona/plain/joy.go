package plain

import (
	"slices"

	"familiar/internal/lazyregexp"
	"familiar/persona/words"
)

// joyful are news that call for congratulations.
var joyful = lazyregexp.New(`(?i)\b(?:(?:got|am|'m|are|'re|is|just|both)\s+(?:just\s+)?engaged\b|(?:got|just|are|we're|i'm|getting)\s+married\b|` +
	`expecting\s+(?:(?:a|an|our|my|their|her|his)\s+)?(?:\w+\s+)?(?:baby|child|twins)|(?:had|having)\s+(?:a|our|my)\s+(?:baby|son|daughter)|` +
	`(?:'m|am|is|she's)\s+pregnant|gave\s+birth|(?:got|was|been)\s+(?:promoted|a\s+promotion|the\s+promotion|hired|accepted)|got\s+the\s+(?:job|part|place|scholarship)|` +
	`bought\s+(?:a|our|my)\s+(?:\w+\s+)?(?:house|home|flat|apartment)|(?:just\s+)?graduated\b|(?:became|become)\s+(?:a\s+)?(?:father|mother|dad|mum|mom|grandmother|grandfather|uncle|aunt|parents))`)

// unjoyful retract such news or only wonder about them.
var unjoyful = words.Of("not never n't don't didn't isn't wasn't aren't hasn't if wish hope hoping used when before almost nearly maybe")

// congratulated congratulates once on news that call for it.
func (ac acknowledger) congratulated() []string {
	for _, line := range ac.scene.Incoming {
		for _, s := range words.Sentences(words.Head(line.Text)) {
			if line.Parsed.Question != nil || line.Parsed.Corrects || !joyful.MatchString(words.PlainApostrophe(s)) ||
				len(ac.losses()) > 0 || slices.ContainsFunc(words.Tokens(s), unjoyful.Has) {
				continue
			}
			return []string{ac.put("joy")}
		}
	}
	return nil
}
