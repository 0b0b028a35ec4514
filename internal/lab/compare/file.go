package compare

import (
	"fmt"

	"familiar/web/chart"
	"familiar/web/simulate/report"
)

// File returns the reports of all stories as the dashboard shows them.
func File(reports []Report) report.Report {
	f := report.Report{
		Kind: report.Compare, Title: fmt.Sprintf("%d stories, three memories", len(reports)),
		About: "The same stories, played to a mind that remembers nothing (stateless), to one that searches all that was ever said (flat), " +
			"and to the persona (full): what each has in front of it when somebody comes back.",
	}
	known := &chart.Bars{Title: "What is there when somebody comes back", Unit: "share of the facts", Most: 1, Parts: []string{Stateless, Flat, Full}}
	mistaken := &chart.Bars{Title: "What is there and should not be", Unit: "facts: stale, wrong, of somebody else", Parts: known.Parts}
	tokens := &chart.Bars{Title: "What it takes", Unit: "tokens of context", Parts: known.Parts}
	for _, r := range reports {
		known.Bars = append(known.Bars, r.bar(func(m *ModeReport) float64 { return m.Share }))
		mistaken.Bars = append(mistaken.Bars, r.bar(func(m *ModeReport) float64 { return float64(m.Stale + m.Wrong + m.Others) }))
		tokens.Bars = append(tokens.Bars, r.bar(func(m *ModeReport) float64 { return float64(m.Tokens) }))
		f.Tables = append(f.Tables, r.table())
	}
	f.Charts = []report.Chart{{Bars: known}, {Bars: mistaken}, {Bars: tokens}}
	for i, mode := range known.Parts {
		f.Summary = append(f.Summary, report.Figure{Name: mode, Value: total(reports, i)})
	}
	return f
}

// bar returns one value per mind.
func (r Report) bar(of func(*ModeReport) float64) chart.Bar {
	b := chart.Bar{Name: r.Scenario}
	for _, m := range r.Modes {
		b.Values = append(b.Values, of(m))
	}
	return b
}

// total says how one mind did in all stories.
func total(reports []Report, mode int) string {
	var present, facts, stale, wrong, foreign int
	for _, r := range reports {
		m := r.Modes[mode]
		present, facts, stale, wrong, foreign = present+m.Present, facts+m.Facts, stale+m.Stale, wrong+m.Wrong, foreign+m.Others
	}
	return fmt.Sprintf("%d of %d facts, %d stale, %d wrong, %d of somebody else", present, facts, stale, wrong, foreign)
}

// table shows what can be read of each fact under each mind.
func (r Report) table() report.Table {
	t := report.Table{Title: r.Scenario + ": " + r.Title, Head: append([]string{"fact"}, r.modes()...)}
	for i, fact := range r.Modes[0].Found {
		row := []string{fact.Fact}
		for _, m := range r.Modes {
			row = append(row, m.Found[i].String())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
