package networks

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"familiar/channels"
	"familiar/internal/app"
	"familiar/memory/log"
)

// TestA14StatusShowsTheNextStep checks the status of networks as another process sees it.
func TestA14StatusShowsTheNextStep(t *testing.T) {
	refused := channels.State{Phase: channels.Refused, Problem: "the token is not accepted", NextStep: "set telegram.token"}
	gone := channels.State{Phase: channels.Transient, Problem: "the network is down"}
	since := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		Status
		want StatusRow
	}{
		"serving": {
			Status{log.ChannelState{State: gone, Since: since}, log.OutboxCounts{Unsent: 2}, true, true},
			StatusRow{State: "transient", Since: since, Problem: gone.Problem, Unsent: 2},
		},
		"stopped": {
			Status{log.ChannelState{State: gone, Since: since}, log.OutboxCounts{Dead: 1}, true, false},
			StatusRow{State: NotRunning, NextStep: "start it with `familiar run`", Dead: 1},
		},
		"refused and stopped": {
			Status{log.ChannelState{State: refused, Since: since}, log.OutboxCounts{}, true, false},
			StatusRow{State: "refused", Since: since, Problem: refused.Problem, NextStep: refused.NextStep},
		},
		"starting": {Status{log.ChannelState{}, log.OutboxCounts{}, true, true}, StatusRow{State: "connecting"}},
		"removed from the configuration": {
			Status{log.ChannelState{State: refused, Since: since}, log.OutboxCounts{Unsent: 1}, false, true},
			StatusRow{State: notConfigured, NextStep: "pending replies are sent when it is configured again", Unsent: 1},
		},
	} {
		if got := newChannelStatusRow(tc.Status); got != tc.want {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
}

// TestLookingAtTheLockDoesNotBlockStart checks the lock while a process takes it.
func TestLookingAtTheLockDoesNotBlockStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "familiar.lock")
	if app.IsServed(path) {
		t.Error("served before anybody came")
	}
	lock, err := app.LockHome(path, "run", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if !app.IsServed(path) {
		t.Error("not served by who contains the lock")
	}
	if _, err := app.LockHome(path, "chat", time.Now()); !errors.Is(err, app.ErrInUse) {
		t.Errorf("a second process: %v", err)
	}
	if err := lock.Release(); err != nil || app.IsServed(path) {
		t.Errorf("still served after the release, %v", err)
	}
	looking := flock.New(path)
	if ok, err := looking.TryRLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := looking.Unlock(); err != nil {
			t.Error(err)
		}
	})
	if lock, err = app.LockHome(path, "run", time.Now()); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}
