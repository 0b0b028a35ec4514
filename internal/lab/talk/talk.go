// Package talk plays probes: something is told to the persona in everyday words, then asked for in other words. Each
// answer is scored by regular expressions, and a report gives the rates per kind of probe.
package talk

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/recall"
	"familiar/persona"
	"familiar/persona/card"
)

// Home is an open home with everything that serves it.
type Home struct {
	Card     *card.Card
	Store    *memory.Store
	Settings persona.Settings
	// Engine returns a new engine that serves a channel.
	Engine func(channels.Channel) *persona.Engine
	// RunJob runs a job now. A job that needs what is not configured does nothing.
	RunJob func(ctx context.Context, name string) error
	// Embed computes missing vectors, EmbedQuery the vector of a question. Without an embedder Embed does nothing and
	// EmbedQuery is nil.
	Embed      func(ctx context.Context) error
	EmbedQuery func(ctx context.Context, text string) *recall.QueryEmbedding
}

// Parts are what probes are played with.
type Parts struct {
	// Open opens a new home in a directory. The caller closes its store.
	Open func(ctx context.Context, dir string, now func() time.Time) (Home, error)
	// Now is when the questions are asked.
	Now time.Time
	// Days is how many days before the questions everything is told, except by probes with times of their own. With 0,
	// it is told right before.
	Days int
	// Recall also measures how often the told line is recalled.
	Recall bool
}

// Run plays the probes, each in a home of its own, and returns a report.
func Run(ctx context.Context, parts Parts, probes []Probe) (Report, error) {
	played := make([][]Answer, len(probes))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range probes {
		g.Go(func() (err error) {
			if played[i], err = play(ctx, parts, p); err != nil {
				err = fmt.Errorf("play probe %s: %w", p.ID, err)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return Report{}, err
	}
	return report(parts, played), nil
}

// Figure is a share of the questions.
type Figure struct {
	Count int `json:"count"`
	// Of is the number of questions that could count.
	Of int `json:"of"`
	// Share is Count by Of, 0–1, rounded to three digits. It is 0 if Of is 0.
	Share float64 `json:"share"`
}

func newFigure(count, of int) Figure {
	f := Figure{Count: count, Of: of}
	if of > 0 {
		f.Share = math.Round(1000*float64(count)/float64(of)) / 1000
	}
	return f
}

// Row holds the scores of one kind of probe.
type Row struct {
	Kind      string           `json:"kind"`
	Questions int              `json:"questions"`
	Scores    map[Score]Figure `json:"scores"`
	// Right is how many are direct or quote, Bad how many are wrong or nonsense.
	Right Figure `json:"right"`
	Bad   Figure `json:"bad"`
	// Honest is how many of the unanswerable questions are direct.
	Honest Figure `json:"honest"`
	// Recalled is how often the told line is among the first three memories recalled, of the questions that a single
	// told line answers. It is nil unless it was measured.
	Recalled *Figure `json:"recalled,omitempty"`
}

// Report holds the rates of all probes.
type Report struct {
	Probes int `json:"probes"`
	Days   int `json:"days"`
	// Kinds are in the order of their first probe.
	Kinds []Row `json:"kinds"`
	All   Row   `json:"all"`

	// Answers are all answers, in the order of the probes.
	Answers []Answer `json:"-"`
}

// report counts the answers to each probe.
func report(parts Parts, played [][]Answer) Report {
	r := Report{Probes: len(played), Days: parts.Days}
	var kinds []string
	by := map[string][]Answer{}
	for _, answers := range played {
		for _, a := range answers {
			if by[a.Kind] == nil {
				kinds = append(kinds, a.Kind)
			}
			by[a.Kind] = append(by[a.Kind], a)
			r.Answers = append(r.Answers, a)
		}
	}
	for _, kind := range kinds {
		r.Kinds = append(r.Kinds, newRow(kind, by[kind], parts.Recall))
	}
	r.All = newRow("all", r.Answers, parts.Recall)
	return r
}

func newRow(kind string, answers []Answer, recall bool) Row {
	n := map[Score]int{}
	var unanswerable, honest, evident, recalled int
	for _, a := range answers {
		n[a.Score]++
		if a.unanswerable {
			unanswerable++
			if a.Score == Direct {
				honest++
			}
		}
		if a.Recalled != nil {
			evident++
			if *a.Recalled {
				recalled++
			}
		}
	}
	r := Row{Kind: kind, Questions: len(answers), Scores: map[Score]Figure{}}
	for _, s := range Scores {
		r.Scores[s] = newFigure(n[s], len(answers))
	}
	r.Right, r.Bad = newFigure(n[Direct]+n[Quote], len(answers)), newFigure(n[Wrong]+n[Nonsense], len(answers))
	r.Honest = newFigure(honest, unanswerable)
	if recall {
		f := newFigure(recalled, evident)
		r.Recalled = &f
	}
	return r
}
