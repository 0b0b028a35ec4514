// Package fleet runs several real processes of Familiar on one PostgreSQL database, talks with them over a loopback network, kills some
// of them, and counts what was lost, repeated or out of order.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"familiar/internal/llm/llmtest"
)

// Options say what runs.
type Options struct {
	// Binary is the path of familiar, and Database the URL of an empty schema.
	Binary, Database string
	// Processes answer in Rooms private chats. People is how many of those rooms talk at once: each says its next message when the last one
	// is answered.
	Processes, Rooms, People int
	// For is how long they talk. With Kills it is at least as long as those take.
	For time.Duration
	// Unpaced has people talk through a program, which has no rate limits, instead of Telegram. No process may be killed then.
	Unpaced bool
	// Kills is how many processes are killed, one after the other. Restart, if not nil, kills the server of the database and returns when it
	// is up again; that happens in place of one kill of Every.
	Kills   int
	Restart func() error
	Every   int
	// Rolling is how often each process is asked to stop and is started again, one after the other.
	Rolling int
	// Seed decides who is killed and when.
	Seed uint64
	// Log is told what happens.
	Log func(format string, args ...any)
}

// Report is what was counted.
type Report struct {
	Processes int `json:"processes"`
	Rooms     int `json:"rooms"`
	People    int `json:"people"`
	// Seconds is how long people talked, Messages how many were answered, and PerSecond both.
	Seconds   float64 `json:"seconds"`
	Messages  int     `json:"messages"`
	PerSecond float64 `json:"per_s"`
	// P50, P99 and Most are how long replies took, in ms.
	P50  float64 `json:"p50_ms"`
	P99  float64 `json:"p99_ms"`
	Most float64 `json:"max_ms"`
	// StartMS is how long each process took from its start until it served, in ms.
	StartMS []float64 `json:"start_ms"`
	// Kills counts killed processes and Restarts those of the server. FailoverP50, FailoverP99 and FailoverMost are over the longest wait
	// after each kill, in ms: from the kill, or from the message if that came later, to the reply.
	Kills        int     `json:"kills"`
	Restarts     int     `json:"server_restarts"`
	FailoverP50  float64 `json:"failover_p50_ms"`
	FailoverP99  float64 `json:"failover_p99_ms"`
	FailoverMost float64 `json:"failover_max_ms"`
	// RestartMost is the longest wait after a restart of the server, from when it was up again, in ms.
	RestartMost float64 `json:"restart_max_ms"`
	// Stops counts the processes that were asked to stop, and StopMost is the longest wait after one was, in ms.
	Stops    int     `json:"stops"`
	StopMost float64 `json:"stop_max_ms"`
	// Lost counts messages without a reply, Repeated replies that were shown again although their first showing was recorded, Twice those
	// that were shown twice because nobody could know that they had been, and Disordered replies before an earlier one of their room.
	Lost       int `json:"lost"`
	Repeated   int `json:"confirmed_repeated"`
	Twice      int `json:"unknown_twice"`
	Disordered int `json:"disordered"`
	// CPUSeconds is what all processes took, without those that were killed.
	CPUSeconds float64 `json:"cpu_s"`
}

// Run runs processes and people, and returns what was counted. It returns an error if something could not be run, not if something was
// lost.
func Run(ctx context.Context, o Options) (r Report, err error) {
	dir, err := os.MkdirTemp("", "familiar-fleet-")
	if err != nil {
		return r, fmt.Errorf("make a directory for the homes: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	t, err := newTalk(o)
	if err != nil {
		return r, err
	}
	defer t.network.close()
	model := llmtest.Start(echo)
	defer model.Close()

	f := &processes{o: o, dir: dir, network: t.network, model: model.URL, dice: rand.New(rand.NewPCG(o.Seed, 0))}
	defer func() { err = errors.Join(err, f.stop()) }()
	for i := range o.Processes {
		took, err := f.start(ctx, i)
		if err != nil {
			return r, err
		}
		r.StartMS = append(r.StartMS, ms(took))
	}
	if err := t.warm(ctx); err != nil {
		return r, errors.Join(err, f.trouble())
	}
	r.Processes, r.Rooms, r.People = o.Processes, o.Rooms, o.People
	began := time.Now()
	talking, end := context.WithCancel(ctx)
	defer end()
	done := t.start(talking, o.People)
	failures, err := f.disturb(ctx, t)
	if rest := o.For - time.Since(began); err == nil && rest > 0 {
		wait(ctx, rest)
	}
	end()
	<-done
	r.Seconds = time.Since(began).Seconds()
	if err != nil {
		return r, err
	}
	t.drain(ctx)
	r.CPUSeconds = f.cpu()
	recorded, err := f.recorded(ctx)
	if err != nil {
		return r, err
	}
	t.count(&r, recorded)
	failures.count(&r, t)
	if r.Lost > 0 {
		f.say("%v", f.trouble())
	}
	return r, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
