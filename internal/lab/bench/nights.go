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
	// FillS is how long making the store took, DBMB its size.
	FillS float64 `json:"fill_s"`
	DBMB  float64 `json:"db_mb"`
	// Night is a night after a day on which everybody talked, Idle the one after it, on whose day nobody did; the seconds are
	// those of all jobs, TargetS how many they may be on two cores in the town of DefaultPeople.
	Night   []NightRun `json:"night"`
	NightS  float64    `json:"night_s"`
	TargetS float64    `json:"target_s"`
	Idle    []NightRun `json:"idle"`
	IdleS   float64    `json:"idle_s"`
}

// The town a night is to be over in nightTarget: so many people with so many memories each.
const (
	DefaultPeople   = 1000
	DefaultMemories = 1000
	nightTarget     = 30 * time.Second
)

// NightRun is how one job went.
type NightRun struct {
	Job     string  `json:"job"`
	Seconds float64 `json:"seconds"`
	Result  string  `json:"result"`
}

// NightJob is one job, as the scheduler runs it.
type NightJob struct {
	Name string
	Run  func(ctx context.Context, run int64, now time.Time) (string, error)
}

// NightParts say what a night is measured of.
type NightParts struct {
	// Persona is the key of whose memories they are.
	Persona string
	// People is how many there are, Memories how many memories each of them has.
	People, Memories int
	// Jobs are the nightly jobs on a store whose clock stands at now, in their order.
	Jobs func(store *memory.Store, now func() time.Time) []NightJob
}

// Nights measures the jobs of a night on a store of its own: many people, each with as many memories, the last ten of the
// day before. All jobs have dealt with what is older, each in a process that was just started and so knows nothing of it.
func Nights(ctx context.Context, parts NightParts) (r NightsReport, err error) {
	dir, err := os.MkdirTemp("", "familiar-bench-")
	if err != nil {
		return r, fmt.Errorf("make a directory for the benchmark: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what a benchmark leaves behind is in the system's own place for it
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

// lastNight is the night the store is made for.
var lastNight = time.Date(2026, time.June, 2, 3, 0, 0, 0, time.UTC)

// night runs every job once, as a process does that was just started.
func night(ctx context.Context, path string, parts NightParts, at time.Time) (runs []NightRun, total float64, err error) {
	now := func() time.Time { return at }
	store, err := memory.Open(ctx, path, memory.Options{Now: now})
	if err != nil {
		return nil, 0, err
	}
	defer store.Close() //nolint:errcheck // the store is thrown away
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
