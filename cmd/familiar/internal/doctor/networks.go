package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/channels"
	"familiar/channels/all"
	"familiar/channels/registry"
	"familiar/cmd/familiar/internal/networks"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
)

// networkTimeout is how long the doctor waits for one network.
const networkTimeout = 15 * time.Second

// checkNetworks asks the configured networks one after the other, and reports the state of those that are being served.
func checkNetworks(ctx context.Context, inv *cli.Invocation) (told []Finding, _ error) {
	names := inv.Loaded.Channels.Names()
	if len(names) == 0 {
		return []Finding{{"networks", stateOK, "no network is configured", ""}}, nil
	}
	standings, err := networks.Statuses(ctx, inv)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		found, err := checkNetwork(ctx, inv, name)
		if err != nil { // the others are still checked
			found = append(found, unreachable(name, err))
		}
		if !slices.ContainsFunc(found, Finding.IsProblem) {
			found = append(found, reportedProblems(standings, name)...)
		}
		told = append(told, found...)
	}
	return told, nil
}

// reportedProblems returns the problems of a network that its serving process has stored.
func reportedProblems(standings []networks.Status, name string) (found []Finding) {
	for _, s := range standings {
		if s.Channel != name || !s.Served || s.Problem == "" {
			continue
		}
		state := stateWarning
		if s.Fatal() {
			state = stateProblem
		}
		found = append(found, Finding{name, state, s.Problem, s.NextStep})
	}
	return found
}

// checkNetwork runs the check of one network. It does nothing if a secret cannot be read: the configuration check reports
// that.
func checkNetwork(ctx context.Context, inv *cli.Invocation, name string) ([]Finding, error) {
	channel, ok := all.Find(name)
	if !ok {
		return nil, fmt.Errorf("network %s: %w", name, memory.ErrNotFound)
	}
	n := inv.Loaded.Channels.Network(name)
	for _, secret := range n.Secrets() {
		if _, err := secret.Reveal(); err != nil {
			return nil, nil //nolint:nilerr // the configuration check reports it
		}
	}
	ctx, cancel := context.WithTimeout(ctx, networkTimeout)
	defer cancel()
	var found []registry.Finding
	ask := func(stored channels.StateStore) (err error) {
		found, err = channel.Check(ctx, n.Own, networks.SetupFor(inv.Loaded, n, checkHost(inv, stored)))
		return err
	}
	err := inv.WithStore(ctx, func(_ *config.Config, store *memory.Store) error { return ask(store.Log.KeyValue(name)) })
	if errors.Is(err, memory.ErrNotFound) { // no memory yet
		err = ask(nil)
	}
	return findingsOf(name, found), err
}

// findingsOf converts the findings of a channel.
func findingsOf(name string, told []registry.Finding) (found []Finding) {
	for _, f := range told {
		found = append(found, Finding{name, string(f.Severity), f.Text, f.NextStep})
	}
	return found
}

// unreachable returns the finding for a network that rejected the request or could not be reached.
func unreachable(name string, err error) Finding {
	if refused, ok := errors.AsType[*channels.StateError](err); ok {
		return Finding{name, stateProblem, refused.State.Problem, refused.State.NextStep}
	}
	return Finding{name, stateWarning, "it could not be reached: " + err.Error(), "check the connection and the configured address, then try again"}
}

// checkHost returns a host for checks: it reports nothing. stored is nil if there is no database.
func checkHost(inv *cli.Invocation, stored channels.StateStore) channels.Host {
	return channels.Host{
		Report: func(channels.State) {}, Store: stored, Now: inv.Now, Jitter: func(time.Duration) time.Duration { return 0 },
	}
}
