package scene

import (
	"slices"

	"familiar/internal/lazyregexp"
	"familiar/persona/words"
)

// InNeed returns the fixed reply to someone who speaks of ending their life. It precedes and replaces everything else,
// in the same plain words whatever the persona's manner.
func (s Scene) InNeed() string {
	for _, line := range OwnLines(s) {
		if needPattern.MatchString(words.Head(line.Text)) {
			return needWords
		}
	}
	return ""
}

var needPattern = lazyregexp.New(`(?i)\b(?:(?:kill|hang|shoot|cut|hurt|harm)(?:ing)?\s+my\s?self|(?:end|ending|take|taking)\s+my\s+(?:own\s+)?life|` +
	`(?:commit|attempt|considering|thinking\s+(?:of|about))\s+suicide|i(?:['’]?m|\s+am)\s+suicidal|(?:want|wanna|going|ready)\s+(?:to\s+)?die\b|` +
	`don['’]?t\s+want\s+to\s+(?:live|be\s+alive)|better\s+off\s+dead)`)

const needWords = "I'm really glad you told me, and I'm sorry it hurts this much. You don't have to carry this alone: please call your " +
	"local emergency number or a crisis line now, or reach somebody you trust who can be with you. If you are in danger this moment, " +
	"please call for help first. I'm here to listen."

// OwnLines returns the lines of the person being answered. In a group others may have spoken in between.
func OwnLines(s Scene) []Line {
	if s.Direct {
		return s.Incoming
	}
	own := slices.DeleteFunc(slices.Clone(s.Incoming), func(l Line) bool {
		return l.PersonID != s.Person.ID && (l.PersonID != 0 || l.Name != s.Person.Name)
	})
	if len(own) == 0 {
		return s.Incoming // the lines carry another name than the record
	}
	return own
}
