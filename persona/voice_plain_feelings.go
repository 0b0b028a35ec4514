package persona

import (
	"slices"
	"strings"

	"familiar/memory/claim"
)

// concluded reacts to how something that was open went.
func (sp *speaking) concluded() []string {
	var parts []string
	for _, line := range sp.scene.Heard {
		closed := AnsweredLoops(sp.scene.Loops, line, askedLately(sp.scene.Recent))
		for _, l := range sp.scene.Loops {
			if !slices.Contains(closed, l.ID) {
				continue
			}
			thing := sp.loopEvent(l)
			name := thing.words
			if thing.form == eventVerb {
				name = "that"
			}
			verdict := verdictOf(line.Text)
			if fellAway(line, l) {
				verdict = "off"
			}
			parts = append(parts, sp.put("outcome."+verdict, "thing", name))
		}
	}
	return parts
}

// mild are feelings that ask for no condolence.
var mild = words("tired sleepy bored hungry thirsty cold hot restless lazy busy")

// felt answers feelings with care.
func (sp *speaking) felt() []string {
	for _, line := range sp.scene.Heard {
		for _, c := range line.Reading.Claims {
			if c.Kind != claim.Feeling || c.Subject != "" || len(sp.losses()) > 0 {
				continue
			}
			mood := verdictOf(c.Value)
			if mood == "neutral" {
				mood = verdictOf(line.Text)
			}
			switch {
			case c.Negates && goodNews.has(strings.ToLower(c.Value)):
				mood = "down"
			case c.Negates:
				return []string{sp.put("react.good")} // "I'm not tired"
			case mild.has(strings.ToLower(c.Value)):
				mood = "mild"
			case mood == "off":
				mood = "neutral"
			}
			sp.asked = sp.asked || mood != "good"
			return []string{sp.put("feels."+mood, "feeling", strings.ToLower(c.Value))}
		}
	}
	return nil
}
