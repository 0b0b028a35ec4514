package simulate

import (
	"familiar/web/chart"
	"familiar/web/simulate/report"
)

// mostFailures is how many answers that were not right a file lists.
const mostFailures = 500

// File returns the report as the dashboard shows it.
func (r Report) File() report.Report {
	life := r.timeline()
	f := report.Report{
		Kind: report.Simulate, Title: "A simulated life: " + life.Title,
		About:  "People generated from a seed talked with the persona; everything except the clock was real.",
		Charts: []report.Chart{{Timeline: &life}, {Bars: r.topics()}},
	}
	for _, line := range r.Summary() {
		f.Summary = append(f.Summary, report.Figure{Name: line.Figure, Value: line.Value})
	}
	if len(r.Failures) > 0 {
		f.Tables = append(f.Tables, r.failures())
	}
	return f
}

// topics shows the answers by topic.
func (r Report) topics() *chart.Bars {
	b := &chart.Bars{Title: "Answers by topic", Unit: "answers", Stacked: true, Parts: []string{"right", "unknown", "wrong", "stale", "foreign"}}
	for _, topic := range sortedKeys(r.Topics) {
		a := r.Topics[topic]
		if topic == "" {
			topic = "anything else"
		}
		b.Bars = append(b.Bars, chart.Bar{Name: topic, Values: chart.Values{
			float64(a.Right), float64(a.Unknown), float64(a.Wrong), float64(a.Stale), float64(a.Foreign),
		}})
	}
	return b
}

// failures lists the answers that were not right.
func (r Report) failures() report.Table {
	t := report.Table{Title: "Answers that were not right", Head: []string{"when", "verdict", "person", "said", "answer", "right would be"}}
	for _, f := range r.Failures[:min(len(r.Failures), mostFailures)] {
		t.Rows = append(t.Rows, []string{f.At.Format("2006-01-02 15:04"), string(f.Verdict), f.Person, f.Said, f.Answer, f.Now})
	}
	return t
}
