package plain

import (
	"slices"

	"familiar/internal/lazyregexp"
	"familiar/memory/belief"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// asksGoals asks for someone's goals, matched on the words alone.
var asksGoals = lazyregexp.New(`\bwhat(?:'s| is| are| were)? my (?:\w+ )?(?:goals?|ambitions?|resolutions?|aims?)\b|\bwhich goals do i have\b|` +
	`\bwhat (?:am i|i am|i'm|have i been|i've been) working (?:on|towards?)\b|\bwhat do i want to (?:achieve|reach)\b|\bwhat am i after$`)

// goalsNamed bounds how many goals are named at once.
const goalsNamed = 4

// toldGoals answers what the person's goals are, "" if that was not asked or none is known.
func (an answerer) toldGoals(said string) string {
	if !asksGoals.MatchString(said) {
		return ""
	}
	var active, stale []string
	for _, g := range an.scene.Goals {
		if scene.GoalOf(g).Stale(an.scene.Now) {
			stale = append(stale, turned(g.Text))
		} else {
			active = append(active, turned(g.Text))
		}
	}
	active = append(active, an.goalsInTalk()...)
	switch {
	case len(active) > 0:
		return an.put("goals.are", "goals", words.Listed(active[:min(len(active), goalsNamed)]))
	case len(stale) > 0:
		return an.put("goals.were", "goals", words.Listed(stale[:min(len(stale), goalsNamed)]))
	}
	return ""
}

// goalsInTalk returns goals stated in the running session that are not recorded yet.
func (an answerer) goalsInTalk() (goals []string) {
	for _, line := range an.scene.Recent {
		own := !line.Self && (an.scene.Direct || line.PersonID != 0 && line.PersonID == an.scene.Person.ID)
		if !own {
			continue
		}
		for _, g := range line.Analysis().Goals {
			known := slices.ContainsFunc(an.scene.Goals, func(k belief.TrackedLoop) bool { return mind.SameGoal(k.Text, g.Text) }) ||
				slices.Contains(goals, turned(g.Text))
			if !known {
				goals = append(goals, turned(g.Text))
				an.useLine(found{line: snippet(line)})
			}
		}
	}
	return goals
}
