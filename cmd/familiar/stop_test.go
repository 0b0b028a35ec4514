package main

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"familiar/cmd/familiar/internal/serving"
	"familiar/internal/llm/llmtest"
	"familiar/internal/torture"
	"familiar/memory/jobrun"
)

// stopLimit is how long a process may take to stop, whatever hangs.
const stopLimit = 10 * time.Second

// stopInTime asks the process to stop and expects it to end in order and in time.
func (d *delivery) stopInTime() {
	d.t.Helper()
	told := time.Now()
	d.stop()
	if took := time.Since(told); took > stopLimit {
		d.t.Errorf("it took %v to stop", took)
	}
}

// TestStoppingLosesNothing stops a process, as an operator does, while its model or its network hangs: it ends in time, and
// the next one answers and sends everything once.
func TestStoppingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, open := range networkPeers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDelivery(t, open(t))
			d.greet()
			hangs := []func(d *delivery){strikePoints[1].strike} // the network, with the first chunk
			if name == "webhook" || torture.On() {
				hangs = append(hangs, strikePoints[0].strike) // the model, which does not depend on the network
			}
			for _, hanging := range hangs {
				hanging(d)
				d.stopInTime()
				d.network.mend()
				d.thinks.Store(nil)
				d.long.Store(false)
				d.talk() // while nothing is running
				d.serve()
			}
			d.settle()
			d.stopInTime()
			if again := d.check(); again > 0 && d.network.limits.Idempotent {
				t.Errorf("%d messages were shown again", again)
			}
		})
	}
}

// TestStoppingFinishesReplies stops a process whose model is in the middle of an answer: the answer is finished and sent,
// and what arrives meanwhile is left to the next process.
func TestStoppingFinishesReplies(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, webhookPeer(t))
	d.greet()
	thinking := make(chan struct{})
	d.thinks.Store(&thinking)
	d.finishes = make(chan struct{})
	d.say(0)
	d.await("the model is asked", thinking)
	d.thinks.Store(nil)
	d.process.signal(syscall.SIGTERM)
	d.process.reports("stopping")
	d.say(1)
	close(d.finishes)
	if code, _ := d.process.exit(); code != 0 {
		t.Errorf("exit code %d; on standard error:\n%s", code, d.process.errs)
	}
	if heard := d.heard(); heard != d.count()-1 {
		t.Errorf("%d of %d messages were received: want all but the one that came after the signal", heard, d.count())
	}
	if stats, err := d.store.Lifecycle.Stats(t.Context(), "nell"); err != nil || stats.Pending+stats.Unsent != 0 {
		t.Errorf("left behind: %+v, %v; on standard error:\n%s", stats, err, d.process.errs)
	}
	d.serve()
	d.settle()
	d.stopInTime()
	d.check()
}

// TestASecondSignalEndsAtOnce does not wait for a model that hangs.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDelivery(t, webhookPeer(t))
	d.greet()
	strikePoints[0].strike(d)
	d.process.signal(syscall.SIGTERM)
	d.process.reports("stopping")
	told := time.Now()
	again := time.NewTicker(50 * time.Millisecond) // one that comes at once with the first counts as the same
	defer again.Stop()
	ended := make(chan bool)
	go func() {
		for {
			select {
			case <-again.C:
				d.process.cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended
			case <-ended:
				return
			}
		}
	}()
	code, _ := d.process.exit()
	close(ended)
	if code == 0 {
		t.Error("it ended in order")
	}
	if took := time.Since(told); took > serving.StopGrace-time.Second {
		t.Errorf("it took %v", took)
	}
	d.serve()
	d.settle()
	d.stop()
	d.check()
}

// TestStoppingEndsJobs stops a process whose job waits for a model that hangs. The next run does the work.
func TestStoppingEndsJobs(t *testing.T) {
	t.Parallel()
	reading := make(chan struct{}, 100)
	var hangs atomic.Bool
	hangs.Store(true)
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		if !r.Stream && hangs.Load() {
			reading <- struct{}{}
			<-r.Context().Done()
			return
		}
		llmtest.Says(`{"claims": []}`)(w, r)
	})
	home := configHome(t, p, "session:\n  gap: 1s\njobs:\n  session_close: \"@every 1s\"\n  refine: off\n")
	familiar(t, home, keyed, refineScript, "chat", "--as", "Ann").must(t)
	if err := writeConfig(home, modelConfig(p, time.Minute, frequentSessions)); err != nil {
		t.Fatal(err)
	}
	serving := start(t, home, keyed, "run")
	<-reading
	told := time.Now()
	serving.signal(syscall.SIGTERM)
	if code, _ := serving.exit(); code != 0 {
		t.Errorf("exit code %d; on standard error:\n%s", code, serving.errs)
	}
	if took := time.Since(told); took > stopLimit {
		t.Errorf("it took %v to stop", took)
	}
	hangs.Store(false)
	serving = start(t, home, keyed, "run")
	store := openStore(t, home)
	eventually(t, "a run that reads the session after all", func() bool {
		runs, err := store.Jobs.Runs(t.Context(), jobrun.Filter{Job: "refine"})
		return err == nil && slices.ContainsFunc(runs, func(r jobrun.Run) bool { return r.Status == jobrun.StatusOK && !strings.HasPrefix(r.Result, "read 0") })
	})
	serving.signal(syscall.SIGTERM)
	serving.exit()
}
