package simulate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Figure is one line of the summary of a life.
type Figure struct {
	Figure string `json:"figure"`
	Value  string `json:"value"`
}

// Summary returns the report in a few lines.
func (r Report) Summary() []Figure {
	lines := []Figure{
		{"messages", fmt.Sprintf("%d in %d days from %d people", r.Messages, r.Days, r.People)},
		{"asked on the way", r.Probes.String()},
		{"asked on the last evening", r.Exam.String()},
		{"stale facts", fmt.Sprintf("%d answered, %d volunteered, %d put before the voice", r.Probes.Stale, r.StaleAnswers, r.StaleBeliefs)},
		{"foreign facts", fmt.Sprintf("%d answered, %d volunteered, %d put before the voice", r.Probes.Foreign, r.ForeignAnswers, r.ForeignScenes)},
		{"greetings after an absence", fmt.Sprintf("%d, %d with something to bring up", r.Greetings, r.Recalling)},
		{"memories", fmt.Sprintf("%d made, %d forgotten for good", r.Made, r.Forgotten)},
	}
	if n := len(r.Samples); n > 0 {
		first, last := r.Samples[0], r.Samples[n-1]
		lines = append(lines,
			Figure{"tiers at the end", counted(last.Tiers)},
			Figure{"sectors at the end", counted(last.Sectors)},
			Figure{"database", fmt.Sprintf("%.1f MB after a week, %.1f MB at the end", megabytes(first.Bytes), megabytes(last.Bytes))},
			Figure{"trust and bond at the end, mean", standings(last)},
		)
	}
	return append(lines,
		Figure{"made by jobs", counted(r.Inferred)},
		Figure{"said unasked", fmt.Sprintf("%d, %.3f per person and day, at most %d, %d in quiet hours",
			r.Unasked.Messages, r.Unasked.PerDay, r.Unasked.Most, r.Unasked.InQuiet)},
		Figure{"runs of jobs", counted(r.Jobs)},
		Figure{"a model would have cost", fmt.Sprintf("%.2f, for %d tokens read and %d written (estimated) at %g and %g per million",
			r.Cost.Total, r.Cost.TokensIn, r.Cost.TokensOut, r.Cost.PriceIn, r.Cost.PriceOut)},
	)
}

// String returns the number of answers by verdict.
func (a Answers) String() string {
	return fmt.Sprintf("%d: %d right, %d unknown, %d wrong, %d stale, %d foreign", a.Total(), a.Right, a.Unknown, a.Wrong, a.Stale, a.Foreign)
}

// Served returns how many stale and foreign facts reached a person or the voice.
func (r Report) Served() (stale, foreign int) {
	return r.Probes.Stale + r.StaleAnswers + r.StaleBeliefs, r.Probes.Foreign + r.ForeignAnswers + r.ForeignScenes
}

func megabytes(n int64) float64 { return float64(n) / (1 << 20) }

func standings(s Sample) string {
	if len(s.People) == 0 {
		return ""
	}
	trust, _ := mean(func(st Standing) float64 { return st.Trust })(s)
	bond, _ := mean(func(st Standing) float64 { return st.Bond })(s)
	stages := map[string]int{}
	for _, st := range s.People {
		stages[st.Stage]++
	}
	return fmt.Sprintf("%.2f and %.2f; %s", trust, bond, counted(stages))
}

// counted lists counts with their names, in order.
func counted(counts map[string]int) string {
	var parts []string
	for _, name := range sortedKeys(counts) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
