package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"familiar/cmd/familiar/internal/jobs"
	"familiar/cmd/familiar/internal/queues"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/internal/machine"
	"familiar/memory"
	"familiar/memory/jobrun"
	"familiar/persona/words"
	"familiar/scheduler"
)

// onStore runs a check of the store. It finds nothing without a database, or with one that cannot be opened, which
// checkMemory reports.
func onStore(ctx context.Context, inv *cli.Invocation, look func(cfg *config.Config, store *memory.Store) error) error {
	opened := false
	err := inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		opened = true
		return look(cfg, store)
	})
	if !opened {
		return nil
	}
	return err
}

// checkTables reads the whole database: its pages, its indexes, and the rows that refer to others.
func checkTables(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	err := onStore(ctx, inv, func(cfg *config.Config, store *memory.Store) error {
		if err := store.Check(ctx); errors.Is(err, memory.ErrCorrupt) {
			found = []Finding{{
				"tables", stateProblem, err.Error(),
				"stop familiar and keep a copy of the file; `familiar backup restore` puts the newest backup in its place, `familiar recover` saves what can be read",
			}}
			return nil
		} else if err != nil {
			return err
		}
		schema, err := store.Schema(ctx)
		found = []Finding{{"tables", stateOK, intact(cfg, schema), ""}}
		return err
	})
	return found, err
}

// leastFree is how much of a disk must be free in any case: messages of weeks, and the logs of the system beside them.
const leastFree = 64 << 20

// checkDisk compares what is free with what an upgrade, a backup or an erasure needs: a copy of the database.
func checkDisk(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	free, known := machine.FreeDisk(string(inv.Loaded.Home))
	if !known {
		return nil, nil
	}
	err := onStore(ctx, inv, func(_ *config.Config, store *memory.Store) error {
		file, log, err := store.Size()
		found = diskFindings(free, file+log)
		return err
	})
	return found, err
}

// diskFindings judges the free space beside a database of so many bytes.
func diskFindings(free, database int64) []Finding {
	text := fmt.Sprintf("%s are free, the database takes %s", cli.FileSize(free), cli.FileSize(database))
	switch {
	case free < leastFree:
		return []Finding{{"disk", stateProblem, text + ": soon nothing can be stored", "free some space; writing resumes by itself"}}
	case free < 2*database:
		return []Finding{{"disk", stateWarning, text + ": an upgrade, a backup or an erasure may not find room for a copy", "free some space, or move backups elsewhere"}}
	}
	return []Finding{{"disk", stateOK, text, ""}}
}

// clockAhead is how far stored times may be in the future.
const clockAhead = 2 * time.Minute

// checkClock looks for times in the future: then the clock was wrong, or is.
func checkClock(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	err := onStore(ctx, inv, func(cfg *config.Config, store *memory.Store) error {
		var latest time.Time
		runs, err := jobs.ServedRuns(ctx, cfg, store)
		if err != nil {
			return err
		}
		for _, r := range runs {
			latest = later(latest, r.Started)
		}
		states, err := store.Log.ChannelStates(ctx)
		for _, s := range states {
			latest = later(latest, s.At)
		}
		if ahead := latest.Sub(inv.Now()); ahead > clockAhead {
			found = []Finding{{
				"clock", stateWarning, fmt.Sprintf("something was stored at %s, which is in the future by this machine's clock", cli.InZone(latest, cfg).Format("2 Jan 2006 15:04")),
				"set the clock, and keep it set with NTP (timedatectl set-ntp true); jobs continue by themselves",
			}}
		}
		return err
	})
	return found, err
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// waitsTooLong is how long a message may wait for its answer while the home is served.
const waitsTooLong = 10 * time.Minute

// checkWaiting looks for messages that wait for an answer, or replies that wait to be sent.
func checkWaiting(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	err := onStore(ctx, inv, func(cfg *config.Config, store *memory.Store) error {
		queues, err := app.ReadQueues(ctx, store.Log, cfg.Served()...)
		served := app.IsServed(cfg.Home.Lock())
		for _, name := range slices.Sorted(maps.Keys(queues)) {
			q := queues[name]
			waited := inv.Now().Sub(q.Inbox.Oldest)
			switch {
			case served && q.Inbox.Waiting > 0 && waited > waitsTooLong:
				found = append(found, Finding{
					"waiting", stateProblem, fmt.Sprintf("%s on %s for an answer, the first for %s", english.Plural(q.Inbox.Waiting, "message waits", "messages wait"), name, waited.Round(time.Minute)),
					"the log of `familiar run` says why; restart it if it says nothing",
				})
			case !served && q.Inbox.Waiting+q.Outbox.Unsent > 0:
				found = append(found, Finding{
					"waiting", stateWarning, fmt.Sprintf("on %s %s for an answer and %s to be sent, and nothing serves the home", name,
						english.Plural(q.Inbox.Waiting, "message waits", "messages wait"), english.Plural(q.Outbox.Unsent, "reply waits", "replies wait")),
					"start `familiar run`",
				})
			}
		}
		return err
	})
	return found, err
}

// jobLate is how long after its due time a job may start while the home is served: it waits for other late ones.
const jobLate = time.Hour

// checkJobs looks for jobs that failed, hang, or do not start.
func checkJobs(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	err := onStore(ctx, inv, func(cfg *config.Config, store *memory.Store) error {
		runs, err := jobs.ServedRuns(ctx, cfg, store)
		if err != nil {
			return err
		}
		for _, r := range runs {
			found = append(found, runFindings(cfg, r, inv.Now())...)
		}
		if !app.IsServed(cfg.Home.Lock()) {
			return nil // whatever is late runs at the next start
		}
		if _, err := app.ServedCards(cfg); err != nil {
			return nil //nolint:nilerr // the configuration check reports it
		}
		rows, err := jobs.ServedJobs(ctx, inv, cfg, store)
		for _, j := range rows {
			if late := inv.Now().Sub(j.Next); !j.Next.IsZero() && late > jobLate && j.Ended != string(jobrun.StatusRunning) {
				found = append(found, Finding{
					"jobs", stateWarning, fmt.Sprintf("%s%s was due %s and has not started", j.Job, cli.OfOther(cfg, j.Persona), humanize.RelTime(j.Next, inv.Now(), "ago", "from now")),
					fmt.Sprintf("`familiar job run %s%s` runs it now; restart `familiar run` if it stays late", j.Job, cli.ForOther(cfg, j.Persona)),
				})
			}
		}
		return err
	})
	return found, err
}

// runFindings judges the last run of a job.
func runFindings(cfg *config.Config, r jobrun.Run, now time.Time) []Finding {
	switch {
	case r.Status == jobrun.StatusFailed && !strings.HasPrefix(r.Result, scheduler.ErrStopped.Error()):
		reason, _, _ := strings.Cut(r.Result, "\n")
		return []Finding{{
			"jobs", stateWarning, fmt.Sprintf("%s%s failed %s: %s", r.Job, cli.OfOther(cfg, r.Persona), humanize.RelTime(r.Finished, now, "ago", "from now"), words.Cut(cli.OneLine(reason), queues.ReasonRunes)),
			fmt.Sprintf("it is tried again when it is due; `familiar job run %s%s` tries it now", r.Job, cli.ForOther(cfg, r.Persona)),
		}}
	case r.Status == jobrun.StatusRunning && now.Sub(r.Started) > scheduler.DefaultLimit:
		return []Finding{{
			"jobs", stateProblem, fmt.Sprintf("%s%s has been running for %s", r.Job, cli.OfOther(cfg, r.Persona), now.Sub(r.Started).Round(time.Minute)),
			"restart `familiar run`: what the job has done is kept, and the next run does the rest",
		}}
	}
	return nil
}

// intact says what checking the memory has shown.
func intact(cfg *config.Config, schema int) string {
	if cfg.Database.OnServer() {
		return fmt.Sprintf("every row can be read, schema %d, on %s", schema, cfg.Database)
	}
	return fmt.Sprintf("every page and every reference is intact, schema %d", schema)
}
