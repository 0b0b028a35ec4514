package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"familiar/memory"
	"familiar/memory/jobrun"
)

// NightsReport is what `bench nights` prints.
type NightsReport struct {
	People   int `json:"people"`
	Memories int `json:"memories"`
	// FillS is the time it took to make the store, DBMB the store's size.
	FillS float64 `json:"fill_s"`
	DBMB  float64 `json:"db_mb"`
	// Night is the run after a day on which everybody talked. Idle is the run one night later, after a day on which
	// nobody did. The seconds add up all jobs. TargetS is their limit on two cores in the town of DefaultPeople.
	Night   []NightRun `json:"night"`
	NightS  float64    `json:"night_s"`
	TargetS float64    `json:"target_s"`
	Idle    []NightRun `json:"idle"`
	IdleS   float64    `json:"idle_s"`
}

// The town whose night must finish within nightTarget: the number of people and of memories per person.
const (
	DefaultPeople   = 1000
	DefaultMemories = 1000
	nightTarget     = 30 * time.Second
)

// NightRun is the result of one job.
type NightRun struct {
	Job     string  `json:"job"`
	Seconds float64 `json:"seconds"`
	Result  string  `json:"result"`
}

// NightJob is one job, run as the scheduler runs it.
type NightJob struct {
	Name string
	Run  func(ctx context.Context, run int64, now time.Time) (string, error)
}

// NightParts configures the night that is measured.
type NightParts struct {
	// Persona is the key of the persona that owns the memories.
	Persona string
	// People is the number of people, Memories the number of memories per person.
	People, Memories int
	// Jobs returns the nightly jobs in order, for a store whose clock shows now.
	Jobs func(store *memory.Store, now func() time.Time) []NightJob
}

// Nights measures the jobs of a night on its own store: many people with the same number of memories each, of which the
// last ten are from the day before. The jobs have already processed all older memories. Each job runs as in a newly
// started process, so nothing is cached.
func Nights(ctx context.Context, parts NightParts) (r NightsReport, err error) {
	dir, err := os.MkdirTemp("", "familiar-bench-")
	if err != nil {
		return r, fmt.Errorf("make a directory for the benchmark: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans its temporary directory
	path := filepath.Join(dir, "familiar.db")
	r = NightsReport{People: parts.People, Memories: parts.Memories, TargetS: nightTarget.Seconds()}

	started := time.Now()
	if err := fillNights(ctx, path, parts); err != nil {
		return r, fmt.Errorf("bench nights: make %d people with %d memories each: %w", parts.People, parts.Memories, err)
	}
	r.FillS = time.Since(started).Seconds()
	if r.DBMB, err = filesMB(path + "*"); err != nil {
		return r, err
	}
	if r.Night, r.NightS, err = night(ctx, path, parts, lastNight); err != nil {
		return r, err
	}
	r.Idle, r.IdleS, err = night(ctx, path, parts, lastNight.AddDate(0, 0, 1))
	return r, err
}

// lastNight is the night for which the store is made.
var lastNight = time.Date(2026, time.June, 2, 3, 0, 0, 0, time.UTC)

// night runs every job once, as a newly started process would.
func night(ctx context.Context, path string, parts NightParts, at time.Time) (runs []NightRun, total float64, err error) {
	now := func() time.Time { return at }
	store, err := memory.Open(ctx, path, memory.Options{Now: now})
	if err != nil {
		return nil, 0, err
	}
	defer store.Close() //nolint:errcheck // the store is temporary
	for _, job := range parts.Jobs(store, now) {
		run, err := store.Jobs.BeginRun(ctx, parts.Persona, job.Name, at)
		if err != nil {
			return nil, 0, err
		}
		started := time.Now()
		result, err := job.Run(ctx, run, at)
		if err != nil {
			return nil, 0, fmt.Errorf("bench nights: %s: %w", job.Name, err)
		}
		seconds := time.Since(started).Seconds()
		if err := store.Jobs.FinishRun(ctx, run, jobrun.StatusOK, result); err != nil {
			return nil, 0, err
		}
		total += seconds
		runs = append(runs, NightRun{job.Name, seconds, result})
	}
	return runs, total, nil
}
