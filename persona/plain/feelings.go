package plain

import (
	"slices"
	"strings"

	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// concluded responds to the outcome of an open loop.
func (ac acknowledger) concluded() []string {
	var parts []string
	for _, line := range ac.scene.Incoming {
		closed := scene.AnsweredLoops(ac.scene.Loops, line, scene.AskedLately(ac.scene.Recent))
		for _, l := range ac.scene.Loops {
			if !slices.Contains(closed, l.ID) {
				continue
			}
			thing := ac.loopEvent(l)
			name := thing.words
			if thing.form == eventVerb {
				name = "that"
			}
			verdict := scene.VerdictOf(line.Text)
			if scene.CalledOff(line, l) {
				verdict = "off"
			}
			parts = append(parts, ac.put("outcome."+verdict, "thing", name))
		}
	}
	return parts
}

// mild are feelings that need no condolence.
var mild = words.Of("tired sleepy bored hungry thirsty cold hot restless lazy busy")

// felt responds to feelings with care.
func (ac acknowledger) felt() []string {
	for _, line := range ac.scene.Incoming {
		for _, c := range line.Parsed.Claims {
			if c.Kind != rel.Feeling || c.Subject != "" || len(ac.losses()) > 0 {
				continue
			}
			mood := scene.VerdictOf(c.Value)
			if mood == "neutral" {
				mood = scene.VerdictOf(line.Text)
			}
			switch {
			case c.Negates && scene.GoodNews.Has(strings.ToLower(c.Value)):
				mood = "down"
			case c.Negates:
				return []string{ac.put("react.good")} // "I'm not tired"
			case mild.Has(strings.ToLower(c.Value)):
				mood = "mild"
			case mood == "off":
				mood = "neutral"
			}
			ac.asked = ac.asked || mood != "good"
			return []string{ac.put("feels."+mood, "feeling", strings.ToLower(c.Value))}
		}
	}
	return nil
}
