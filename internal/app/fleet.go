package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"familiar/memory/fleet"
)

// joinFleet makes this process one of those that answer from the memory. Only those that serve networks must serve the same personas.
func (a *App) joinFleet(ctx context.Context, verb string) (err error) {
	host, err := os.Hostname()
	if err != nil {
		host = "a host without a name"
	}
	as := fleet.Joining{Name: fmt.Sprintf("familiar %s on %s, process %d", verb, host, os.Getpid())}
	if build, ok := debug.ReadBuildInfo(); ok {
		as.Version = build.Main.Version
	}
	if verb == "run" {
		as.Cast = strings.Join(slices.Sorted(slices.Values(a.Config.Served())), ", ")
	}
	if a.Fleet, err = a.Store.Fleet.Join(ctx, as); err != nil {
		return err
	}
	if skew := a.Fleet.Skew().Round(time.Second); verb == "run" && skew.Abs() >= noticedSkew {
		a.Log.Warn("the clocks of this machine and of the database server differ; a second process will not join until both are set", "ahead_by", skew)
	}
	return nil
}

// noticedSkew is from which difference between the clocks on the operator is told.
const noticedSkew = 5 * time.Second

// leaveTimeout is how long leaving the others may take. They notice it anyway.
const leaveTimeout = 2 * time.Second

// leaveFleet gives up what the process holds, so that others take over at once.
func (a *App) leaveFleet() {
	if a.guest {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveTimeout)
	defer cancel()
	if err := a.Fleet.Leave(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		a.Log.Warn("leave the processes of the memory", "error", err)
	}
}

// Alone runs do unless another process that lives holds the lease of that name. Then it fails with ErrInUse, which says what that
// process does.
func (a *App) Alone(ctx context.Context, name, does string, do func() error) error {
	done, err := a.Fleet.Try(ctx, name, do)
	if err == nil && !done {
		err = fmt.Errorf("%w: another process %s from this memory; stop it first", ErrInUse, does)
	}
	return err
}
