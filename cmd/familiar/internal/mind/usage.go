package mind

import "familiar/memory/turns"

// usedModel is what the calls of one model used for an answer.
type usedModel struct {
	Model string `json:"model"`
	// Job is what they were for: talk, or the name of a job.
	Job      string `json:"job"`
	Requests int    `json:"requests"`
	In       int    `json:"tokens_in"`
	Out      int    `json:"tokens_out"`
	// Cached is how many of In the provider read from its cache.
	Cached int `json:"cached,omitempty"`
	// Dollars is left out if no price was known.
	Dollars float64 `json:"dollars,omitempty"`
	TookMS  int64   `json:"took_ms,omitempty"`

	words string
}

// String words it for the table.
func (u usedModel) String() string { return u.words }

func usedModels(all []turns.Usage) (rows []usedModel) {
	for _, u := range all {
		rows = append(rows, usedModel{
			Model: u.Model, Job: u.Job, Requests: u.Requests, In: u.In, Out: u.Out, Cached: u.CacheRead, Dollars: u.Cost.Dollars(),
			TookMS: u.Took.Milliseconds(), words: u.String(),
		})
	}
	return rows
}
