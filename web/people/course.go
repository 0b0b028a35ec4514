package people

import (
	"github.com/a-h/templ"

	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/web/chart"
)

// mostDays is how many points a chart has at most.
const mostDays = 400

// courseChart draws trust and bond over time, with the stages and milestones that were reached.
func courseChart(s portrayed) templ.Component {
	days := thinned(s.days, mostDays)
	trust, bond := chart.Series{Name: "Trust"}, chart.Series{Name: "Bond", Shape: chart.Area}
	for _, d := range days {
		trust.Points = append(trust.Points, chart.Point{At: d.LastSeen, Value: d.Trust})
		bond.Points = append(bond.Points, chart.Point{At: d.LastSeen, Value: mind.Bond(d)})
	}
	panel := chart.Panel{
		Title: "Trust and bond", Series: []chart.Series{bond, trust}, Range: chart.Range{Min: 0, Max: 1},
		Levels: []chart.Level{{Name: "friend", Value: mind.FriendFrom}, {Name: "close", Value: mind.CloseFrom}},
	}
	for _, m := range s.reached {
		panel.Marks = append(panel.Marks, chart.Mark{Name: milestone(m.Kind), At: m.At})
	}
	return chart.Timeline{
		Title: "The relationship over time",
		About: "Trust grows with what goes well. The bond is made of trust, messages, shared sessions and what was learned.", Panels: []chart.Panel{panel},
	}
}

// thinned returns at most n days, evenly spread, the last among them.
func thinned(days []model.Relationship, n int) []model.Relationship {
	if len(days) <= n {
		return days
	}
	kept := make([]model.Relationship, 0, n)
	for i := range n {
		kept = append(kept, days[i*(len(days)-1)/(n-1)])
	}
	return kept
}
