package persona

import (
	"slices"
	"strings"

	"familiar/internal/lazyregexp"
	"familiar/memory"
	"familiar/memory/understand"
	"familiar/persona/mind"
)

// asksGoals asks what somebody is after, matched on the words alone.
var asksGoals = lazyregexp.New(`\bwhat(?:'s| is| are| were)? my (?:\w+ )?(?:goals?|ambitions?|resolutions?|aims?)\b|\bwhich goals do i have\b|` +
	`\bwhat (?:am i|i am|i'm|have i been|i've been) working (?:on|towards?)\b|\bwhat do i want to (?:achieve|reach)\b|\bwhat am i after$`)

// goalsNamed bounds how many goals are named at once.
const goalsNamed = 4

// toldGoals answers what the person is after, "" when nothing of the kind was asked or told.
func (sp *speaking) toldGoals(said string) string {
	if !asksGoals.MatchString(said) {
		return ""
	}
	var active, stale []string
	for _, g := range sp.scene.Goals {
		if goalOf(g).Stale(sp.scene.Now) {
			stale = append(stale, turned(g.Text))
		} else {
			active = append(active, turned(g.Text))
		}
	}
	active = append(active, sp.goalsInTalk()...)
	switch {
	case len(active) > 0:
		return sp.put("goals.are", "goals", listed(active[:min(len(active), goalsNamed)]))
	case len(stale) > 0:
		return sp.put("goals.were", "goals", listed(stale[:min(len(stale), goalsNamed)]))
	}
	return ""
}

// goalsInTalk are the goals the person told in the running talk and that are not noted yet.
func (sp *speaking) goalsInTalk() (goals []string) {
	for _, line := range sp.scene.Recent {
		own := !line.Self && (sp.scene.Direct || line.PersonID != 0 && line.PersonID == sp.scene.Person.ID)
		if !own {
			continue
		}
		for _, g := range understand.Analyze(understand.Utterance{Text: line.Text, At: line.At}).Goals {
			known := slices.ContainsFunc(sp.scene.Goals, func(k memory.Followed) bool { return mind.SameGoal(k.Text, g.Text) }) ||
				slices.Contains(goals, turned(g.Text))
			if !known {
				goals = append(goals, turned(g.Text))
				sp.useLine(found{line: snippet(line)})
			}
		}
	}
	return goals
}

// askAfterGoal asks after one of the person's goals, "" when none is worth it.
func (sp *speaking) askAfterGoal() string {
	g, ok := GoalToAskAfter(sp.scene.Goals, sp.scene.Now)
	if !ok || sp.asked || sp.saidSomething() {
		return ""
	}
	sp.asked = true
	return sp.put("goals.ask", "goal", turned(g.Text))
}

// wonder asks what the persona would like to know, at the end of an answer that asks nothing else.
func (sp *speaking) wonder(said []string) []string {
	w := sp.scene.Wonder
	if w == nil || sp.asked || slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "?") }) {
		return said
	}
	sp.asked = true
	return append(said, sp.put("wonder", "term", w.Text))
}
