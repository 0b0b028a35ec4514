package simulate

import (
	"context"
	"time"

	"familiar/memory/entry"
	"familiar/memory/model"
)

// Report is the result of a simulated life. Two lives with the same seed have the same report.
type Report struct {
	Days   int    `json:"days"`
	People int    `json:"people"`
	Seed   uint64 `json:"seed"`
	// Messages is the number of messages received.
	Messages int `json:"messages"`
	// Probes counts the answers to questions whose answer the script knows. Exam counts those on the last evening,
	// which cover everything that was told.
	Probes Answers `json:"probes"`
	Exam   Answers `json:"exam"`
	// Topics and Months count the probes by topic and by month.
	Topics map[string]Answers `json:"topics"`
	Months map[string]Answers `json:"months"`
	// StaleAnswers and ForeignAnswers count facts given without a question about them. StaleBeliefs and ForeignScenes
	// count facts put before a voice, independently of its reply. All should be 0.
	StaleAnswers   int `json:"stale_answers"`
	ForeignAnswers int `json:"foreign_answers"`
	StaleBeliefs   int `json:"stale_beliefs"`
	ForeignScenes  int `json:"foreign_scenes"`
	// Greetings counts the greetings after an absence, Recalling those of them that could bring something up.
	Greetings int `json:"greetings"`
	Recalling int `json:"greetings_recalling"`
	// Made is the number of memories ever made, Forgotten the number of them that are deleted.
	Made      int64 `json:"memories_made"`
	Forgotten int64 `json:"memories_forgotten"`
	// Inferred counts the memories made by jobs, by kind.
	Inferred map[string]int `json:"inferred"`
	Unasked  Unasked        `json:"unasked"`
	Jobs     map[string]int `json:"job_runs"`
	Cost     Cost           `json:"cost"`
	Samples  []Sample       `json:"samples"`
	// Failures lists the answers that were not right.
	Failures []Failure `json:"failures"`
}

// Answers counts answers by verdict.
type Answers struct {
	Right   int `json:"right"`
	Unknown int `json:"unknown"`
	Wrong   int `json:"wrong"`
	Stale   int `json:"stale"`
	Foreign int `json:"foreign"`
}

func newAnswers(counts map[Verdict]int) Answers {
	return Answers{counts[Right], counts[Unknown], counts[Wrong], counts[Stale], counts[Foreign]}
}

// Total returns the number of answers.
func (a Answers) Total() int { return a.Right + a.Unknown + a.Wrong + a.Stale + a.Foreign }

// Unasked counts what the persona said unasked, per person and day in direct rooms.
type Unasked struct {
	Messages int `json:"messages"`
	// PerDay is the mean over all people and days, Most the maximum for one person on one day.
	PerDay float64 `json:"per_person_and_day"`
	Most   int     `json:"most"`
	// InQuiet is the number of messages sent in quiet hours.
	InQuiet int `json:"in_quiet_hours"`
}

// Cost estimates what the answers would cost with a model: the prompts compiled for every fiftieth answer, with the
// plain voice's words as the reply, extrapolated to all answers. It excludes the model calls of jobs.
type Cost struct {
	Calls     int     `json:"calls"`
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	PriceIn   float64 `json:"price_in"`
	PriceOut  float64 `json:"price_out"`
	Total     float64 `json:"total"`
}

// Failure is an answer that was not right, or content that a voice should not have been given.
type Failure struct {
	Verdict Verdict   `json:"verdict"`
	At      time.Time `json:"at"`
	Person  string    `json:"person"`
	About   string    `json:"about,omitempty"`
	Said    string    `json:"said"`
	Answer  string    `json:"answer"`
	// Now and Past are the current and the former values.
	Now  string   `json:"now,omitempty"`
	Past []string `json:"past,omitempty"`
}

// report assembles the report.
func (l *life) report(ctx context.Context) (Report, error) {
	t := &l.tally
	r := Report{
		Days: l.settings.Days, People: l.settings.People, Seed: l.settings.Seed, Messages: t.messages,
		Probes: newAnswers(t.probes), Exam: newAnswers(t.exam), Topics: map[string]Answers{}, Months: map[string]Answers{},
		StaleAnswers: t.staleAnswers, ForeignAnswers: t.foreignAnswers, StaleBeliefs: t.staleBeliefs, ForeignScenes: t.foreignScenes,
		Greetings: t.greetings, Recalling: t.recalling, Inferred: map[string]int{}, Jobs: l.jobRuns, Samples: l.samples,
		Failures: l.failures, Unasked: l.unaskedTotals(), Cost: l.cost(),
	}
	for about, counts := range t.topics {
		r.Topics[string(about)] = newAnswers(counts)
	}
	for month, counts := range t.months {
		r.Months[month] = newAnswers(counts)
	}
	return r, l.memories(ctx, &r)
}

func (l *life) cost() Cost {
	v, price := l.Parts.Voice, l.settings.Price
	c := Cost{Calls: v.spoken, PriceIn: price.In, PriceOut: price.Out}
	if counted := v.count.calls; counted > 0 {
		c.TokensIn, c.TokensOut = v.count.tokensIn*v.spoken/counted, v.count.tokensOut*v.spoken/counted
	}
	c.Total = round((float64(c.TokensIn)*price.In + float64(c.TokensOut)*price.Out) / 1e6)
	return c
}

func (l *life) unaskedTotals() Unasked {
	u := Unasked{Messages: l.tally.unaskedAll, InQuiet: l.tally.unaskedQuiet}
	alone := 0
	for _, days := range l.tally.unasked {
		for _, n := range days {
			alone += n
			u.Most = max(u.Most, n)
		}
	}
	u.PerDay = round(float64(alone) / float64(l.settings.People*l.settings.Days))
	return u
}

// memories counts the memories made, including those made by jobs, and those deleted since. Each id is assigned once,
// in ascending order.
func (l *life) memories(ctx context.Context, r *Report) error {
	var kept int64
	for page := (entry.MemoryFilter{Persona: l.Persona, Limit: 1000}); ; {
		found, err := l.Store.Entries.ListMemories(ctx, page)
		if err != nil {
			return err
		}
		for _, m := range found {
			r.Made = max(r.Made, m.ID)
			kept++
			if m.Origin == model.OriginJob {
				r.Inferred[kindName(m.Kind)]++
			}
		}
		if len(found) < page.Limit {
			break
		}
		page.Before = found[len(found)-1].ID
	}
	r.Forgotten = r.Made - kept
	return nil
}

// kindName returns the name of a kind of memory that a job made. A summary of similar memories has no kind of its own.
func kindName(k model.Kind) string {
	if k == "" {
		return "summed up"
	}
	return string(k)
}
