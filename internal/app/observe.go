package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"familiar/channels"
	"familiar/internal/metrics"
	"familiar/memory/fleet"
	"familiar/memory/jobrun"
	"familiar/memory/log"
	"familiar/persona"
	"familiar/persona/modelvoice"
)

// Measure has the app count what it does from now on. states returns the states of the channels that are served.
func (a *App) Measure(b metrics.Build, states func() map[string]channels.State) {
	a.Metrics = metrics.New(b, func(ctx context.Context) (metrics.Reading, error) { return a.reading(ctx, states()) })
}

// observer returns what counts the engine's work, nil if nothing does.
func (a *App) observer() persona.Observer {
	if a.Metrics == nil {
		return nil
	}
	return a.Metrics
}

// observeCall counts a call of a model.
func (a *App) observeCall(c modelvoice.Call) {
	if a.Metrics == nil {
		return
	}
	a.Metrics.Call(metrics.Call{
		Model: c.Model, Job: c.Job, Took: c.Took, In: c.Used.In, Out: c.Used.Out, Cached: c.Used.CacheRead,
		Failed: c.Used.FailedIn + c.Used.FailedOut, Dollars: c.Cost.Dollars(), Err: c.Err,
	})
}

// reading reads the present state of the store for the metrics.
func (a *App) reading(ctx context.Context, states map[string]channels.State) (now metrics.Reading, err error) {
	now.Database = metrics.Database(a.Store.Hosting.Stats())
	if now.DatabaseBytes, now.LogBytes, err = a.Store.Size(); err != nil {
		return now, err
	}
	queues, err := ReadQueues(ctx, a.Store.Log, a.Config.Served()...)
	if err != nil {
		return now, err
	}
	for name := range states {
		if _, waits := queues[name]; !waits {
			queues[name] = Queue{} // it is served
		}
	}
	for _, name := range slices.Sorted(maps.Keys(queues)) {
		q := queues[name]
		c := metrics.Channel{
			Name: name, Phase: string(states[name].Phase), Waiting: q.Inbox.Waiting, Unanswered: q.Inbox.Dead, Unsent: q.Outbox.Unsent, Dead: q.Outbox.Dead,
		}
		if !q.Inbox.Oldest.IsZero() {
			c.Oldest = max(0, a.Now().Sub(q.Inbox.Oldest))
		}
		now.Channels = append(now.Channels, c)
	}
	if a.Fleet != nil {
		now.Fleet = &metrics.Fleet{Processes: a.Fleet.Peers(), Leases: a.Fleet.Holds(), Skew: a.Fleet.Skew()}
	}
	now.Jobs, err = a.lastRuns(ctx)
	return now, err
}

// lastRuns returns the last run of each job, of several personas' the latest.
func (a *App) lastRuns(ctx context.Context) (jobs []metrics.Job, _ error) {
	latest := map[string]jobrun.Run{}
	for _, persona := range a.Config.Served() {
		runs, err := a.Store.Jobs.LastRuns(ctx, persona)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			if r.Started.After(latest[r.Job].Started) {
				latest[r.Job] = r
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(latest)) {
		r := latest[name]
		jobs = append(jobs, metrics.Job{Name: r.Job, Started: r.Started, Ended: r.Finished, Failed: r.Status == jobrun.StatusFailed})
	}
	return jobs, nil
}

// Queue is what waits on one channel.
type Queue struct {
	Inbox  log.InboxCounts
	Outbox log.OutboxCounts
}

// ReadQueues returns what waits for the personas together, by channel.
func ReadQueues(ctx context.Context, store *log.Store, personas ...string) (map[string]Queue, error) {
	all := map[string]Queue{}
	for _, persona := range personas {
		inbox, err := store.CountInbox(ctx, persona)
		if err != nil {
			return nil, err
		}
		outbox, err := store.CountOutbox(ctx, persona)
		if err != nil {
			return nil, err
		}
		for name, c := range inbox {
			q := all[name]
			q.Inbox.Waiting, q.Inbox.Dead = q.Inbox.Waiting+c.Waiting, q.Inbox.Dead+c.Dead
			if q.Inbox.Oldest.IsZero() || !c.Oldest.IsZero() && c.Oldest.Before(q.Inbox.Oldest) {
				q.Inbox.Oldest = c.Oldest
			}
			all[name] = q
		}
		for name, c := range outbox {
			q := all[name]
			q.Outbox.Unsent, q.Outbox.Dead = q.Outbox.Unsent+c.Unsent, q.Outbox.Dead+c.Dead
			all[name] = q
		}
	}
	return all, nil
}

// writableEvery is how often readiness tries to write: each try syncs the disk.
const writableEvery = 10 * time.Second

// Readiness tells whether messages can be received and stored.
type Readiness struct {
	// States returns the states of the channels that are served.
	States func() map[string]channels.State
	// CheckWritable fails if nothing can be stored.
	CheckWritable func(ctx context.Context) error
	Now           func() time.Time
	// Fleet is this process among those that share the memory, nil if there are no others.
	Fleet *fleet.Member

	turn  chan struct{} // holds one element while nobody uses the fields below
	tried time.Time
	wrong error
}

// NewReadiness returns the readiness of the app.
func (a *App) NewReadiness(states func() map[string]channels.State) *Readiness {
	r := &Readiness{States: states, CheckWritable: a.Store.CheckWritable, Now: a.Now, Fleet: a.Fleet, turn: make(chan struct{}, 1)}
	r.turn <- struct{}{}
	return r
}

// Problems returns why the process is not ready, one sentence each, nothing if it is.
func (r *Readiness) Problems(ctx context.Context) (all []string) {
	if err := r.writable(ctx); err != nil {
		all = append(all, "nothing can be stored: "+err.Error())
	}
	if skew := r.Fleet.Skew().Round(time.Second); skew.Abs() > fleet.MaxSkew {
		all = append(all, fmt.Sprintf("the clocks of this machine and of the database server differ by %v", skew.Abs()))
	}
	states := r.States()
	for _, name := range slices.Sorted(maps.Keys(states)) {
		s := states[name]
		if s.Phase == channels.Connected || s.Phase == channels.Backfilling || s.Phase == channels.Standby {
			continue
		}
		problem := fmt.Sprintf("%s is %s", name, cmp.Or(s.Phase, channels.Connecting))
		if s.Problem != "" {
			problem += ": " + s.Problem
		}
		all = append(all, problem)
	}
	return all
}

// writable tries to write, unless it did a moment ago.
func (r *Readiness) writable(ctx context.Context) error {
	select {
	case <-r.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { r.turn <- struct{}{} }()
	if age := r.Now().Sub(r.tried); r.tried.IsZero() || age < 0 || age >= writableEvery {
		r.tried, r.wrong = r.Now(), r.CheckWritable(ctx)
	}
	return r.wrong
}
