package bench

import (
	"maps"
	"slices"

	"familiar/web/chart"
	"familiar/web/simulate/report"
)

// File returns the results as the dashboard shows them.
func (r Results) File() report.Report {
	f := report.Report{Kind: report.Bench, Title: "Benchmarks", About: "Measured on one machine, through the public interfaces and in temporary databases."}
	table := report.Table{Title: "All figures", Head: []string{"figure", "ours", "FTS5", "other systems"}}
	for _, g := range r.Figures() {
		f.Summary = append(f.Summary, report.Figure{Name: g.Figure, Value: g.Ours})
		table.Rows = append(table.Rows, []string{g.Figure, g.Ours, g.FTS5, g.Field})
	}
	f.Tables = []report.Table{table}
	for _, b := range []*chart.Bars{r.recallBars(), r.corpusBars(), r.scaleBars()} {
		if b != nil {
			f.Charts = append(f.Charts, report.Chart{Bars: b})
		}
	}
	return f
}

// recallBars compares recall with the baseline of the same run, nil without conversations.
func (r Results) recallBars() *chart.Bars {
	if r.Recall == nil {
		return nil
	}
	b := &chart.Bars{Title: "Recall", Unit: "share of the evidence", Most: 1, Parts: []string{"ours"}}
	scores := []RecallScore{r.Recall.Overall}
	if r.Baseline != nil {
		b.Parts, scores = append(b.Parts, "FTS5"), append(scores, r.Baseline.RecallScore)
	}
	for _, row := range []struct {
		name string
		of   func(RecallScore) float64
	}{
		{"recall@5", func(s RecallScore) float64 { return s.RecallAt5 }},
		{"recall@10", func(s RecallScore) float64 { return s.RecallAt10 }},
		{"recall@20", func(s RecallScore) float64 { return s.RecallAt20 }},
		{"mean reciprocal rank", func(s RecallScore) float64 { return s.MRR }},
		{"in 1,000 tokens", func(s RecallScore) float64 { return s.ContextRecall1000 }},
	} {
		bar := chart.Bar{Name: row.name}
		for _, s := range scores {
			bar.Values = append(bar.Values, row.of(s))
		}
		b.Bars = append(b.Bars, bar)
	}
	return b
}

// corpusBars shows recall by file, nil without conversations.
func (r Results) corpusBars() *chart.Bars {
	if r.Recall == nil {
		return nil
	}
	b := &chart.Bars{Title: "Recall@10 by conversation", Unit: "share of the evidence", Most: 1}
	for _, name := range slices.Sorted(maps.Keys(r.Recall.Files)) {
		b.Bars = append(b.Bars, chart.Bar{Name: name, Values: chart.Values{r.Recall.Files[name].RecallAt10}})
	}
	return b
}

// scaleBars shows how long recall takes as the store grows.
func (r Results) scaleBars() *chart.Bars {
	b := &chart.Bars{Title: "Recall as the store grows", Unit: "ms", Parts: []string{"p50", "p99"}}
	for _, s := range r.Scale.Sizes {
		b.Bars = append(b.Bars, chart.Bar{Name: chart.Number(float64(s.Memories)) + " memories", Values: chart.Values{s.WarmMS.P50, s.WarmMS.P99}})
	}
	return b
}
